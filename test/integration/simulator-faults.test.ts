import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FAULTS, type FaultySimulator, startFaultySimulator } from '../faults/simulated/faults.ts';
import { ask, hear, KEY, marketplaceOf, open, standingClock } from './simulator-wire.ts';

const PATH = '/hoster/v1/devices?limit=3';
const MEBIBYTE = 2 ** 20;

let delays: number[] = [];
let simulator: FaultySimulator;
let good = '';

beforeEach(async () => {
  delays = [];
  simulator = await startFaultySimulator({
    accounts: [{ name: 'main', key: KEY, marketplace: marketplaceOf(30) }],
    clock: standingClock(delays),
  });
  good = (await ask(simulator.url + PATH)).text;
});

afterEach(() => simulator.close());

/** Faults that end the connection, but for those whose response is whole and at once. */
const ENDING = FAULTS.filter((fault) => 'onSocket' in fault)
  .map(({ name }) => name)
  .filter((name) => !['hang', 'huge-body', 'one-byte-packets', 'close-after-response'].includes(name));

describe('a fault of the simulator over HTTP', () => {
  // The tests of the exporter under each fault say which effect that has.
  it.each(ENDING)('%s changes what a client hears, until it is switched off', async (name) => {
    simulator.faults.on('devices', name, { times: 1 });
    const { head, body, ending } = await hear(open(simulator.url, PATH));
    const isUsual =
      head.startsWith('HTTP/1.1 200 OK') &&
      head.match(/^content-length: .*$/gm)?.join() === `content-length: ${good.length}` &&
      head.length < 1_000 &&
      body.toString() === good &&
      ending === 'end';
    expect(isUsual && delays.length === 0).toBe(false);
    expect((await ask(simulator.url + PATH)).text).toBe(good);
  });

  it('hang never responds, while other requests get responses', async () => {
    simulator.faults.on('devices', 'hang');
    const socket = open(simulator.url, PATH);
    const heard = hear(socket);
    while (simulator.counts().devices < 2) await ask(`${simulator.url}/hoster/v1/balance`);
    await ask(`${simulator.url}/hoster/v1/balance`);
    expect([socket.bytesRead, socket.readyState]).toEqual([0, 'open']);
    await simulator.close();
    expect((await heard).head).toBe('');
    simulator = await startFaultySimulator({ accounts: [], clock: standingClock() });
  });

  it('huge-body sends 500 MiB', async () => {
    simulator.faults.on('devices', 'huge-body');
    const socket = open(simulator.url, PATH);
    const [head] = await once(socket, 'data');
    expect(String(head)).toContain(`content-length: ${500 * MEBIBYTE}\r\n`);
    while (socket.bytesRead < 16 * MEBIBYTE) await once(socket, 'data');
    socket.destroy();
    simulator.faults.off();
    expect((await ask(simulator.url + PATH)).text).toBe(good);
  });

  it('redirect shows in the request log if it is followed', async () => {
    simulator.faults.on('devices', 'redirect-other-origin');
    const { headers } = await ask(simulator.url + PATH);
    const { port } = new URL(simulator.url);
    expect(headers['location']).toBe(`http://localhost:${port}/moved/hoster/v1/devices`);
  });

  it('can act together with another one on data and socket', async () => {
    simulator.faults.on('devices', 'null-item');
    simulator.faults.on('devices', 'content-length-long');
    const heard = await hear(open(simulator.url, PATH));
    expect(heard.body.toString()).toMatch(/^\{"success":true,"data":\{"items":\[null,\{/);
    expect(heard.head).toContain(`content-length: ${heard.body.length + 10}\r\n`);
  });
});
