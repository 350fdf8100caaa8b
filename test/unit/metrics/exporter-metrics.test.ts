import { describe, expect, it } from 'vitest';
import { type AccountMetrics, createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { NOON } from '../../builders.ts';

const BUILD = { version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' };

/** The lines of one family of the API client after it reported something. */
async function shown(family: string, report: (account: AccountMetrics) => void = () => {}) {
  const metrics = createExporterMetrics(BUILD);
  const account = metrics.forAccount('main');
  account.connected();
  report(account);
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith(`hoster_exporter_api_${family}`));
}

describe('the metrics of the API client', () => {
  it('show a closed circuit for each endpoint at first', async () => {
    const lines = await shown('circuit_state');
    expect(lines).toEqual(
      ['devices', 'tunnel', 'balance'].map(
        (endpoint) =>
          `hoster_exporter_api_circuit_state{account="main",endpoint="${endpoint}",state="closed"} 1`,
      ),
    );
  });

  it('begin again with a new connection, while counters go on', async () => {
    const report = ({ circuit, throttledUntil, retried, connected }: AccountMetrics): void => {
      retried('tunnel');
      circuit('tunnel', 'open');
      throttledUntil(NOON);
      connected();
    };
    expect(await shown('throttled_until', report)).toEqual([]);
    expect((await shown('circuit_state', report)).join()).not.toContain('open');
    expect((await shown('retries_total', report)).join()).toContain('endpoint="tunnel"} 1');
  });

  it('do not exist before the connection is opened', async () => {
    const metrics = createExporterMetrics(BUILD);
    metrics.forAccount('main');
    expect(await metrics.text()).not.toContain('account="main"');
  });

  it('show the present state of each circuit alone', async () => {
    const lines = await shown('circuit_state', ({ circuit }) => {
      circuit('tunnel', 'open');
      circuit('tunnel', 'half_open');
      circuit('balance', 'open');
    });
    expect(lines.map((line) => line.replace(/.*endpoint=/, '')).toSorted()).toEqual([
      '"balance",state="open"} 1',
      '"devices",state="closed"} 1',
      '"tunnel",state="half_open"} 1',
    ]);
  });

  it('count retries from 0 on', async () => {
    expect(await shown('retries_total', ({ retried }) => retried('tunnel'))).toEqual([
      'hoster_exporter_api_retries_total{account="main",endpoint="devices"} 0',
      'hoster_exporter_api_retries_total{account="main",endpoint="tunnel"} 1',
      'hoster_exporter_api_retries_total{account="main",endpoint="balance"} 0',
    ]);
  });

  it('show the end of a backoff in seconds, and none before the first', async () => {
    expect(await shown('throttled_until')).toEqual([]);
    expect(await shown('throttled_until', ({ throttledUntil }) => throttledUntil(NOON + 1_500))).toEqual([
      `hoster_exporter_api_throttled_until_timestamp_seconds{account="main"} ${NOON / 1000 + 1.5}`,
    ]);
  });
});

describe('the exporter metrics', () => {
  it('show process and Node metrics, without the three gauges that are named like counters', async () => {
    const text = await createExporterMetrics(BUILD).text();
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).toMatch(/^nodejs_heap_size_used_bytes \d/m);
    expect(text).not.toMatch(/^# TYPE nodejs_\w+_total gauge/m);
  });

  it('forget every series of an account, and keep those of another one', async () => {
    const metrics = createExporterMetrics(BUILD);
    metrics.forAccount('gone').answered('devices', 200, 0.1);
    metrics.forAccount('kept').answered('devices', 200, 0.1);
    await metrics.forget('gone');
    const text = await metrics.text();
    expect(text).not.toContain('account="gone"');
    expect(text).toContain(
      'hoster_exporter_api_requests_total{account="kept",endpoint="devices",code="200"} 1',
    );
  });

  it('have no gauge of unknown value', async () => {
    const text = await createExporterMetrics(BUILD).text();
    expect(text).not.toMatch(/^hoster_exporter_(config|state|series)\w* /m);
  });
});
