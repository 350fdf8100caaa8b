import { describe, expect, it } from 'vitest';
import { readPage } from '../../faults/page.ts';
import { ALL_FEATURES, familiesOf } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';
import { FLEET_OF_EVERYTHING } from '../metrics/fleet-of-everything.ts';

const FAMILIES = familiesOf(ALL_FEATURES);
const PLAIN = plainExposition(FAMILIES, FLEET_OF_EVERYTHING);

const UP = '# HELP up Whether it is up.\n# TYPE up gauge\n';

describe('the strict reader', () => {
  it('parses every sample of the plain renderer', () => {
    const { families } = readPage(PLAIN);
    const samples = [...families.values()].flatMap((family) => [...family.keys()]);
    const printed = PLAIN.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(samples).toEqual(printed.map((line) => line.slice(0, line.lastIndexOf(' '))));
    expect([...families.keys()]).toEqual(FAMILIES.map(({ name }) => name));
  });

  it.each([
    [`${UP}up 1`, 'the page does not end with a line feed'],
    ['up 1\n', 'the page does not begin with a HELP line'],
    ['# HELP up \nup 1\n', 'no HELP line'],
    ['# HELP up Up.\nup 1\n', 'no TYPE line'],
    ['# HELP up Up.\n# TYPE down gauge\n', 'TYPE does not follow HELP'],
    [`${UP}${UP}`, 'a family in two places'],
    [`${UP}up 1\nup 1\n`, 'a series twice'],
    [`${UP}up{a="1"} 1\nup{a="1"} 2\n`, 'a series twice'],
    [`${UP}up{a="1",a="2"} 1\n`, 'a label twice'],
    [`${UP}down 1\n`, 'not of the family up'],
    [`${UP}up_total 1\n`, 'not of the family up'],
    [`${UP}up{a="1",} 1\n`, 'no sample'],
    [`${UP}up{a="\\d"} 1\n`, 'no sample'],
    [`${UP}up{a="b"c"} 1\n`, 'no sample'],
    [`${UP}up{a="b\n"} 1\n`, 'no sample'],
    [`${UP}up undefined\n`, 'no sample'],
    [`${UP}up Nan\n`, 'no sample'],
    [`${UP}up 1 1700000000000\n`, 'no sample'],
    [`${UP}up{a="\uD800"} 1\n`, 'the page holds an unpaired surrogate'],
  ])('refuses %j', (text, complaint) => {
    expect(() => readPage(text)).toThrow(complaint);
  });
});
