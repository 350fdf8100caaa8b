import { describe, expect, it } from 'vitest';
import { best, findGroups, findPhones, findTargets } from '../../../src/fleet/find.ts';
import { accountOf, fleet } from './fleet.ts';
import { phone } from './phone.ts';

const NAMES = ['Hà Nội', 'Đà Nẵng', 'İstanbul', 'Kraków', 'Łódź', 'Büro', 'Straße 3', 'Tromsø', 'Київ'];

const document = fleet({
  phones: NAMES.map((group, index) => phone({ id: `p${index}`, label: `${group}/1`, group })),
});

describe('a word', () => {
  it.each([
    ['ha noi', 'Hà Nội'],
    ['DA NANG', 'Đà Nẵng'],
    ['istanbul', 'İstanbul'],
    ['ISTANBUL', 'İstanbul'],
    ['krakow', 'Kraków'],
    ['lodz', 'Łódź'],
    ['buro', 'Büro'],
    ['strasse 3', 'Straße 3'],
    ['STRASSE 3', 'Straße 3'],
    ['tromso', 'Tromsø'],
    ['київ', 'Київ'],
    ['Da\u0300 Na\u0306\u0303ng', 'Đà Nẵng'],
  ])('finds without its marks and its case: %s', (word, name) => {
    expect(findGroups(document, word).map(({ item }) => item.group)).toEqual([name]);
    expect(findPhones(document, `${word}/1`).map(({ title }) => title)).toEqual([`${name}/1`]);
  });

  it('finds the name with its marks before one without', () => {
    const find = (word: string) => best(['Buro', 'Büro', 'Büro 2'], word, (name) => [name]).items;
    expect([find('büro'), find('BURO'), find('buro 2')]).toEqual([['Büro'], ['Buro'], ['Büro 2']]);
    expect(best(['Büro', 'bürö'], 'buro', (name) => [name]).items).toEqual(['Büro', 'bürö']);
  });

  it('finds an account without its marks', () => {
    const accounts = [accountOf({ name: 'Łódź' }), accountOf({ name: 'main' })];
    expect(findTargets(fleet({ accounts }), 'lodz')).toEqual([
      { title: 'all phones of Łódź', scope: { accounts: ['Łódź'] } },
    ]);
  });
});
