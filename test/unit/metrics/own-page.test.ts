import { gunzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createInstrumentKit, type SelfFamily } from '../../../src/metrics/instrument-kit.ts';
import { createOwnPage } from '../../../src/metrics/own-page.ts';
import { EMPTY_RUN, extend, gzipBody } from '../../../src/metrics/stretch.ts';

function setUp() {
  const registry = new Registry();
  const families: SelfFamily[] = [];
  const page = createOwnPage(registry, families);
  const kit = createInstrumentKit(registry, {
    declare: (family) => families.push(family),
    changed: page.changed,
  });
  const text = async (): Promise<string> => {
    const run = extend(EMPTY_RUN, [await page.stretch()]);
    return gunzipSync(Buffer.concat(gzipBody(run).chunks)).toString();
  };
  return {
    registry,
    kit,
    text,
    stretch: page.stretch,
    refresh: page.refresh,
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
    histogram.observer({ account: 'main' })(0.5);
    histogram.zero({ account: 'other' });
    const lines = (printed: string) => printed.split('\n').filter((line) => line !== '');
    expect(lines(await text())).toEqual(lines(await registry.metrics()));
  });

  it('is made anew when an instrument has changed, and only then', async () => {
    const { kit, stretch } = setUp();
    const counter = kit.counter('changing_total', 'A counter.');
    const first = await stretch();
    expect(await stretch()).toBe(first);
    counter.inc({});
    expect(await stretch()).not.toBe(first);
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

  it('can be printed ahead, with a pause after each instrument that was not', async () => {
    const { kit, text, refresh } = setUp();
    const changing = kit.counter('changing_total', 'A counter.');
    kit.gauge('still', 'A gauge.').set({}, 1);
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    await text();
    await refresh(pause);
    expect(pauses).toBe(2);
    changing.inc({});
    await refresh(pause);
    expect(pauses).toBe(3);
    changing.inc({});
    expect(await text()).toContain('hoster_exporter_changing_total 2\n');
  });

  it('shows a change that comes while it is printed ahead', async () => {
    const { kit, text, refresh } = setUp();
    const counter = kit.counter('events_total', 'A counter.');
    counter.inc({});
    const underWay = refresh(async () => {});
    counter.inc({});
    await underWay;
    expect(await text()).toContain('hoster_exporter_events_total 2\n');
  });

  it('is compressed where it is printed ahead and long, and whole either way', async () => {
    const { kit, text, stretch, refresh } = setUp();
    const counter = kit.counter('events_total', 'A counter.', 'account');
    for (let account = 0; account < 1_000; account += 1) counter.inc({ account: `account-${account}` });
    const printed = await text();
    const stored = await stretch();
    await refresh(async () => {});
    const compressed = await stretch();
    expect(printed.match(/^hoster_exporter_events_total\{/gm)?.length).toBe(1_000);
    expect(await text()).toBe(printed);
    expect(compressed.textBytes).toBe(stored.textBytes);
    expect(compressed.deflated.length).toBeLessThan(stored.deflated.length / 5);
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
      histogram.observer({ account, collector: 'devices' })(0.5);
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
