import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * A language that nobody speaks, made of English: each letter has a mark, and texts are longer. A text without marks was left
 * behind in the source.
 */

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MARKED = 'áƀçđéƒǧħíĵķłɱñóƥɋřšŧúʋŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁḾÑÓƤɊŘŠŦÚƲŴẊÝŽ';

const marked = (text: string): string => {
  const letters = [...MARKED];
  return text.replace(/[A-Za-z]/g, (letter) => letters[PLAIN.indexOf(letter)] ?? letter);
};

/** Marks what people read of a line, and leaves variables and the names of variants. */
function markedLine(line: string): string {
  // The selector, and the end of its variants.
  if (/^(?:#|\s*\}|\s*\{ \$\w+ ->|\s*$)/.test(line)) return line;
  const [, head = '', text = ''] = /^([\w-]+ =|\s+\*?\[\w+\])?(.*)$/.exec(line) ?? [];
  const parts = text.split(/(\{[^}]*\})/);
  const own = parts.map((part, index) => (index % 2 === 1 ? part : marked(part))).join('');
  return own.trim() === '' ? line : `${head}${own}·`;
}

/** The catalog, made of the English one. */
export function pseudoCatalog(): string {
  const english = join(import.meta.dirname, '../../../src/text/catalogs/en.ftl');
  return readFileSync(english, 'utf8').split('\n').map(markedLine).join('\n');
}

/** Lists the words of an output that have no marks. */
export function unmarkedWords(output: string): readonly string[] {
  return [...new Set(output.match(/(?<!\p{L})[A-Za-z]{2,}(?!\p{L})/gu))];
}
