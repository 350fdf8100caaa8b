import { describe, expect, it } from 'vitest';
import { best, findGroups, findPhones, findTargets, targetsIn } from '../../../src/fleet/find.ts';
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
    ['lodz', 'Łódź'],
    ['buro', 'Büro'],
    ['strasse 3', 'Straße 3'],
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

describe('a message', () => {
  const phones = ['main', 'other'].flatMap((own) =>
    ['rack-01/1', 'rack-02/6', 'rack-02/7'].map((label) =>
      phone({ id: `${own}-${label}`, account: own, label, group: label.slice(0, 7) }),
    ),
  );
  const one = fleet({ phones: phones.filter(({ account }) => account === 'main') });
  const two = fleet({ phones, accounts: [accountOf({ name: 'main' }), accountOf({ name: 'other' })] });

  it.each([
    ['[CRITICAL] Outage: rack-01, 4 sold phones offline', ['rack-01']],
    [
      '[WARNING] Outage: rack-01 (2 in total)\n- Outage: rack-01\n- rack-02/6: offline',
      ['rack-01', 'rack-02/6'],
    ],
    ['rack-02: 2 phones, 0 online\nrack-02/6: Sold, offline', ['rack-02']],
    ['At 12:28: rack-02: 2 phones\nOutage: rack-01', ['rack-02']],
    ['rack-02/6 Samsung\nOutage: rack-02 (2 of 2 phones offline)', ['rack-02/6']],
    ['rack-02/6: battery swollen\nrack-02/7: new SIM', ['rack-02/6', 'rack-02/7']],
  ])('%j is about %j', (message, titles) => {
    expect(targetsIn(one, message).map(({ title }) => title)).toEqual(titles);
  });

  it.each([
    ['[CRITICAL] Outage: rack-01, 4 phones (account other)', ['rack-01 of other']],
    ['[КРИТИЧНО] Збій: rack-01 (обліковий запис main)', ['rack-01 of main']],
    ['[CRITICAL] Outage: rack-01, 4 phones', ['rack-01 of main', 'rack-01 of other']],
    ['rack-02 of other: 2 phones\nrack-02/6: offline', ['rack-02 of other']],
  ])('%j is about %j where two accounts share names', (message, titles) => {
    expect(targetsIn(two, message).map(({ title }) => title)).toEqual(titles);
  });
});
