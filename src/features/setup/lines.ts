import { isCollection, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';

/*
 * Our lines in the configuration of an existing daemon: between two marks, as the first items of its lists, so that everything
 * else stays unchanged and they can be removed again.
 */

const BEGIN = '# hoster-exporter: begin';
const END = '# hoster-exporter: end';

/** The marks and the lines between them, without another mark: one may have been deleted. */
const MARKED = new RegExp(`^ *${BEGIN}(?:(?!${BEGIN})[^])*?^ *${END}.*\\n?`, 'gm');

const KEYED = new RegExp(`(?:^[ \\w"'-]+:[ \\r]*\\n)?${MARKED.source}`, 'gm');

/** Returns the marks and the lines between them. */
export function ownLines(text: string): string {
  return (text.match(MARKED) ?? []).join('');
}

/** Returns the changed marked lines. Other lines may contain a password, so only the key above is shown. */
export function changedLines(old: string, fresh: string): string {
  const [before, after] = [old, fresh].map((text) => text.match(KEYED) ?? []);
  const shown = (blocks: readonly string[] = [], others: readonly string[] = [], sign: string) =>
    blocks
      .filter((block) => !others.includes(block))
      .map((block) => {
        const at = block.search(MARKED);
        return (
          block.slice(0, at).replace(/^(?=.)/, '  ') + block.slice(at).replaceAll(/^(?=.)/gm, `${sign} `)
        );
      });
  return [...shown(before, after, '-'), ...shown(after, before, '+')].join('').trimEnd();
}

/** Removes our lines from a configuration. */
export function withoutLines(text: string): string {
  return text.replaceAll(MARKED, '');
}

/**
 * Inserts items into a list of a configuration, as its first ones.
 *
 * @param path keys of the list, one or two; missing ones are added
 * @param items lines of YAML, each item with its hyphen, without indentation
 * @returns undefined if the list is written in brackets, or the text is not YAML or UTF-8
 */
export function withItems(text: string, path: readonly string[], items: string): string | undefined {
  const { contents, errors } = parseDocument(text);
  // Bytes that are not UTF-8 would be lost.
  if (
    text.includes('\u{FFFD}') ||
    errors.length > 0 ||
    (contents !== null && !isBlockMap(contents) && !isEmpty(contents))
  )
    return undefined;
  let map = isMap(contents) ? contents : undefined;
  let place = { at: text.length, indentation: 0 };
  for (const [depth, key] of path.entries()) {
    const pair = map?.items.find((each) => isScalar(each.key) && each.key.value === key);
    if (pair === undefined) return withBlock(text, place, path.slice(depth), items);
    const { value } = pair;
    const isLast = depth === path.length - 1;
    if (!isEmpty(value) && !(isLast ? isSeq(value) && value.flow !== true : isBlockMap(value)))
      return undefined;
    place = placeBelow(text, pair);
    map = isMap(value) ? value : undefined;
  }
  return withBlock(text, place, [], items);
}

function isBlockMap(node: unknown): node is YAMLMap {
  return isMap(node) && node.flow !== true;
}

/** Reports whether a key has no value. */
function isEmpty(node: unknown): boolean {
  return (
    node === null || (isScalar(node) && node.value === null && node.source !== 'null' && node.source !== '~')
  );
}

type Place = { readonly at: number; readonly indentation: number };

/** Returns the position below a key, and the indentation of its content. */
function placeBelow(text: string, { key, value }: Pair): Place {
  const start = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  const lineEnd = text.indexOf('\n', start);
  const first = isCollection(value) ? value.range?.[0] : undefined;
  return {
    at: lineEnd === -1 ? text.length : lineEnd + 1,
    indentation: first === undefined ? columnOf(text, start) + 2 : columnOf(text, first),
  };
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Inserts the marks and, between them, the missing keys and the items. */
function withBlock(text: string, { at, indentation }: Place, keys: readonly string[], items: string): string {
  const block = indented(`${BEGIN}\n${below(keys, items)}${END}\n`, indentation);
  const before = text.slice(0, at);
  return before + (before === '' || before.endsWith('\n') ? '' : '\n') + block + text.slice(at);
}

/** Writes keys, one below the other, and items of the last one. */
export function below(keys: readonly string[], items: string): string {
  return keys.reduceRight((lines, key) => `${key}:\n${indented(lines, 2)}`, items.replace(/\n?$/, '\n'));
}

/** Indents each line that is not empty. */
export function indented(lines: string, spaces: number): string {
  return lines.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}
