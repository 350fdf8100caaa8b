import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createSelfMetrics } from '../../../src/metrics/self.ts';
import { EMPTY_RUN, extend, gzipBody } from '../../../src/metrics/stretch.ts';
import { NOON } from '../../builders.ts';

/** What is shown of the client of one account after it told something: the samples of one family. */
async function shown(family: string, tell: (account: ReturnType<Self['forAccount']>) => void = () => {}) {
  const self = createSelfMetrics({ version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' }, []);
  tell(self.forAccount('main'));
  const run = extend(EMPTY_RUN, await self.stretches());
  const text = gunzipSync(Buffer.concat(gzipBody(run).chunks)).toString();
  return text.split('\n').filter((line) => line.startsWith(`hoster_exporter_api_${family}`));
}

type Self = ReturnType<typeof createSelfMetrics>;

describe('the metrics of a client', () => {
  it('show a closed circuit for each endpoint at first', async () => {
    const lines = await shown('circuit_state');
    expect(lines).toHaveLength(9);
    expect(lines.filter((line) => line.endsWith(' 1'))).toEqual(
      ['devices', 'tunnel', 'balance'].map(
        (endpoint) =>
          `hoster_exporter_api_circuit_state{account="main",endpoint="${endpoint}",state="closed"} 1`,
      ),
    );
  });

  it('show the one present state of each circuit', async () => {
    const lines = await shown('circuit_state', ({ circuit }) => {
      circuit('tunnel', 'open');
      circuit('tunnel', 'half_open');
      circuit('balance', 'open');
    });
    const present = lines
      .filter((line) => line.endsWith(' 1'))
      .map((line) => line.replace(/.*endpoint=/, ''));
    expect(present).toEqual([
      '"devices",state="closed"} 1',
      '"tunnel",state="half_open"} 1',
      '"balance",state="open"} 1',
    ]);
  });

  it('count retries from 0 on', async () => {
    expect(await shown('retries_total', ({ retried }) => retried('tunnel'))).toEqual([
      'hoster_exporter_api_retries_total{account="main",endpoint="devices"} 0',
      'hoster_exporter_api_retries_total{account="main",endpoint="tunnel"} 1',
      'hoster_exporter_api_retries_total{account="main",endpoint="balance"} 0',
    ]);
  });

  it('show the end of a pause in seconds, and none before the first', async () => {
    expect(await shown('throttled_until')).toEqual([]);
    expect(await shown('throttled_until', ({ throttledUntil }) => throttledUntil(NOON + 1_500))).toEqual([
      `hoster_exporter_api_throttled_until_timestamp_seconds{account="main"} ${NOON / 1000 + 1.5}`,
    ]);
  });

  it('show how many requests may be under way', async () => {
    expect(await shown('concurrency_limit', ({ concurrencyLimit }) => concurrencyLimit(4))).toEqual([
      'hoster_exporter_api_concurrency_limit{account="main"} 4',
    ]);
  });
});
