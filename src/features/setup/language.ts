import { showText } from '../../config/messages.ts';
import { isLanguage, LANGUAGES, type Language, languageOf, say, speaking } from '../../text/say.ts';
import { answer, type Wizard } from './questions.ts';

/* The language of the installation. It is the first question, so that the others can be in that language. */

/** The languages, each by its own name. */
const NAMES = Object.entries(LANGUAGES)
  .map(([code, name]) => `${code} (${name})`)
  .join(', ');

/**
 * Asks for the language. The default is that of the last run, or of the locale.
 *
 * @returns undefined if there is nothing to configure: nobody can be asked, and the locale has no other language
 */
export async function askLanguage(
  wizard: Wizard,
  remembered: string | undefined,
): Promise<Language | undefined> {
  const { LC_ALL, LC_MESSAGES, LANG, HOSTER_LANGUAGE } = wizard.environment;
  const own = languageOf(LC_ALL || LC_MESSAGES || LANG || '') ?? 'en';
  const isUnanswered = !HOSTER_LANGUAGE && remembered === undefined;
  if (wizard.prompt === undefined && isUnanswered) return own === 'en' ? undefined : own;
  return await speaking(remembered ?? own, () =>
    answer<Language>(wizard, {
      variable: 'HOSTER_LANGUAGE',
      text: say('setup-ask-language', { languages: NAMES }),
      remembered,
      suggestion: own,
      check: async (typed) => {
        const word = typed.toLowerCase();
        const code = Object.keys(LANGUAGES)
          .filter(isLanguage)
          .find((each) => each === word || LANGUAGES[each].toLowerCase() === word);
        return code === undefined
          ? { problem: say('setup-no-language', { typed: showText(typed), languages: NAMES }) }
          : { value: code };
      },
    }),
  );
}
