import { type PageTexts, speak } from '../../../text/catalogs.page.ts';
import { isLanguage, LANGUAGES, type Language, languageOf } from '../../../text/say.ts';
import { fetchJson } from './exporter.ts';

/* The language of the page: the one chosen on it, the one in the owner's configuration, or the browser's. */

/** Name of the choice in the browser's storage. */
const STORED = 'language';

export const CHOICES = Object.entries(LANGUAGES);

/** Stores a choice, and redraws the page. */
export function choose(code: string): void {
  try {
    localStorage.setItem(STORED, code);
  } catch {
    // A browser without storage follows its own language.
  }
  location.reload();
}

function chosen(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** Returns the first language that has a catalog: the chosen one, the owner's, or the browser's. */
function wanted(owner: string): Language {
  const locales = [chosen() ?? '', owner, ...navigator.languages];
  return locales.map(languageOf).find(isLanguage) ?? 'en';
}

/** Loads the texts of the language, or the English ones, and uses them. Throws if there are none. */
export async function loadLanguage(owner: string): Promise<void> {
  for (const own of [wanted(owner), 'en'] as const) {
    const texts = await fetchJson<PageTexts>(`assets/${own}.json`);
    // Without texts, there is none for a failure either.
    if (!Array.isArray(texts)) continue;
    speak(own, texts);
    document.documentElement.lang = own;
    return;
  }
  throw new Error('The page has no texts.');
}
