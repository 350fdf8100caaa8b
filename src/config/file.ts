import {
  type Document,
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { ConfigError } from './problems.ts';

/** What a file holds, unchecked, and where in it something stands. */
export type ConfigFile = {
  readonly content: unknown;
  /** `file:line:column` of what is at a path, or of the nearest thing above it that exists. */
  readonly where: (path: readonly PropertyKey[]) => string;
};

/** Many thousand accounts fit; what is larger is no configuration. */
const MOST_CHARACTERS = 1_048_576;

/** What is wrong, by yaml's code. yaml's own messages are not shown: some quote the file, which may hold a key. */
const SYNTAX: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'an alias (*name) is not read here: quote the text if it begins with *, or write the value out',
  BAD_DQ_ESCAPE: 'an escape that "…" does not know: write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: 'indentation that does not fit the lines above',
  BAD_SCALAR_START: 'a text that begins with a reserved character (@ or `): put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one line: put the text in quotes, or break the line',
  BLOCK_IN_FLOW: 'indented settings between { } or [ ]: use one style or the other',
  DUPLICATE_KEY: 'a key that stands there already: keep one of the two',
  MISSING_CHAR: 'a bracket, quote, colon or comma is missing',
  MULTILINE_IMPLICIT_KEY: 'a key without a colon after it',
  MULTIPLE_DOCS: 'a second document (---): one file holds one configuration',
  RESOURCE_EXHAUSTION: 'nested too deeply to be a configuration',
  TAB_AS_INDENT: 'a tab: YAML is indented with blanks',
  TAG_RESOLVE_FAILED: 'a tag (!…): values are written without one, and texts that begin with ! in quotes',
};

/**
 * Reads YAML 1.2 without aliases and tags; `name` is how messages call the file.
 *
 * @param scalars whether numbers, booleans and nothing are what they are, or the texts that they are written as
 * @throws ConfigError with every fault of syntax, each with its line and column
 */
export function parseFile(text: string, name: string, scalars: 'values' | 'texts' = 'values'): ConfigFile {
  if (text.length > MOST_CHARACTERS) {
    throw new ConfigError([`${name}: got ${text.length} characters, expected at most ${MOST_CHARACTERS}`]);
  }
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const schema = scalars === 'texts' ? 'failsafe' : 'core';
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema });
  const faults = [...document.errors, ...document.warnings].map(({ code, pos }) => ({
    code,
    offset: pos[0],
  }));
  visit(document, {
    Alias: (_, alias) => {
      faults.push({ code: 'BAD_ALIAS', offset: alias.range?.[0] ?? 0 });
    },
  });
  if (faults.length > 0) {
    const first = firstOfEachLine(faults, (offset) => lines.linePos(offset).line);
    throw new ConfigError(
      first.map(({ code, offset }) => `${place(offset)}: ${SYNTAX[code] ?? `not YAML (${code})`}`),
    );
  }
  return {
    content: document.toJS(),
    where: (path) => place(offsetOf(document, path)),
  };
}

type Fault = { readonly code: ErrorCode; readonly offset: number };

/** The other faults of a line follow from the first as a rule, and say nothing. */
function firstOfEachLine(faults: readonly Fault[], lineOf: (offset: number) => number): readonly Fault[] {
  const seen = new Set<number>();
  return faults
    .toSorted((one, other) => one.offset - other.offset)
    .filter(({ offset }) => {
      const line = lineOf(offset);
      return seen.has(line) ? false : seen.add(line);
    });
}

/** Where the key or list item at the end of the path begins, as far as the path exists. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(step)];
      if (!isMap(item) && !isScalar(item) && !isSeq(item)) break;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return offset;
}
