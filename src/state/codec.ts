import { createHash } from 'node:crypto';
import { NOTHING_KNOWN, type SavedState } from '../model/account.ts';
import { parseJson } from '../model/text.ts';
import type { Writer } from './file.ts';

/*
 * The state file is JSON: a line with the version and the writer, the state with one entry of a Map per line, and a line with
 * its checksum. The checksum detects damage, so no schema restates the model.
 */

/**
 * Version of the format. Raise it with each change of the model, except for an added optional field.
 */
const VERSION = 2;

const FORMAT = 'hoster-exporter state';

/** Length of text after which the writer yields to the event loop: about a millisecond of work. */
const PIECE_LENGTH = 65_536;

/** Keys of the objects that represent a Map and a Set. No object of the model has them. */
const MAP = '$map';
const SET = '$set';

/**
 * Encodes the state as text, piece by piece.
 *
 * @param savedAt milliseconds since 1970, for people who read the file
 */
export function* encodeState(state: SavedState, writer: Writer, savedAt: number): Generator<string> {
  const head = { format: FORMAT, version: VERSION, saved_at: new Date(savedAt).toISOString(), writer };
  yield `${JSON.stringify(head).slice(0, -1)},"state":\n`;
  const checksum = createHash('sha256');
  let piece = '';
  for (const token of tokensOf(state)) {
    piece += token;
    if (piece.length < PIECE_LENGTH) continue;
    checksum.update(piece);
    yield piece;
    piece = '';
  }
  yield `${piece}\n,"sha256":"${checksum.update(piece).digest('hex')}"}\n`;
}

/** Yields a value as JSON. Entries of Maps and Sets are small, so each is one token. */
function* tokensOf(value: unknown): Generator<string> {
  if (value instanceof Map || value instanceof Set) {
    let before = value instanceof Map ? `{"${MAP}":[\n` : `{"${SET}":[\n`;
    for (const entry of value) {
      yield `${before}${textOf(entry)}`;
      before = ',\n';
    }
    yield value.size === 0 ? `${before}]}` : ']}';
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [index, each] of value.entries()) {
      if (index > 0) yield ',';
      yield* tokensOf(each ?? null);
    }
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    let before = '{';
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* tokensOf(each);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}

function textOf(entry: unknown): string {
  return JSON.stringify(entry, (_, each: unknown) => {
    if (each instanceof Map) return { [MAP]: [...each] };
    return each instanceof Set ? { [SET]: [...each] } : each;
  });
}

/** A decoded state file, or the "got …, expected …" of an error message. */
type DecodedState = SavedState | { readonly refusal: string };

const HEAD = new RegExp(`^\\{"format":"${FORMAT}","version":(\\d{1,9}),`);
const END = /\n,"sha256":"([0-9a-f]{64})"\}\n?$/;

/** Longest text of {@link END}. */
const END_LENGTH = 90;

/** Decodes text that {@link encodeState} wrote. Rejects damaged text and other versions. */
export function decodeState(content: string): DecodedState {
  if (content === '') return { refusal: 'got an empty file, expected a state file' };
  const [, version] = HEAD.exec(content) ?? [];
  if (version === undefined)
    return { refusal: 'got text without the header of a state file, expected a state file' };
  if (Number(version) !== VERSION)
    return { refusal: `got version ${version}, expected this program's version ${VERSION}` };
  const [end, checksum] = END.exec(content.slice(-END_LENGTH)) ?? [];
  if (end === undefined) return { refusal: 'got a file that is cut off, expected a line with its checksum' };
  const body = content.slice(content.indexOf('\n') + 1, -end.length);
  if (createHash('sha256').update(body).digest('hex') !== checksum)
    return { refusal: 'got a damaged file, expected one that matches its checksum' };
  const state = withMaps(parseJson(body));
  return isState(state) ? state : { refusal: 'got a state without accounts, expected a state file' };
}

/** The checksum matches, so this version of the program wrote the value. */
function isState(value: unknown): value is SavedState {
  return isRecord(value) && Object.keys(NOTHING_KNOWN).every((key) => key in value);
}

/** Replaces the representations of Maps and Sets, in place. */
function withMaps(value: unknown): unknown {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) if (isContainer(each)) value[index] = withMaps(each);
    return value;
  }
  if (!isRecord(value)) return value;
  const { [MAP]: entries, [SET]: members } = value;
  if (Array.isArray(entries)) {
    const map = new Map<unknown, unknown>();
    for (const [key, each] of entries) map.set(key, withMaps(each));
    return map;
  }
  if (Array.isArray(members)) return new Set<unknown>(members.map(withMaps));
  for (const key in value) if (isContainer(value[key])) value[key] = withMaps(value[key]);
  return value;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}

/** Returns the process that wrote a file, from the start of its text. */
export function writerOf(head: string): Writer | undefined {
  const writer = parseJson(/"writer":(\{[^{}]*\})/.exec(head)?.[1] ?? '');
  if (!isRecord(writer)) return undefined;
  const { host, pid, program } = writer;
  const isWriter = typeof host === 'string' && typeof pid === 'number' && typeof program === 'string';
  return isWriter ? { host, pid, program } : undefined;
}
