import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { isLanguage, type Language } from './languages.ts';

/* The program's catalogs, and the language in force. The page has its own: catalogs.page.ts. */

export { LANGUAGES, type Language } from './languages.ts';

/** Answers in the chat await the exporter, and two chats may be answered at once, so the language follows the calls. */
const spoken = new AsyncLocalStorage<Language>();

export function inForce(): Language {
  return spoken.getStore() ?? 'en';
}

/** Runs a function, and what it awaits, in a language. Without a catalog, the language is English. */
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
  // Direction marks around each value would end up in JSON, in messages and in text that people copy.
  const bundle = new FluentBundle(language, { useIsolating: false });
  bundle.addResource(new FluentResource(text));
  bundles.set(language, bundle);
  return bundle;
}

/** Writes a message in a language; undefined if it has none that can be written with these values. */
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
