import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countByGroup } from '../../../src/metrics/rows/sums.ts';
import type { FleetDevice } from '../../../src/model/fleet.ts';
import { isOnline, PROBLEMS, type Problem } from '../../../src/model/problem.ts';
import { fleetDevice, fleetOf, healthyDevice } from '../../builders.ts';

/** Phones by group and problem; undefined for none. */
const PHONES = fc.array(
  fc.record({
    group: fc.constantFrom('', 'rack-01', 'rack-02'),
    problem: fc.constantFrom<(Problem | undefined)[]>(undefined, ...PROBLEMS),
  }),
  { maxLength: 40 },
);

function countsOf(phones: readonly { readonly group: string; readonly problem: Problem | undefined }[]) {
  const devices = phones.map(
    ({ group }, index): FleetDevice => ({ ...fleetDevice(healthyDevice({ id: `p${index}` })), group }),
  );
  const problems = new Map(
    phones.flatMap(({ problem }, index) =>
      problem === undefined ? [] : [[`p${index}`, { problem, since: 0 }] as const],
    ),
  );
  return countByGroup(fleetOf(...devices), { problems });
}

describe('the phones of groups', () => {
  it('are each in one state, which add up to the fleet and to those that are online', () => {
    fc.assert(
      fc.property(PHONES, (phones) => {
        const groups = [...countsOf(phones).values()];
        const all = groups.flatMap((counts) => Object.values(counts));
        expect(all.reduce((sum, count) => sum + count, 0)).toBe(phones.length);
        expect(groups.reduce((sum, { online }) => sum + online, 0)).toBe(
          phones.filter(({ problem }) => isOnline(problem)).length,
        );
      }),
    );
  });

  it('have at most six states a group, also without a phone in it', () => {
    fc.assert(
      fc.property(PHONES, (phones) => {
        for (const counts of countsOf(phones).values()) expect(Object.keys(counts)).toHaveLength(5);
      }),
    );
  });

  it('that are sold and offline are apart from the other offline ones', () => {
    const counts = countsOf([
      { group: 'a', problem: 'sold_offline' },
      { group: 'a', problem: 'self_rented_offline' },
      { group: 'a', problem: 'given_up' },
      { group: 'a', problem: 'in_maintenance' },
      { group: 'a', problem: 'tunnel_down' },
    ]).get('a');
    expect(counts).toEqual({ online: 1, sold_offline: 1, offline: 1, maintenance: 1, out_of_service: 1 });
  });
});
