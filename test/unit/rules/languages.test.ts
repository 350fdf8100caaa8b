import { describe, expect, it } from 'vitest';
import { END_REASONS } from '../../../src/model/incident.ts';
import { LANGUAGES, type Language, say, speaking } from '../../../src/text/say.ts';
import { rulesIn, TEMPLATE_FILES, templatesIn } from '../../rules/languages.ts';

const OTHERS = Object.keys(LANGUAGES).filter((each): each is Exclude<Language, 'en'> => each !== 'en');

describe.each(OTHERS)('the alerts in the language %s', (language) => {
  it('are the English rules with its texts', async () => {
    await expect(rulesIn(language)).toMatchFileSnapshot(
      `../../../config/prometheus/${language}/hoster.rules.yml`,
    );
  });

  it.each(TEMPLATE_FILES)('have the templates of %s', async (name) => {
    await expect(templatesIn(language, name)).toMatchFileSnapshot(
      `../../../config/alertmanager/templates/${language}/${name}`,
    );
  });

  it('say how an incident ended so that no end begins as another one does', () => {
    const ends = speaking(language, () => END_REASONS.map((reason) => say(`end-${reason}`)));
    expect(ends.flatMap((end) => ends.filter((other) => other !== end && other.startsWith(end)))).toEqual([]);
  });
});
