import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { buildFleetDocument } from '../fleet/build.ts';
import type { CoreDocument, FleetExporter } from '../fleet/document.ts';
import type { GzipBody } from '../metrics/page.ts';
import type { Price } from '../model/money.ts';
import type { Snapshot } from '../model/snapshot.ts';
import {
  acceptsGzip,
  gzipReply,
  inflate,
  inflatedReply,
  isStranger,
  isTrusted,
  matchesEtag,
  notModified,
  publicJson,
  type Route,
  type Sender,
  shareRuns,
} from './reply.ts';

/** Devices to serialise before yielding to the event loop: about 1 ms of work. */
const DEVICES_PER_CHUNK = 128;

type FleetSources = {
  readonly snapshot: () => Snapshot;
  readonly exporter: (isReader: boolean) => FleetExporter;
  readonly withParts: (document: CoreDocument) => CoreDocument;
  readonly prices: () => readonly Price[];
  /** Reports whether a sender has read-only access. */
  readonly isReader: (sender: Sender) => boolean;
  /** Distinguishes the entity tags of this process from those of earlier ones. */
  readonly process: string;
  readonly yieldToEventLoop: () => Promise<void>;
};

/** The JSON of one snapshot; undefined until it is first requested. */
type Version = {
  readonly etag: string;
  content?: Promise<GzipBody>;
  readonly inflate: () => Promise<Buffer | undefined>;
};

/**
 * Responds to `/api/v1/fleet`; `?phones=no` leaves out the list of phones, for panels with totals. Strangers don't see
 * everything, and only owners may change something. The JSON is written on the first request for a snapshot, and kept
 * compressed for as long as the snapshot.
 */
export function createFleetResponse(sources: FleetSources): Route['answer'] {
  const { exporter, withParts, prices, yieldToEventLoop } = sources;
  const versions = new WeakMap<Snapshot, Map<string, Version>>();
  const writing = new Map<string, Version>();
  let count = 0;

  const versionOf = (snapshot: Snapshot, variant: string): Version => {
    const variants = versions.get(snapshot) ?? new Map<string, Version>();
    versions.set(snapshot, variants);
    const known = variants.get(variant);
    if (known !== undefined) return known;
    count += 1;
    // Weak (RFC 9110, 8.8.1), since gzip and text have the same tag.
    const version: Version = {
      etag: `W/"${sources.process}-${count}"`,
      inflate: shareRuns(async () => version.content && inflate(await version.content)),
    };
    variants.set(variant, version);
    return version;
  };

  return async ({ sender, query, acceptEncoding, ifNoneMatch }) => {
    const isReader = !isTrusted(sender) || sources.isReader(sender);
    const audience = isStranger(sender) ? 'stranger' : isReader ? 'reader' : 'owner';
    const hasPhones = query.get('phones') !== 'no';
    const variant = `${audience} ${hasPhones}`;
    const snapshot = sources.snapshot();
    const write = async (): Promise<GzipBody> => {
      const of = exporter(audience === 'reader');
      const document = withParts(await buildFleetDocument(snapshot, of, yieldToEventLoop, prices()));
      const encode = audience === 'stranger' ? publicJson : JSON.stringify;
      return compress(jsonOf(hasPhones ? document : { ...document, phones: [] }, encode), yieldToEventLoop);
    };

    const current = versionOf(snapshot, variant);
    if (matchesEtag(ifNoneMatch, current.etag)) return notModified(headersOf(current.etag));
    // One document is written at a time. Requests that arrive in the meantime get it too.
    const version = current.content === undefined ? (writing.get(variant) ?? current) : current;
    if (version.content === undefined) {
      writing.set(variant, version);
      version.content = write().finally(() => writing.delete(variant));
      // After a failure, the document is written again for the next request.
      version.content.catch(() => {
        delete version.content;
      });
    }
    const [content, headers] = [await version.content, headersOf(version.etag)];
    return acceptsGzip(acceptEncoding)
      ? gzipReply(content, headers)
      : inflatedReply(await version.inflate(), headers);
  };
}

function headersOf(etag: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json; charset=utf-8',
    // May be stored, and must be revalidated.
    'cache-control': 'private, no-cache',
    etag,
    vary: 'Accept-Encoding',
  };
}

/** Yields the JSON in chunks, one device per line, for `grep` and `diff`. */
function* jsonOf({ phones, ...rest }: CoreDocument, encode: (value: object) => string): Generator<string> {
  yield `${encode(rest).slice(0, -1)},"phones":[`;
  for (let start = 0; start < phones.length; start += DEVICES_PER_CHUNK) {
    const lines = phones.slice(start, start + DEVICES_PER_CHUNK).map((phone) => encode(phone));
    yield `${start === 0 ? '' : ','}\n${lines.join(',\n')}`;
  }
  yield '\n]}\n';
}

async function compress(texts: Iterable<string>, yieldToEventLoop: () => Promise<void>): Promise<GzipBody> {
  const chunks: Buffer[] = [];
  let textLength = 0;
  await pipeline(
    async function* () {
      for (const text of texts) {
        const bytes = Buffer.from(text);
        textLength += bytes.length;
        yield bytes;
        await yieldToEventLoop();
      }
    },
    createGzip(),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) chunks.push(chunk);
    },
  );
  return { chunks, length: chunks.reduce((sum, chunk) => sum + chunk.length, 0), textLength };
}
