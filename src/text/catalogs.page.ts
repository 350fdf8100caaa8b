import { isLanguage, type Language } from './languages.ts';

/*
 * The catalogs of the page: English is in its script, another language is fetched before the page is drawn. The build puts this
 * file in the place of catalogs.ts, numbers the messages that the page says, and compiles them, so that Fluent is not loaded.
 */

export { LANGUAGES, type Language } from './languages.ts';

/** A text with `{names}` of values, one that depends on a number, or parts of both kinds. */
type Pattern = string | Plural | readonly Pattern[];

/** A text by the plural category of a value, or by the value itself. */
interface Plural {
  readonly of: string;
  readonly [category: string]: Pattern;
}

/** Messages whose ids a call puts together, by what they differ in. */
type Several = Readonly<Record<string, Pattern>>;

/** The messages by number; 0 if the language lacks one. */
export type PageTexts = readonly (Pattern | Several | 0)[];

declare const PAGE_TEXTS: PageTexts;

const known = new Map<Language, PageTexts>();
let language: Language = 'en';

/** Speaks a language from now on. */
export function speak(next: Language, texts: PageTexts): void {
  known.set(next, texts);
  language = next;
}

export function inForce(): Language {
  return language;
}

export function speaking<Result>(next: string | undefined, compose: () => Result): Result {
  const before = language;
  language = isLanguage(next) ? next : 'en';
  try {
    return compose();
  } finally {
    language = before;
  }
}

type Values = Readonly<Record<string, string | number>>;

/** The id of a message as the build writes it. */
type PageId = string | number | readonly [several: number, own: string];

export function formatted(of: Language, id: PageId, values: Values): string | undefined {
  const list = of === 'en' ? PAGE_TEXTS : (known.get(of) ?? []);
  if (typeof id === 'string') return undefined;
  if (typeof id === 'number') return textOf(list[id], of, values);
  const [several, own] = id;
  const all = list[several];
  // A status may be called `constructor`.
  return Object.keys(Object(all)).includes(own) ? textOf((all as Several)[own], of, values) : undefined;
}

function textOf(
  pattern: Pattern | Several | 0 | undefined,
  of: Language,
  values: Values,
): string | undefined {
  if (typeof pattern === 'string')
    return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? name;
      return typeof value === 'number' ? numbersIn(of).format(value) : value;
    });
  if (typeof pattern !== 'object') return undefined;
  if (isList(pattern)) return pattern.map((part) => textOf(part, of, values)).join('');
  const count = Number(values[String(pattern['of'])]);
  return textOf(
    pattern[count] ?? pattern[new Intl.PluralRules(of).select(count)] ?? pattern['other'],
    of,
    values,
  );
}

const formats = new Map<Language, Intl.NumberFormat>();

function numbersIn(of: Language): Intl.NumberFormat {
  const format = formats.get(of) ?? new Intl.NumberFormat(of);
  formats.set(of, format);
  return format;
}

function isList(pattern: object): pattern is readonly Pattern[] {
  return Array.isArray(pattern);
}
