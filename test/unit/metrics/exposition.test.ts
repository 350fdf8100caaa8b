import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../src/metrics/catalog.ts';
import { createExposition } from '../../../src/metrics/exposition.ts';
import { createSelfMetrics } from '../../../src/metrics/self.ts';
import { viewOf } from '../../../src/metrics/view.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, healthyDevice } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { USUAL_FEATURES } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';

const FAMILIES = catalog(USUAL_FEATURES);

function snapshotOf(phones: number, heartbeatAgeSeconds: number): Snapshot {
  const devices = Array.from({ length: phones }, (_, index) =>
    fleetDevice(healthyDevice({ id: `phone-${index}` }), { heartbeatAgeSeconds }),
  );
  return { accounts: [accountOf({ devices: freshReading(fleetOf(...devices)) })] };
}

/** An exposition whose clock moves on by `step` milliseconds with each look, and whose pauses can be made to last. */
function setUp(step = 0) {
  const clock = createFakeClock();
  const monotonic = (): number => {
    clock.advance(step);
    return clock.monotonic();
  };
  const self = createSelfMetrics({ version: '1.2.3', revision: 'test', nodeVersion: 'v20.18.1' }, [
    '/metrics',
  ]);
  let pauses = 0;
  let held = false;
  let resume = (): void => {};
  const pause = async (): Promise<void> => {
    pauses += 1;
    if (!held) return;
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
  };
  const exposition = createExposition(FAMILIES, self, { ...clock, monotonic }, pause);
  return {
    clock,
    self,
    exposition,
    pauses: () => pauses,
    hold: () => {
      held = true;
    },
    release: () => {
      held = false;
      resume();
    },
    text: async (): Promise<string> => {
      const { chunks, length, textLength } = await exposition.scrape();
      const bytes = Buffer.concat(chunks);
      const text = gunzipSync(bytes);
      expect([bytes.length, text.length]).toEqual([length, textLength]);
      return text.toString();
    },
  };
}

describe('a scrape', () => {
  it('shows the snapshot, and our own metrics behind it', async () => {
    const { exposition, text } = setUp();
    const snapshot = snapshotOf(300, 10);
    exposition.show(snapshot);
    await exposition.settled();
    const expected = plainExposition(FAMILIES, viewOf(snapshot));
    const page = await text();
    expect(page.slice(0, expected.length)).toBe(expected);
    expect(page.slice(expected.length)).toMatch(/^# HELP hoster_exporter_.*^process_cpu_seconds_total \d/ms);
  });

  it('before the first snapshot shows our own metrics alone', async () => {
    const { text } = setUp();
    expect(await text()).toMatch(/^# HELP hoster_exporter_build_info /);
  });

  it('shows our own counters as of now', async () => {
    const { self, text } = setUp();
    self.httpAnswered('/metrics', 200);
    expect(await text()).toContain('hoster_exporter_http_requests_total{path="/metrics",code="200"} 1\n');
    self.httpAnswered('/metrics', 200);
    expect(await text()).toContain('hoster_exporter_http_requests_total{path="/metrics",code="200"} 2\n');
  });

  it('while a page is rendered shows the old one, whole, and then the new one', async () => {
    const { exposition, text, hold, release } = setUp(10);
    const [old, next] = [snapshotOf(300, 10), snapshotOf(300, 40)];
    exposition.show(old);
    await exposition.settled();
    hold();
    exposition.show(next);
    expect(await text()).toContain(plainExposition(FAMILIES, viewOf(old)));
    release();
    await exposition.settled();
    expect(await text()).toContain(plainExposition(FAMILIES, viewOf(next)));
  });
});

describe('a page', () => {
  it('is not rendered for a snapshot that was overtaken', async () => {
    const { exposition, text, hold, release } = setUp(10);
    hold();
    for (const age of [10, 20, 30]) exposition.show(snapshotOf(300, age));
    release();
    await exposition.settled();
    const page = await text();
    expect(page).toContain('hoster_exporter_page_render_duration_seconds_count 2\n');
    expect(page).toContain(plainExposition(FAMILIES, viewOf(snapshotOf(300, 30))));
  });

  it('gives the event loop back after each batch that took long', async () => {
    const { exposition, pauses } = setUp(2);
    exposition.show(snapshotOf(1_000, 10));
    await exposition.settled();
    expect(pauses()).toBeGreaterThan(100);
  });

  it('is rendered in one go where no time passes', async () => {
    const { exposition, pauses } = setUp();
    exposition.show(snapshotOf(1_000, 10));
    await exposition.settled();
    expect(pauses()).toBe(0);
  });

  it('is followed, a second later, by our own counters, ahead of the next scrape', async () => {
    const { clock, exposition, pauses } = setUp();
    exposition.show(snapshotOf(1, 10));
    await exposition.settled();
    expect(pauses()).toBe(0);
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(pauses()).toBeGreaterThan(0);
  });
});
