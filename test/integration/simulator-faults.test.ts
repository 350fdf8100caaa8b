import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/server.ts';
import { FAULTS, startFaultySimulator } from '../faults/simulated/faults.ts';
import { ask, type Heard, hear, KEY, marketplaceOf, open, standingClock } from './simulator-wire.ts';

const PATH = '/hoster/v1/devices?limit=3';
const MEBIBYTE = 2 ** 20;

let delays: number[] = [];
let simulator: Simulator;
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

const half = (text: string) => text.slice(0, text.length >> 1);
const status = (heard: Heard) => heard.head.split('\r\n', 1)[0];
const header = (heard: Heard, name: string) =>
  Array.from(heard.head.matchAll(new RegExp(`^${name}: (.*)\\r$`, 'gim')), ([, value]) => value);

type Check = (heard: Heard) => void;

const expectBody = (heard: Heard, body: string, ending = 'end') => {
  expect(heard.body.toString()).toBe(body);
  expect(heard.ending).toBe(ending);
};

/** Bytes that a socket receives with each fault that ends the connection. */
const HEARD: Readonly<Record<string, Check>> = {
  'content-length-short': (heard) => {
    expect(header(heard, 'content-length')).toEqual([String(good.length - 10)]);
    expectBody(heard, good);
  },
  'content-length-long': (heard) => {
    expect(header(heard, 'content-length')).toEqual([String(good.length + 10)]);
    expectBody(heard, good);
  },
  'content-length-twice': (heard) => {
    expect(header(heard, 'content-length')).toEqual([String(good.length), String(good.length + 1)]);
    expectBody(heard, good);
  },
  'chunked-cut': (heard) => {
    const chunk = good.slice(0, Math.ceil(good.length / 2));
    expect(header(heard, 'transfer-encoding')).toEqual(['chunked']);
    expect(heard.head + heard.body.toString()).toMatch(/\r\n\r\n[0-9a-f]+\r\n\{"success":true/);
    expect(heard.body.toString().endsWith(`${chunk}\r\n`)).toBe(true);
    expect(heard.ending).toBe('end');
  },
  'huge-header': (heard) => {
    expect(header(heard, 'x-padding')[0]).toHaveLength(65_536);
    expectBody(heard, good);
  },
  'many-headers': (heard) => {
    expect(header(heard, 'x-\\d+')).toHaveLength(2_000);
    expectBody(heard, good);
  },
  'status-zero': (heard) => {
    expect(status(heard)).toBe('HTTP/1.1 000 OK');
    expectBody(heard, good);
  },
  'unasked-continue': (heard) => {
    expect(heard.head).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expectBody(heard, good);
  },
  'late-refusal': (heard) => {
    expect(status(heard)).toBe('HTTP/1.1 403 Forbidden');
    expect(heard.body.toString()).toContain('INVALID_API_KEY');
    expect(delays).toEqual([2_000]);
  },
  'interim-responses': (heard) => {
    expect(heard.head.match(/HTTP\/1\.1 103 Early Hints\r\n\r\n/g)).toHaveLength(1_000);
    expect(heard.head).toContain('HTTP/1.1 200 OK');
    expectBody(heard, good);
  },
  trickle: (heard) => {
    expectBody(heard, good);
    expect(delays).toEqual(Array.from({ length: good.length }, () => 200));
  },
  'slow-body': (heard) => {
    expectBody(heard, good);
    const bytes = heard.head.length + heard.body.length;
    expect(delays).toEqual(Array.from({ length: Math.ceil(bytes / 100) }, () => 100));
  },
  'one-byte-packets': (heard) => expectBody(heard, good),
  'reset-before-headers': (heard) => {
    expect(heard.head).toBe('');
    expectBody(heard, '', 'ECONNRESET');
  },
  'reset-after-headers': (heard) => {
    expect(status(heard)).toBe('HTTP/1.1 200 OK');
    expectBody(heard, '', 'ECONNRESET');
    expect(delays).toEqual([20]);
  },
  'reset-mid-body': (heard) => {
    expect(header(heard, 'content-length')).toEqual([String(good.length)]);
    expectBody(heard, half(good), 'ECONNRESET');
    expect(delays).toEqual([20]);
  },
  'close-before-headers': (heard) => {
    expect(heard.head).toBe('');
    expectBody(heard, '');
  },
  'close-mid-body': (heard) => {
    expect(header(heard, 'content-length')).toEqual([String(good.length)]);
    expectBody(heard, half(good));
  },
  'close-after-response': (heard) => {
    expect(header(heard, 'connection')).toEqual(['keep-alive']);
    expectBody(heard, good);
  },
};

describe('a fault of the simulator over HTTP', () => {
  it.each(Object.entries(HEARD))('%s has the effect of its name', async (name, check) => {
    simulator.faults.on('devices', name);
    check(await hear(open(simulator.url, PATH)));
  });

  it.each(Object.keys(HEARD))('%s ends when it is switched off', async (name) => {
    simulator.faults.on('devices', name, { times: 1 });
    await hear(open(simulator.url, PATH));
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
    expect(header(heard, 'content-length')).toEqual([String(heard.body.length + 10)]);
  });
});

describe('the table of socket faults in this file', () => {
  it('contains every fault that needs a socket', () => {
    const names = FAULTS.filter((fault) => 'onSocket' in fault).map(({ name }) => name);
    expect([...Object.keys(HEARD), 'hang', 'huge-body'].toSorted()).toEqual(names.toSorted());
  });
});
