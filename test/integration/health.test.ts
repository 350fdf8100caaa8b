import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type Daemon, startDaemon } from '../../src/daemon/daemon.ts';
import { CONFIG_SCHEMA } from '../../src/features.ts';
import type { Scheduler } from '../../src/poll/schedule.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock } from '../fake-clock.ts';
import { get } from '../process.ts';

const SECOND = 1_000;

let daemon: Daemon | undefined;
let api: Server | undefined;

afterEach(async () => {
  await daemon?.stop();
  api?.closeAllConnections();
  api?.close();
});

/** An API that says this to every request, or nothing at all. */
async function startApi(status: number | undefined): Promise<string> {
  const server = createServer((_, response) => {
    if (status !== undefined) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = server;
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

type Options = {
  readonly status?: number;
  readonly listenAddress?: string;
  readonly intervalSeconds?: number;
  readonly timeout?: string;
};

/** A daemon on a clock that stands still, at an API that misbehaves; its schedule ticks when it is told to. */
async function start(options: Options = {}) {
  const { status, listenAddress = '127.0.0.1:0', intervalSeconds = 30, timeout = '15s' } = options;
  const clock = createFakeClock();
  const lines: string[] = [];
  const ticks: (() => void)[] = [];
  const scheduler: Scheduler = (_, tick) => {
    const gap = intervalSeconds * 1000;
    ticks.push(tick);
    return { intervalSeconds, shortestGap: gap, untilNext: () => gap, start: () => {}, stop: () => {} };
  };
  const { config } = loadConfig({
    schema: CONFIG_SCHEMA,
    flags: new Map([
      ['accounts[].api_url', await startApi(status)],
      ['web.listen_address', listenAddress],
      ['client.timeout', timeout],
    ]),
    environment: { HOSTER_API_KEY: 'test-key' },
    readFile: () => '',
    accounts: 'required',
  });
  const log = createLog({
    level: 'warn',
    format: 'logfmt',
    destination: { write: (line) => lines.push(line) },
  });
  const started = await startDaemon(config, dependenciesOf({ clock, scheduler, log }));
  daemon = started;
  // The first polls begin after the keys were read again.
  await new Promise(setImmediate);
  const port = /\d+$/.exec(started.url)?.[0];
  const statusOf = async (path: string) => (await get(`http://127.0.0.1:${port}${path}`)).status;
  const tick = (): void => {
    for (const each of ticks) each();
  };
  return { clock, lines, port, tick, firstRound: started.firstRound, statusOf };
}

describe('an exporter whose API hangs', () => {
  it('is ready after half a minute, however long its interval and its timeout', async () => {
    const { clock, statusOf } = await start({ intervalSeconds: 3_600, timeout: '5m' });
    clock.advance(29 * SECOND);
    expect(await statusOf('/-/ready')).toBe(503);
    clock.advance(SECOND);
    expect(await statusOf('/-/ready')).toBe(200);
  });

  it('is healthy as long as its schedule runs', async () => {
    const { clock, tick, statusOf } = await start();
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(60 * SECOND);
      tick();
    }
    expect(await statusOf('/-/healthy')).toBe(200);
  });

  it('is unhealthy when its schedule stops', async () => {
    const { clock, port, statusOf } = await start();
    clock.advance(60 * SECOND);
    expect(await statusOf('/-/healthy')).toBe(200);
    clock.advance(120 * SECOND);
    const { status, body } = await get(`http://127.0.0.1:${port}/-/healthy`);
    expect([status, body.split('\n')[0]]).toEqual([503, 'polling has stalled: restart the exporter']);
    expect(body).toMatch(/^no poll of the devices of default has ended for \d+ s$/m);
  });
});

describe('an exporter whose key is refused', () => {
  it('is ready at once, and healthy for hours in which it polls nothing', async () => {
    const { clock, tick, firstRound, statusOf } = await start({ status: 403 });
    await firstRound;
    expect(await statusOf('/-/ready')).toBe(200);
    for (let minute = 0; minute < 180; minute += 1) {
      clock.advance(60 * SECOND);
      tick();
    }
    expect(await statusOf('/-/healthy')).toBe(200);
  });
});

describe('an exporter that is reachable without authentication', () => {
  const WARNING = /anyone who can reach this address can read the fleet and the balance/;

  it('logs a warning at the start', async () => {
    const { lines } = await start({ listenAddress: ':0' });
    expect(lines.join('')).toMatch(WARNING);
  });

  it('logs no warning where it listens on the loopback address only', async () => {
    const { lines } = await start();
    expect(lines.join('')).not.toMatch(WARNING);
  });
});
