import { expect, it } from 'vitest';
import { COLLECTORS, FAILURE_REASONS } from '../../../src/model/enums.ts';
import { startHarness } from '../../faults/harness.ts';
import { observe, series } from '../../faults/invariants.ts';

it('every reason of a failure is exposed as 0 before the first poll', async () => {
  const harness = await startHarness();
  const { page } = await observe(harness);
  await harness.close();
  const counters = [
    ...FAILURE_REASONS.map((reason) =>
      series('hoster_exporter_api_request_failures_total', { api: 'devices', reason }),
    ),
    ...COLLECTORS.map((collector) => series('hoster_exporter_poll_failures_total', { collector })),
  ];
  expect(counters.filter((counter) => page.value(counter) !== 0)).toEqual([]);
});
