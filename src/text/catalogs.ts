import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { isLanguage, type Language } from './languages.ts';

/*
 * The catalogs of the program, and the language in force. The page has its own: catalogs.page.ts.
 */

export { LANGUAGES, type Language } from './languages.ts';

/** Answers of the chat await the exporter, and two chats are answered at once: the language follows their calls. */
const spoken = new AsyncLocalStorage<Language>();

export function inForce(): Language {
  return spoken.getStore() ?? 'en';
}

/** Runs a function, and what it awaits, in a language; one that has no catalog is English. */
export function speaking<Result>(language: string | undefined, compose: () => Result): Result {
  return spoken.run(isLanguage(language) ? language : 'en', compose);
}

const bundles = new Map<Language, FluentBundle>();

function bundleOf(language: Language): FluentBundle {
  const catalog = new URL(`catalogs/${language}.ftl`, import.meta.url);
  return bundles.get(language) ?? setCatalog(language, readFileSync(catalog, 'utf8'));
}

/** Uses a text as the catalog of a language. */
export function setCatalog(language: Language, text: string): FluentBundle {
  // Marks of direction around each value would be in JSON, in messages and in what people copy.
  const bundle = new FluentBundle(language, { useIsolating: false });
  bundle.addResource(new FluentResource(text));
  bundles.set(language, bundle);
  return bundle;
}

/** Writes a message of a language; undefined if it has none that can be written with these values. */
export function formatted(
  language: Language,
  id: string,
  values: Readonly<Record<string, string | number>>,
): string | undefined {
  const bundle = bundleOf(language);
  const pattern = bundle.getMessage(id)?.value ?? undefined;
  const errors: Error[] = [];
  const text = pattern === undefined ? undefined : bundle.formatPattern(pattern, values, errors);
  return errors.length === 0 ? text : undefined;
}
