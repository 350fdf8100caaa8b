import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentResource } from '@fluent/bundle';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, say, sayIf, speaking } from '../../../src/text/say.ts';
import { callsIn, textsInComponents } from './calls.ts';

const SOURCE = join(import.meta.dirname, '../../../src');
const CATALOGS = join(SOURCE, 'text/catalogs');

type Pattern = FluentResource['body'][number]['value'];
type Expression = Exclude<Exclude<Pattern, string | null>[number], string>;

const textOf = (language: string): string => readFileSync(join(CATALOGS, `${language}.ftl`), 'utf8');

const parse = (text: string): ReadonlyMap<string, Pattern> =>
  new Map(new FluentResource(text).body.map(({ id, value }) => [id, value]));

const english = parse(textOf('en'));
const languages = Object.keys(LANGUAGES);
const translations = languages.filter((language) => language !== 'en');
const calls = callsIn('src');

function* expressionsIn(pattern: Pattern): Generator<Expression> {
  for (const part of typeof pattern === 'string' ? [] : (pattern ?? [])) {
    if (typeof part === 'string') continue;
    yield part;
    if (part.type !== 'select') continue;
    yield part.selector;
    for (const { value } of part.variants) yield* expressionsIn(value);
  }
}

const variablesOf = (pattern: Pattern = null): readonly string[] => {
  const names = [...expressionsIn(pattern)].flatMap((each) => (each.type === 'var' ? each.name : []));
  return [...new Set(names)].sort();
};

/** Lists the messages of groups whose feature was deleted. */
function deletedMessages(): ReadonlySet<string> {
  const deleted = new Set<string>();
  let isDeleted = false;
  for (const line of textOf('en').split('\n')) {
    const folder = /^## (features\/[\w./]+)/.exec(line)?.[1];
    if (line.startsWith('## ')) isDeleted = folder !== undefined && !existsSync(join(SOURCE, folder));
    const [, id] = /^([\w-]+) =/.exec(line) ?? [];
    if (isDeleted && id !== undefined) deleted.add(id);
  }
  return deleted;
}

const ALERTS = readFileSync(join(import.meta.dirname, '../../rules/languages.ts'), 'utf8');

/** Reports whether the rules and templates of alerts have a message: by its id, or by the part that differs among several. */
const isInAlerts = (id: string): boolean =>
  id.startsWith('alert-') &&
  [id, id.replace('alert-', ''), id.replace(/^alert-[a-z]+-/, '')].some((each) =>
    ALERTS.includes(`'${each}'`),
  );

describe('the texts', () => {
  it('are a catalog for each language', () => {
    expect(readdirSync(CATALOGS).map((name) => name.replace('.ftl', ''))).toEqual(languages.toSorted());
  });

  it.each(languages)('of %s are read in full, and each has an id of its own', (language) => {
    const written = Array.from(textOf(language).matchAll(/^([A-Za-z][\w-]*) *=/gm), ([, id]) => id);
    expect([...parse(textOf(language)).keys()]).toEqual(written);
  });

  it.each(languages)(
    'of %s use nothing that the page cannot show: terms, functions or other messages',
    (language) => {
      const types = [...parse(textOf(language)).values()].flatMap((value) =>
        [...expressionsIn(value)].map(({ type }) => type),
      );
      expect(types.filter((type) => !['var', 'str', 'num', 'select'].includes(type))).toEqual([]);
    },
  );

  it('are said with the values that they have', () => {
    const wrong = calls.flatMap(({ place, ids, values }) => {
      const messages = [...english].filter(([id]) => ids.test(id));
      if (messages.length === 0) return [`${place}: no such message`];
      if (values === undefined) return [`${place}: its values are not written out`];
      const taken = new Set(messages.flatMap(([, pattern]) => variablesOf(pattern)));
      return [
        ...[...taken].filter((name) => !values.includes(name)).map((name) => `${place} lacks ${name}`),
        ...values.filter((name) => !taken.has(name)).map((name) => `${place} does not take ${name}`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('are all said', () => {
    const deleted = deletedMessages();
    const unused = [...english.keys()].filter(
      (id) => !deleted.has(id) && !isInAlerts(id) && calls.every(({ ids }) => !ids.test(id)),
    );
    expect(unused).toEqual([]);
  });

  it('are in catalogs, and not in the components of the page', () => {
    const names = new Set(['JSON', 'hoster-exporter']);
    const texts = textsInComponents('src').filter((text) => /[a-z]{2}/i.test(text) && !names.has(text));
    expect(texts).toEqual([]);
  });

  it.each(translations)('of %s are whole, and none is left over', (language) => {
    const own = parse(textOf(language));
    expect([...english.keys()].filter((id) => !own.has(id))).toEqual([]);
    expect([...own.keys()].filter((id) => !english.has(id))).toEqual([]);
  });

  it.each(translations)('of %s have the values of the English ones', (language) => {
    const own = parse(textOf(language));
    const others = [...english].filter(
      ([id, pattern]) => own.has(id) && variablesOf(own.get(id)).join() !== variablesOf(pattern).join(),
    );
    expect(others.map(([id]) => id)).toEqual([]);
  });

  it.each(languages)('of %s have a form for each plural of whole numbers', (language) => {
    const rules = new Intl.PluralRules(language);
    const needed = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)));
    const lacking = [...parse(textOf(language))].filter(([, pattern]) =>
      [...expressionsIn(pattern)].some((each) => {
        if (each.type !== 'select') return false;
        const forms = each.variants.map(({ key }) => String(key.value));
        return [...needed].some((form) => !forms.includes(form));
      }),
    );
    expect(lacking.map(([id]) => id)).toEqual([]);
  });

  it.each(translations)('of %s have a head that says if a native speaker has read them', (language) => {
    expect(textOf(language).split('\n').slice(0, 6).join(' ')).toMatch(/native speaker/);
  });
});

describe('say', () => {
  it('writes numbers and plurals, and is English without a language or with one that has no catalog', () => {
    expect(say('phones', { count: 1 })).toBe('1 phone');
    expect(speaking(undefined, () => say('phones', { count: 1234 }))).toBe('1,234 phones');
    expect(speaking('xx', () => say('phones', { count: 0 }))).toBe('0 phones');
  });

  it('knows no message of another id', () => {
    expect(sayIf('status-constructor')).toBeUndefined();
  });

  it('keeps the language of an answer while it waits, next to another answer', async () => {
    const answer = async (): Promise<string> => {
      await Promise.resolve();
      return say('phones', { count: 2 });
    };
    const [own, other] = await Promise.all([speaking('en', answer), speaking('xx', answer)]);
    expect([own, other]).toEqual(['2 phones', '2 phones']);
  });
});
