import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../faults/catalogue.ts';
import { FAULT_GROUPS } from '../../faults/effects/fault-groups.ts';
import { failuresDocument } from './failures.ts';

describe('docs/FAILURES.md', () => {
  it('is current: run `npm run docs` after a change of the symptoms', async () => {
    await expect(failuresDocument()).toMatchFileSnapshot('../../../docs/FAILURES.md');
  });

  it('has every fault of the catalogue once, and no other', () => {
    const documented = FAULT_GROUPS.flatMap(({ effects }) => Object.keys(effects));
    expect(documented.toSorted()).toEqual(CATALOGUE.map(({ name }) => name).toSorted());
  });
});

describe('the catalogue of faults', () => {
  it('has each name once, over the switchboard and the gateway', () => {
    const names = CATALOGUE.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
