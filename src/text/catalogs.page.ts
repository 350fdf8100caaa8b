import type { Language } from './languages.ts';

/*
 * The page's catalog, which is fetched before the page is drawn: one language, with English for messages that it lacks. The build
 * replaces catalogs.ts with this file, numbers the messages that the page says, and compiles them, so that Fluent is not loaded.
 */

export { LANGUAGES, type Language } from './languages.ts';

/** A text with `{names}` of values, one that depends on a number, or parts of both kinds. */
type Pattern = string | Plural | readonly Pattern[];

/** A text by the plural category of a value, or by the value itself. */
interface Plural {
  readonly of: string;
  readonly [category: string]: Pattern;
}

/** Messages whose ids a call composes, by the part in which they differ. */
type Several = Readonly<Record<string, Pattern>>;

/** The messages by number; 0 if no language has one. */
export type PageTexts = readonly (Pattern | Several | 0)[];

let texts: PageTexts = [];
let language: Language = 'en';
let numbers = new Intl.NumberFormat(language);
let plurals = new Intl.PluralRules(language);

/** Uses a language from now on. */
export function speak(next: Language, own: PageTexts): void {
  texts = own;
  language = next;
  numbers = new Intl.NumberFormat(next);
  plurals = new Intl.PluralRules(next);
}

export function inForce(): Language {
  return language;
}

/** The page has one language. The exporter composes text in others. */
export function speaking<Result>(_: string | undefined, compose: () => Result): Result {
  return compose();
}

type Values = Readonly<Record<string, string | number>>;

/** The id of a message as the build writes it. */
type PageId = string | number | readonly [several: number, own: string];

export function formatted(_: Language, id: PageId, values: Values): string | undefined {
  if (typeof id === 'string') return undefined;
  if (typeof id === 'number') return textOf(texts[id], values);
  const [several, own] = id;
  const all = texts[several];
  // A status may be called `constructor`.
  return Object.keys(Object(all)).includes(own) ? textOf((all as Several)[own], values) : undefined;
}

function textOf(pattern: Pattern | Several | 0 | undefined, values: Values): string | undefined {
  if (typeof pattern === 'string')
    return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? name;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  if (typeof pattern !== 'object') return undefined;
  if (isList(pattern)) return pattern.map((part) => textOf(part, values)).join('');
  const count = Number(values[String(pattern['of'])]);
  return textOf(pattern[count] ?? pattern[plurals.select(count)] ?? pattern['other'], values);
}

function isList(pattern: object): pattern is readonly Pattern[] {
  return Array.isArray(pattern);
}
