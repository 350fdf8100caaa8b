import { type PageTexts, speak } from '../../../text/catalogs.page.ts';
import { isLanguage, LANGUAGES, type Language, languageOf } from '../../../text/say.ts';
import { fetchJson } from './exporter.ts';

/*
 * The language of the page: the one that was chosen on it, that of the owner's configuration, or that of the browser.
 */

/** Name of the choice in the storage of the browser. */
const STORED = 'language';

export const CHOICES = Object.entries(LANGUAGES);

/** Stores a choice, and draws the page anew. */
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

/** Returns the first language with a catalog: of the choice, of the owner, and of the browser. */
function wanted(owner: string): Language {
  const locales = [chosen() ?? '', owner, ...navigator.languages];
  return locales.map(languageOf).find(isLanguage) ?? 'en';
}

/** Loads the texts of the language, or the English ones, and speaks it. Throws if there are none. */
export async function loadLanguage(owner: string): Promise<void> {
  for (const own of [wanted(owner), 'en'] as const) {
    const texts = await fetchJson<PageTexts>(`assets/${own}.json`);
    // Without texts, a failure has none either.
    if (!Array.isArray(texts)) continue;
    speak(own, texts);
    return void document.documentElement.setAttribute('lang', own);
  }
  throw new Error('The page has no texts.');
}
