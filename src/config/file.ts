import {
  type Document,
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { ConfigError, showText } from './messages.ts';

/** Path of a value in the content of a file. */
export type Path = readonly PropertyKey[];

/** A parsed YAML file. */
export type ConfigFile = {
  /** Not validated. */
  readonly content: unknown;
  /** Returns `file:line:column` of the value at a path, or of its nearest ancestor that exists. */
  readonly where: (path: Path) => string;
};

/** Enough for thousands of accounts. */
const MAX_CHARACTERS = 1_048_576;

const INDENTATION =
  'indentation that does not fit the lines above: settings that belong together begin in the same column';

/** Messages by yaml's error code. yaml's own messages can quote the file, which may hold a key. */
const SYNTAX_ERRORS: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'an alias (*name) is not read here: quote the text if it begins with *, or write the value out',
  BAD_DQ_ESCAPE: 'an escape that "…" does not know: write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: INDENTATION,
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
  UNEXPECTED_TOKEN:
    'something that does not belong here: check the indentation of this line, and brackets and quotes above it',
};

/**
 * Parses YAML 1.2 without aliases and tags; messages call the file `name`.
 *
 * @param scalars with `texts`, numbers and booleans stay the texts that they are written as
 * @throws ConfigError with every syntax error, each with its line and column
 */
export function parseFile(text: string, name: string, scalars: 'values' | 'texts' = 'values'): ConfigFile {
  if (text.length > MAX_CHARACTERS) {
    throw new ConfigError([`${name}: got ${text.length} characters, expected at most ${MAX_CHARACTERS}`]);
  }
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const schema = scalars === 'texts' ? 'failsafe' : 'core';
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema });
  // Node decodes what is no UTF-8 as U+FFFD; UTF-16 has zeros.
  const undecoded = text.search(/[\0\ufffd]/);
  if (undecoded !== -1) {
    throw new ConfigError([
      `${place(undecoded)}: got bytes that are no UTF-8, expected text: save the file as UTF-8`,
    ]);
  }
  const errors = [...document.errors, ...document.warnings].map((error) =>
    syntaxIssue(error, document.errors, text),
  );
  visit(document, {
    Alias: (_, alias) => {
      errors.push({ code: 'BAD_ALIAS', offset: alias.range?.[0] ?? 0 });
    },
  });
  if (errors.length > 0) {
    const first = firstOfEachLine(errors, (offset) => lines.linePos(offset).line);
    throw new ConfigError(
      first.map(({ code, offset }) => `${place(offset)}: ${SYNTAX_ERRORS[code] ?? `not YAML (${code})`}`),
    );
  }
  return {
    content: document.toJS(),
    where: (path) => place(offsetOf(document, path)),
  };
}

type SyntaxIssue = { readonly code: ErrorCode; readonly offset: number };

/** Returns the code and the place of an error, as a wrong indentation where that is the cause. */
function syntaxIssue(
  { code, pos, message }: YAMLError,
  errors: readonly YAMLError[],
  text: string,
): SyntaxIssue {
  const [offset] = pos;
  // A setting that stands left of the others of its list item.
  if (code === 'MISSING_CHAR' && message.startsWith('Sequence item without')) {
    return { code: 'BAD_INDENT', offset };
  }
  // An open bracket makes a flow of everything below it.
  if (code === 'BAD_INDENT' && message.startsWith('Flow ')) return { code: 'MISSING_CHAR', offset };
  // A setting that is indented more than the one above continues the value of that one.
  const has = (other: ErrorCode) => errors.some((error) => error.code === other && error.pos[0] === offset);
  if (has('BLOCK_AS_IMPLICIT_KEY') && has('MULTILINE_IMPLICIT_KEY')) {
    return { code: 'BAD_INDENT', offset: text.indexOf('\n', offset) + 1 };
  }
  return { code, offset };
}

/** Keeps the first error of each line, and the first unexpected token; the others usually follow from it. */
function firstOfEachLine(
  errors: readonly SyntaxIssue[],
  lineOf: (offset: number) => number,
): readonly SyntaxIssue[] {
  const seen = new Set<number | ErrorCode>();
  return errors
    .toSorted((one, other) => one.offset - other.offset)
    .filter(({ code, offset }) => {
      const line = lineOf(offset);
      const isFirst = !seen.has(line) && !(code === 'UNEXPECTED_TOKEN' && seen.has(code));
      seen.add(line).add(code);
      return isFirst;
    });
}

/** Returns the offset of the key or list item at the end of the path, as far as the path exists. */
function offsetOf(document: Document.Parsed, path: Path): number {
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

/** A YAML map, not validated. */
type YamlMap = Readonly<Record<string, unknown>>;

export function isMapping(content: unknown): content is YamlMap {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

/** Returns the value at a path; undefined where the path does not exist. */
export function valueAt(content: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isMapping(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }, content);
}

/** Formats a path for messages: `accounts[0].api_url`. */
export function pathText(path: Path): string {
  return joinPath(path, (index) => `[${index}]`);
}

/** Formats a path in the form of a setting's name: `accounts[].api_url`. */
export function settingName(path: Path): string {
  return joinPath(path, () => '[]');
}

function joinPath(path: Path, item: (index: number) => string): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return text + item(step);
    const key = /^[\w-]{1,60}$/.test(String(step)) ? String(step) : showText(String(step));
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
