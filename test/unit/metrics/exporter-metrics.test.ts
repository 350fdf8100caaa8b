import { describe, expect, it } from 'vitest';
import { type AccountMetrics, createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { FAILURE_REASONS } from '../../../src/model/enums.ts';

const BUILD = { version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' };

/** The lines of one family after an account reported something. */
async function shown(family: string, report: (account: AccountMetrics) => void = () => {}) {
  const metrics = createExporterMetrics(BUILD);
  const account = metrics.forAccount('main');
  account.connected();
  report(account);
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith(`hoster_exporter_${family}`));
}

describe('the counters of an account', () => {
  it('do not exist before its connection is opened', async () => {
    const metrics = createExporterMetrics(BUILD);
    metrics.forAccount('main');
    expect(await metrics.text()).not.toContain('account="main"');
  });

  it('exist at 0 with all values of their labels from then on', async () => {
    expect(
      await shown('schema_violations_total', ({ on }) => on({ kind: 'schemaViolation', endpoint: 'tunnel' })),
    ).toEqual([
      'hoster_exporter_schema_violations_total{account="main",api="devices"} 0',
      'hoster_exporter_schema_violations_total{account="main",api="tunnel"} 1',
      'hoster_exporter_schema_violations_total{account="main",api="balance"} 0',
    ]);
    const failures = await shown('api_request_failures_total');
    expect(failures).toHaveLength(FAILURE_REASONS.length);
    expect(failures.every((line) => /api="devices".* 0$/.test(line))).toBe(true);
  });

  it('go on with a new connection', async () => {
    const report = ({ connected, keyFileError }: AccountMetrics): void => {
      keyFileError();
      connected();
    };
    expect(await shown('key_file_errors_total', report)).toEqual([
      'hoster_exporter_key_file_errors_total{account="main"} 1',
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

  it('forget every series of one account, and keep those of another', async () => {
    const metrics = createExporterMetrics(BUILD);
    metrics.forAccount('gone').on({ kind: 'responded', endpoint: 'devices', status: 200, seconds: 0.1 });
    metrics.forAccount('kept').on({ kind: 'responded', endpoint: 'devices', status: 200, seconds: 0.1 });
    await metrics.forget('gone');
    const text = await metrics.text();
    expect(text).not.toContain('account="gone"');
    expect(text).toContain('hoster_exporter_api_requests_total{account="kept",api="devices",code="200"} 1');
  });

  it('have no gauge of unknown value', async () => {
    const text = await createExporterMetrics(BUILD).text();
    expect(text).not.toMatch(/^hoster_exporter_(config|state|series)\w* /m);
  });
});
