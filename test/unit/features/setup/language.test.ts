import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { askLanguage } from '../../../../src/features/setup/language.ts';
import { configurationOf } from '../../../../src/features/setup/routes.ts';
import { languageIn } from '../../../../src/features/setup/setup.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { wizardWith } from './wizard.ts';

/** Asks a person who types these lines. Returns the language, and the questions. */
async function asked(
  environment: Readonly<Record<string, string>>,
  lines: readonly string[] | undefined,
  remembered?: string,
) {
  const { wizard, said } = wizardWith(lines, { environment, isQuiet: true });
  return { language: await askLanguage(wizard, remembered), questions: said };
}

it('asks by the names that languages have in themselves, in the language of the locale, which is the default', async () => {
  const { language, questions } = await asked({ LANG: 'uk_UA.UTF-8' }, ['']);
  expect(language).toBe('uk');
  expect(questions).toEqual([
    'Мова: en (English), uk (Українська), ru (Русский), es (Español), vi (Tiếng Việt) [uk]: ',
  ]);
});

it.each([
  ['Español', 'es'],
  ['VI', 'vi'],
  ['', 'en'],
])('takes %j as %s', async (typed, language) => {
  expect((await asked({ LANG: 'C.UTF-8' }, [typed])).language).toBe(language);
});

it('asks again for a language that it does not have', async () => {
  const { language, questions } = await asked({}, ['klingon', 'ru']);
  expect(language).toBe('ru');
  expect(questions.filter((text) => text.endsWith(': '))).toHaveLength(2);
});

it('asks nobody who has answered, and configures nothing if nobody can answer and no language is known', async () => {
  expect(await asked({}, [], 'es')).toEqual({ language: 'es', questions: [] });
  expect(await asked({ HOSTER_LANGUAGE: 'uk' }, undefined)).toEqual({ language: 'uk', questions: [] });
  expect(await asked({ LANG: 'vi_VN' }, undefined)).toEqual({ language: 'vi', questions: [] });
  expect(await asked({ LANG: 'en_US' }, undefined)).toEqual({ language: undefined, questions: [] });
});

it('writes the language into the configuration, and reads it there', async () => {
  const directory = temporaryFolder();
  const account = { api_url: 'https://api.example.com', api_key_file: '/key' };
  const text = configurationOf(undefined, { ...account, language: 'uk' });
  expect(parse(text)).toMatchObject({ language: 'uk' });
  // English replaces another language, and needs no setting else.
  expect(parse(configurationOf(text, { ...account, language: 'en' }))).toMatchObject({ language: 'en' });
  expect(parse(configurationOf(undefined, { ...account, language: 'en' }))).not.toHaveProperty('language');
  // An answer that was not given changes nothing.
  expect(configurationOf(text, account)).toBe(text);
  mkdirSync(join(directory, 'exporter'));
  writeFileSync(join(directory, 'exporter/hoster-exporter.yml'), text);
  expect(await languageIn(directory)).toBe('uk');
});
