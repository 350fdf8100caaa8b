import { expect, it } from 'vitest';
import { COLLECTORS, ENDPOINTS, FAILURE_REASONS } from '../../../src/model/enums.ts';
import { startHarness } from '../../faults/harness.ts';
import { observe, series } from '../../faults/invariants.ts';

it('every counter of failures by reason is exposed as 0 before the first poll', async () => {
  const harness = await startHarness();
  const { page } = await observe(harness);
  await harness.close();
  const counters = FAILURE_REASONS.flatMap((reason) => [
    ...ENDPOINTS.map((endpoint) =>
      series('hoster_exporter_api_request_failures_total', { endpoint, reason }),
    ),
    ...COLLECTORS.map((collector) => series('hoster_exporter_poll_failures_total', { collector, reason })),
  ]);
  expect(counters.filter((counter) => page.value(counter) !== 0)).toEqual([]);
});
