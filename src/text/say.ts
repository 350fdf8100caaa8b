import { formatted, inForce, type Language } from './catalogs.ts';

/*
 * The texts that people read, in the language in force. Each is a message of a catalog in Project Fluent's format; English is
 * the source, and stands in for a message that another language lacks.
 */

export { LANGUAGES, type Language, speaking } from './catalogs.ts';
export { isLanguage, languageOf } from './languages.ts';

/** Values for the variables of a message. A number is written and counted in the language's own way. */
export type Values = Readonly<Record<string, string | number>>;

/** Returns the language in force, for `Intl`. */
export function language(): Language {
  return inForce();
}

/** Writes a message in the language in force, such as `say('phones', { count: 3 })`. */
export function say(id: string, values: Values = {}): string {
  return sayIf(id, values) ?? id;
}

/** Writes a message; undefined if there is none, as for a status that is newer than this program. */
export function sayIf(id: string, values: Values = {}): string | undefined {
  return formatted(inForce(), id, values) ?? formatted('en', id, values);
}

/** Writes a message whose English text is already known, for example from a response; undefined in English. */
export function translated(id: string): string | undefined {
  return inForce() === 'en' ? undefined : sayIf(id);
}

/** Writes a message in English, for logs, JSON and metrics. */
export function sayInEnglish(id: string, values: Values = {}): string {
  return formatted('en', id, values) ?? id;
}

/** Returns a function that makes something once for each language, such as a format of numbers. */
export function perLanguage<Value>(make: (language: Language) => Value): () => Value {
  const made = new Map<Language, Value>();
  return () => {
    const own = inForce();
    const value = made.get(own) ?? make(own);
    made.set(own, value);
    return value;
  };
}
