import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/base/clock.ts';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { createExposition } from '../../../src/metrics/exposition.ts';
import type { Page } from '../../../src/metrics/page.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, healthyDevice, snapshotOf } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { familiesOf, USUAL_FEATURES } from '../../features.ts';
import { plainExposition } from '../../oracle.ts';

const FAMILIES = familiesOf(USUAL_FEATURES);

function fleetSnapshot(phones: number, heartbeatAgeSeconds: number): Snapshot {
  const devices = Array.from({ length: phones }, (_, index) =>
    fleetDevice(healthyDevice({ id: `phone-${index}` }), { heartbeatAgeSeconds }),
  );
  return snapshotOf(accountOf({ devices: freshReading(fleetOf(...devices)) }));
}

function setUp() {
  const build = { version: '1.2.3', revision: 'test', nodeVersion: 'v20.18.1' };
  const metrics = createExporterMetrics(build);
  const rendered: Pick<Page, 'series'>[] = [];
  const clock = createFakeClock();
  const exposition = createExposition(
    FAMILIES,
    { text: metrics.text, pageRendered: (page) => rendered.push(page) },
    clock,
    yieldToEventLoop,
  );
  const text = async (): Promise<string> => {
    const { chunks, length, textLength } = await exposition.scrape();
    const bytes = Buffer.concat(chunks);
    const unpacked = gunzipSync(bytes);
    expect([bytes.length, unpacked.length]).toEqual([length, textLength]);
    return unpacked.toString();
  };
  return { clock, metrics, exposition, text, rendered };
}

describe('a scrape', () => {
  it('shows the snapshot, and our own metrics behind it', async () => {
    const { exposition, text } = setUp();
    const snapshot = fleetSnapshot(300, 10);
    exposition.show(snapshot);
    await exposition.settled();
    const expected = plainExposition(FAMILIES, snapshot);
    const page = await text();
    expect(page.slice(0, expected.length)).toBe(expected);
    expect(page.slice(expected.length)).toMatch(/^# HELP hoster_exporter_.*^process_cpu_seconds_total \d/ms);
  });

  it('waits for the first page instead of showing our own metrics alone', async () => {
    const { exposition, text } = setUp();
    const snapshot = fleetSnapshot(300, 10);
    exposition.show(snapshot);
    expect((await text()).startsWith(plainExposition(FAMILIES, snapshot))).toBe(true);
  });

  it('before the first snapshot shows our own metrics alone', async () => {
    const { text } = setUp();
    expect(await text()).toMatch(/^# HELP hoster_exporter_build_info /);
  });

  it('shows our own counters as of a second ago at most', async () => {
    const { clock, metrics, text } = setUp();
    metrics.httpResponded('/metrics', 200);
    const first = 'hoster_exporter_http_requests_total{path="/metrics",code="200"} 1\n';
    expect(await text()).toContain(first);
    metrics.httpResponded('/metrics', 200);
    clock.advance(999);
    expect(await text()).toContain(first);
    clock.advance(1);
    expect(await text()).toContain('hoster_exporter_http_requests_total{path="/metrics",code="200"} 2\n');
  });

  it('shows the old page, whole, until the new one is complete', async () => {
    const { exposition, text } = setUp();
    const [old, next] = [fleetSnapshot(2_000, 10), fleetSnapshot(2_000, 40)];
    exposition.show(old);
    await exposition.settled();
    exposition.show(next);
    expect(await text()).toContain(plainExposition(FAMILIES, old));
    await exposition.settled();
    expect(await text()).toContain(plainExposition(FAMILIES, next));
  });
});

describe('a page of metrics', () => {
  it('is given up for a newer snapshot', async () => {
    const { exposition, text, rendered } = setUp();
    for (const age of [10, 20, 30]) exposition.show(fleetSnapshot(300, age));
    await exposition.settled();
    expect(rendered).toHaveLength(1);
    expect(await text()).toContain(plainExposition(FAMILIES, fleetSnapshot(300, 30)));
  });

  it('is completed now and then, however often the snapshot changes', async () => {
    const { exposition, rendered } = setUp();
    let age = 0;
    while (rendered.length < 3) {
      age += 1;
      exposition.show(fleetSnapshot(300, age));
      await yieldToEventLoop();
    }
    await exposition.settled();
    expect(rendered.length).toBeLessThan(age);
  });
});
