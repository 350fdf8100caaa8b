import {
  type Body,
  createCompressor,
  EMPTY_RUN,
  extend,
  gzipBody,
  type Stretch,
} from '../../metrics/stretch.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { inSlices } from '../../slices.ts';
import { matchesTag } from '../entity-tag.ts';
import { compressedReply, notModified, type Reply } from '../reply.ts';
import type { RouteRequest } from '../routes.ts';
import type { FleetDocument, FleetExporter, FleetPhone } from './document.ts';
import { fleetOf } from './fleet.ts';

/** Phones that are written in one slice: a millisecond's work. */
const PHONES_PER_SLICE = 128;

export type FleetSources = {
  readonly snapshot: () => Snapshot;
  readonly exporter: () => FleetExporter;
  /** Distinguishes this process from those before it, whose documents had other contents under the same numbers. */
  readonly process: string;
  /** Gives the event loop back between two slices of long work. */
  readonly pause: () => Promise<void>;
};

/** A document as it is sent. */
type Edition = { readonly tag: string; readonly body: Body };

/**
 * Answers for `/api/v1/fleet`. A document is written when somebody asks for it, once per snapshot, and forgotten
 * together with its snapshot, so that it costs neither time nor memory where nobody looks.
 */
export function publishFleet(sources: FleetSources): (request: RouteRequest) => Promise<Reply> {
  const compress = createCompressor();
  const tags = new WeakMap<Snapshot, string>();
  const editions = new WeakMap<Snapshot, Edition>();
  let numbered = 0;
  let writing: Promise<Edition> | undefined;

  const tagOf = (snapshot: Snapshot): string => {
    const known = tags.get(snapshot);
    if (known !== undefined) return known;
    numbered += 1;
    // Weak (RFC 9110, 8.8.1), since the same tag stands for the bytes with and without gzip.
    const tag = `W/"${sources.process}-${numbered}"`;
    tags.set(snapshot, tag);
    return tag;
  };
  const write = async (snapshot: Snapshot): Promise<Edition> => {
    const document = await inSlices(fleetOf(snapshot, sources.exporter()), sources.pause);
    const stretches: Stretch[] = [];
    for (const text of textOf(document)) {
      stretches.push(compress.texts([text]));
      await sources.pause();
    }
    const edition = { tag: tagOf(snapshot), body: gzipBody(extend(EMPTY_RUN, stretches)) };
    editions.set(snapshot, edition);
    return edition;
  };
  /** Whoever comes while a document is written gets that one, so that never more than one is. */
  const writeOnce = (snapshot: Snapshot): Promise<Edition> => {
    writing ??= write(snapshot).finally(() => {
      writing = undefined;
    });
    return writing;
  };

  return async ({ acceptEncoding, ifNoneMatch }) => {
    const snapshot = sources.snapshot();
    const current = tagOf(snapshot);
    if (matchesTag(ifNoneMatch, current)) return notModified(headersOf(current));
    const { tag, body } = editions.get(snapshot) ?? (await writeOnce(snapshot));
    return compressedReply(body, acceptEncoding, headersOf(tag));
  };
}

function headersOf(tag: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json; charset=utf-8',
    // To be kept, and to be asked about each time.
    'cache-control': 'private, no-cache',
    etag: tag,
    vary: 'Accept-Encoding',
  };
}

/** The JSON text of a document in pieces. */
export function* textOf({ phones, ...rest }: FleetDocument): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"phones":[`;
  for (let start = 0; start < phones.length; start += PHONES_PER_SLICE) {
    yield `${start === 0 ? '' : ','}\n${linesOf(phones.slice(start, start + PHONES_PER_SLICE))}`;
  }
  yield '\n]}\n';
}

/** A line for each phone, for `grep` and `diff`. */
function linesOf(phones: readonly FleetPhone[]): string {
  return phones.map((phone) => JSON.stringify(phone)).join(',\n');
}
