import { readdirSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import type { LoadedConfig } from '../../src/daemon/accounts.ts';
import { createMonitor, type Monitor } from '../../src/daemon/monitor.ts';
import { dependenciesOf } from '../dependencies.ts';
import { success, wireBalance, wireDevice, wirePage, wireTunnel } from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';

let server: Server | undefined;
let monitor: Monitor | undefined;

afterEach(async () => {
  await monitor?.stop();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

/** An API that answers at once below `/good`, late below `/slow` and never below `/hangs`. Returns its address. */
async function startApi(): Promise<string> {
  const bodyOf = (path: string): unknown => {
    if (path.includes('/self-rent/')) return wireTunnel();
    return path.includes('/balance') ? wireBalance() : wirePage({ items: [wireDevice()] });
  };
  const reply = (path: string, response: ServerResponse): unknown =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(success(bodyOf(path)));
  server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/good')) reply(url, response);
    if (url.startsWith('/slow')) setTimeout(reply, 50, url, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** `RELOADS=1000` takes some ten seconds. */
const RELOADS = Number(process.env['RELOADS'] ?? 300);

const openFiles = (): number => readdirSync('/proc/self/fd').length;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** Gives the event loop so many turns. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

it(`${RELOADS} reloads beside slow and hanging APIs leave neither connections nor memory behind`, async () => {
  const api = await startApi();
  const line = (name: string, path: string) =>
    `  - { name: ${name}, api_url: "${api}/${path}", api_key_env: KEY }`;
  const files = [
    [line('a', 'good'), line('b', 'slow'), line('c', 'hangs')],
    [line('a', 'good')],
    [line('b', 'hangs'), line('a', 'good'), line('d', 'slow')],
    [line('a', 'slow'), line('c', 'good')],
  ];
  const setupOf = (index: number): LoadedConfig => {
    const accounts = files[index % files.length] ?? [];
    const file = `accounts:\n${accounts.join('\n')}\nclient: { concurrency: ${2 + (index % 3)} }\n`;
    return {
      config: load({ file, environment: { KEY: 'secret' } }).config,
      network: { authorities: undefined, proxies: undefined },
    };
  };
  monitor = createMonitor(
    setupOf(0).config,
    dependenciesOf({ yieldToEventLoop: () => new Promise(setImmediate) }),
  );
  monitor.start();
  const reload = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await monitor?.replace(setupOf(index));
      void monitor?.pollAll();
      await turns(2);
    }
    // Only what answers, so that nothing is in flight.
    await monitor?.replace(setupOf(1));
    while (monitor?.snapshot().accounts[0]?.devices.state !== 'fresh') await turns(1);
  };
  await reload(RELOADS / 10);
  collectGarbage();
  const [filesBefore, heapBefore] = [openFiles(), process.memoryUsage().heapUsed];
  await reload(RELOADS);
  // The sockets of closed connections are freed in turns of the event loop; a leak never ends.
  while (openFiles() - filesBefore > 10) await turns(100);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(8 * 1024 * 1024);
  expect(monitor.snapshot().accounts.map(({ name, devices }) => [name, devices.state])).toEqual([
    ['a', 'fresh'],
  ]);
});
