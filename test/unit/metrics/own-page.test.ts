import { gunzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createInstrumentKit, type SelfFamily } from '../../../src/metrics/instrument-kit.ts';
import { createOwnPage } from '../../../src/metrics/own-page.ts';
import { EMPTY_RUN, extend, gzipBody } from '../../../src/metrics/stretch.ts';

function setUp() {
  const registry = new Registry();
  const page = createOwnPage(registry);
  const families: SelfFamily[] = [];
  const kit = createInstrumentKit(registry, {
    declare: (family) => families.push(family),
    changed: page.changed,
  });
  const text = async (): Promise<string> => {
    const run = extend(EMPTY_RUN, await page.stretches(families));
    return gunzipSync(Buffer.concat(gzipBody(run).chunks)).toString();
  };
  return {
    registry,
    kit,
    text,
    stretches: () => page.stretches(families),
    refresh: (pause: () => Promise<void>) => page.refresh(families, pause),
  };
}

describe('the page of our own instruments', () => {
  it('prints what prom-client prints', async () => {
    const { registry, kit, text } = setUp();
    kit.gauge('plain', 'A gauge.').set({}, 1.5);
    kit.counter('failures_total', 'A "counter" \\ of\nlines.', 'account', 'reason').inc({
      account: 'say "hi" \\ two\nlines',
      reason: 'timeout',
    });
    const histogram = kit.histogram('seconds', 'A histogram.', [0.1, 1], 'account');
    histogram.observe({ account: 'main' }, 0.5);
    histogram.zero({ account: 'other' });
    const lines = (printed: string) => printed.split('\n').filter((line) => line !== '');
    expect(lines(await text())).toEqual(lines(await registry.metrics()));
  });

  it('prints an instrument anew when it has changed, and only then', async () => {
    const { kit, stretches } = setUp();
    const changing = kit.counter('changing_total', 'A counter.');
    kit.gauge('still', 'A gauge.').set({}, 1);
    const before = await stretches();
    changing.inc({});
    const after = await stretches();
    expect(after.map((stretch, index) => stretch === before[index])).toEqual([false, true]);
  });

  it('shows a change that comes while it is being printed in the next scrape at the latest', async () => {
    const { kit, text } = setUp();
    const counter = kit.counter('events_total', 'A counter.');
    counter.inc({});
    const underWay = text();
    counter.inc({});
    await underWay;
    expect(await text()).toContain('hoster_exporter_events_total 2\n');
  });

  it('can be printed ahead, with a pause after each instrument that changed', async () => {
    const { kit, text, stretches, refresh } = setUp();
    const changing = kit.counter('changing_total', 'A counter.');
    kit.gauge('still', 'A gauge.').set({}, 1);
    await stretches();
    changing.inc({});
    let pauses = 0;
    await refresh(async () => {
      pauses += 1;
    });
    expect(pauses).toBe(1);
    changing.inc({});
    expect(await text()).toContain('hoster_exporter_changing_total 2\n');
  });

  it('is whole for an instrument that is long enough to be compressed', async () => {
    const { kit, text } = setUp();
    const counter = kit.counter('events_total', 'A counter.', 'account');
    for (let account = 0; account < 1_000; account += 1) counter.inc({ account: `account-${account}` });
    expect((await text()).match(/^hoster_exporter_events_total\{/gm)?.length).toBe(1_000);
  });

  it('has no gauge that nobody has set', async () => {
    const { kit, text } = setUp();
    const gauge = kit.gauge('plain', 'A gauge.');
    expect(await text()).not.toMatch(/^hoster_exporter_plain/m);
    gauge.set({}, 0);
    expect(await text()).toMatch(/^hoster_exporter_plain 0$/m);
  });

  it('forgets every series of an account, and no other', async () => {
    const { kit, text } = setUp();
    const series = kit.counter('requests_total', 'A counter.', 'endpoint', 'account', 'code');
    const gauge = kit.gauge('skew', 'A gauge.', 'account');
    const histogram = kit.histogram('seconds', 'A histogram.', [1], 'account', 'collector');
    const other = kit.counter('others_total', 'A counter.', 'path');
    for (const account of ['main', 'gone']) {
      series.inc({ account, endpoint: 'devices', code: 200 });
      series.inc({ account, endpoint: 'balance', code: 503 });
      gauge.set({ account }, 1);
      histogram.observe({ account, collector: 'devices' }, 0.5);
    }
    other.inc({ path: 'gone' });
    const before = await text();
    await kit.forget('gone');
    const kept = before.split('\n').filter((line) => !line.includes('account="gone"'));
    expect((await text()).split('\n')).toEqual(kept);
    expect(before.match(/account="gone"/g)).toHaveLength(7);
    await kit.forget('never there');
  });
});
