/** The languages with a catalog, each with its own name for itself. */
export const LANGUAGES = {
  en: 'English',
  uk: 'Українська',
  ru: 'Русский',
  es: 'Español',
  vi: 'Tiếng Việt',
} as const;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(code: string | undefined): code is Language {
  return Object.keys(LANGUAGES).some((each) => each === code);
}

/** Returns the language of a locale, such as `uk_UA.UTF-8` or `es-419`; undefined if there is no catalog for it. */
export function languageOf(locale: string): Language | undefined {
  const code = /^[a-z]+/.exec(locale.toLowerCase())?.[0];
  return isLanguage(code) ? code : undefined;
}
