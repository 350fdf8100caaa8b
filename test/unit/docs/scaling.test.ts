import { describe, expect, it } from 'vitest';
import { ALL_FEATURES, USUAL_FEATURES } from '../../features.ts';
import { MEASURED_MEMORY } from '../../measured-memory.ts';
import { load } from '../config/sources.ts';
import { costsOf, planFor } from './costs.ts';
import { inputOf, SIZES, scalingDocument } from './scaling.ts';

const costs = await costsOf(load({}).config.features);

describe('docs/SCALING.md', () => {
  it('is current: run `npm run docs` after a change of the figures', async () => {
    await expect(scalingDocument(costs)).toMatchFileSnapshot('../../../docs/SCALING.md');
  });

  it.each(SIZES.map((size) => [size.phones, size] as const))(
    'recommends settings that fit %i phones',
    (_, size) => {
      const { durations, busy } = planFor(inputOf(size), costs);
      expect(durations.devices.ideal).toBeLessThanOrEqual(durations.devices.allowed);
      expect(durations.tunnels.ideal).toBeLessThanOrEqual(durations.tunnels.allowed);
      expect(busy).toBeLessThan(0.8);
    },
  );
});

/** Each series of a phone takes memory and disk of every Prometheus. */
const MAX_PHONE_SERIES = 13;

describe('the costs', () => {
  it(`are at most ${MAX_PHONE_SERIES} series for a phone that is not self-rented, and 130 of the exporter for an account`, () => {
    expect(costs.phone.series, 'the budget; CONTRIBUTING.md says when to raise it').toBeLessThanOrEqual(
      MAX_PHONE_SERIES,
    );
    expect(costs.ownAccount).toBeLessThanOrEqual(130);
  });

  it('grow with more features for a self-rent alone', async () => {
    const [usual, all] = [await costsOf(USUAL_FEATURES), await costsOf(ALL_FEATURES)];
    expect(all.selfRent.series - usual.selfRent.series).toBe(2);
    expect(all.phone).toEqual(usual.phone);
  });

  it('allow for more memory than was measured, and for twice as much at most', () => {
    expect([...MEASURED_MEMORY.keys()]).toEqual([40, 1_000, 10_000, 100_000]);
    for (const [phones, { peak }] of MEASURED_MEMORY) {
      const { memoryBytes } = planFor(
        inputOf({ phones, concurrency: 8, devices: 30, tunnels: 30 }),
        costs,
      ).process;
      expect(memoryBytes).toBeGreaterThan(peak);
      expect(memoryBytes).toBeLessThan(2 * peak);
    }
  });
});
