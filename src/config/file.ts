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

export type Path = readonly PropertyKey[];

export type ConfigFile = {
  /** Not validated. */
  readonly content: unknown;
  /** Returns `file:line:column` of the value at a path, or of its nearest existing ancestor. */
  readonly where: (path: Path) => string;
};

/** Maximum length of a file, enough for thousands of accounts. */
const MAX_CHARACTERS = 1_048_576;

const INDENTATION = 'wrong indentation: settings that belong together start in the same column';

/** Messages by yaml's error code. yaml's own messages may quote the file, which may contain a key. */
const SYNTAX_ERRORS: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'aliases (*name) are not supported: put a text that starts with * in quotes',
  BAD_DQ_ESCAPE: 'unknown escape in "…": write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: INDENTATION,
  BAD_SCALAR_START: 'a text starts with a reserved character (@ or `): put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one line: put the text in quotes, or break the line',
  BLOCK_IN_FLOW: 'indented settings between { } or [ ]: use one style or the other',
  DUPLICATE_KEY: 'duplicate key: keep one of the two',
  MISSING_CHAR: 'a bracket, quote, colon or comma is missing',
  MULTILINE_IMPLICIT_KEY: 'missing colon after a key',
  MULTIPLE_DOCS: 'a second document (---): a file has one configuration',
  RESOURCE_EXHAUSTION: 'nested too deeply',
  TAB_AS_INDENT: 'a tab: indent YAML with spaces',
  TAG_RESOLVE_FAILED: 'tags (!…) are not supported: put a text that starts with ! in quotes',
  UNEXPECTED_TOKEN:
    'unexpected text: check the indentation of this line, and the brackets and quotes above it',
};

/**
 * Parses YAML 1.2 without tags.
 *
 * @param name of the file, for messages
 * @param form with `texts`, numbers and booleans stay texts; with `aliases`, aliases are allowed
 * @throws ConfigError with all syntax errors, each with its line and column
 */
export function parseFile(
  text: string,
  name: string,
  form: 'values' | 'texts' | 'aliases' = 'values',
): ConfigFile {
  if (text.length > MAX_CHARACTERS)
    throw new ConfigError([`${name}: got ${text.length} characters, expected at most ${MAX_CHARACTERS}`]);
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const schema = form === 'texts' ? 'failsafe' : 'core';
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema });
  // Node decodes invalid UTF-8 as U+FFFD; UTF-16 has zeros.
  const undecoded = text.search(/[\0\ufffd]/);
  if (undecoded !== -1)
    throw new ConfigError([
      `${place(undecoded)}: invalid UTF-8: save the file as UTF-8; the character \ufffd of a name is "\\ufffd"`,
    ]);
  const errors = [...document.errors, ...document.warnings].map((error) =>
    syntaxIssue(error, document.errors, text),
  );
  visit(document, {
    Alias: (_, alias) => {
      if (form !== 'aliases') errors.push({ code: 'BAD_ALIAS', offset: alias.range?.[0] ?? 0 });
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

/** Returns the code and position of an error; wrong indentation if that is the cause. */
function syntaxIssue(
  { code, pos, message }: YAMLError,
  errors: readonly YAMLError[],
  text: string,
): SyntaxIssue {
  const [offset] = pos;
  // A setting to the left of the others in its list item.
  if (code === 'MISSING_CHAR' && message.startsWith('Sequence item without'))
    return { code: 'BAD_INDENT', offset };
  // An open bracket turns everything below it into a flow.
  if (code === 'BAD_INDENT' && message.startsWith('Flow ')) return { code: 'MISSING_CHAR', offset };
  // A setting that is indented more than the one above it continues that one's value.
  const has = (other: ErrorCode) => errors.some((error) => error.code === other && error.pos[0] === offset);
  if (has('BLOCK_AS_IMPLICIT_KEY') && has('MULTILINE_IMPLICIT_KEY'))
    return { code: 'BAD_INDENT', offset: text.indexOf('\n', offset) + 1 };
  return { code, offset };
}

/** Returns the first error in each line, and the first unexpected token: the others usually follow from it. */
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

/** Returns the offset of the key or list item at a path, as far as it exists. */
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

type YamlMap = Readonly<Record<string, unknown>>;

export function isMapping(content: unknown): content is YamlMap {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

/** Returns the value at a path; undefined if it does not exist. */
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
