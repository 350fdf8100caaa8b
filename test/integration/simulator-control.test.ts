import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../simulator.ts';
import { ask, KEY, marketplaceOf, START, standingClock } from './simulator-wire.ts';

const DEVICES = '/hoster/v1/devices';
const BALANCE = '/hoster/v1/balance';
const HOUR = 3_600_000;

let now = START;
let delays: number[] = [];
let simulator: Simulator;

beforeEach(async () => {
  now = START;
  delays = [];
  simulator = await startSimulator({
    accounts: [{ name: 'main', key: KEY, marketplace: marketplaceOf(30) }],
    clock: { ...standingClock(delays), now: () => now },
  });
});

afterEach(() => simulator.close());

type Item = { readonly deviceId: string; readonly label: string; readonly lastHeartbeatAt: string };

async function control(method: string, path = '') {
  const { status, text } = await ask(`${simulator.url}/-/faults${path}`, method, {});
  return { status, active: JSON.parse(text).data?.active, message: JSON.parse(text).error?.message };
}

async function devices(): Promise<readonly Item[]> {
  return JSON.parse((await ask(`${simulator.url}${DEVICES}`)).text).data.items;
}

async function labelsOf(isChosen: (age: number) => boolean): Promise<readonly string[]> {
  const items = await devices();
  return items.filter((item) => isChosen(now - Date.parse(item.lastHeartbeatAt))).map(({ label }) => label);
}

const reporting = () => labelsOf((age) => age < HOUR / 12);

/** Switches a fault on, lets two hours pass, and returns a function that tells which phones it takes offline. */
async function cut(...faults: readonly string[]): Promise<() => Promise<readonly string[]>> {
  const before = await reporting();
  for (const fault of faults) expect((await control('PUT', `/${fault}`)).status).toBe(200);
  now += 2 * HOUR;
  return async () => (await labelsOf((age) => age >= HOUR)).filter((label) => before.includes(label));
}

describe('a fault of the simulated API', () => {
  it.each([
    ['down', 503, 'SERVICE_UNAVAILABLE'],
    ['refused-key', 403, 'INVALID_API_KEY'],
  ])('answers each request with an error until it is ended: %s', async (name, status, code) => {
    expect((await control('PUT', `/${name}`)).active).toEqual([{ name, phones: 0 }]);
    for (const path of [DEVICES, BALANCE]) {
      const reply = await ask(`${simulator.url}${path}`);
      expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([status, code]);
    }
    expect((await control('DELETE', `/${name}`)).active).toEqual([]);
    expect((await ask(`${simulator.url}${BALANCE}`)).status).toBe(200);
  });

  it('delays each response by three seconds while the API is slow', async () => {
    await control('PUT', '/slow');
    expect((await ask(`${simulator.url}${BALANCE}`)).status).toBe(200);
    expect(delays).toEqual([3_000]);
    await control('DELETE', '/slow');
    await ask(`${simulator.url}${BALANCE}`);
    expect(delays).toEqual([3_000]);
  });
});

describe('a power cut of simulated phones', () => {
  it('takes the phones of a group offline until it is ended', async () => {
    const rack = (await reporting()).filter((label) => label.startsWith('rack-01/'));
    const offline = await cut('group/rack-01');
    expect(await offline()).toEqual(rack);
    expect((await control('GET')).active[0].phones).toBeGreaterThanOrEqual(rack.length);
    await control('DELETE', '/group/rack-01');
    expect(await offline()).toEqual([]);
  });

  it.each([encodeURIComponent, String])(
    'takes one phone offline by its label, whose slash may be encoded: %o',
    async (write) => {
      const label = (await reporting()).find((each) => each.includes('/')) ?? '';
      const offline = await cut(`label/${write(label)}`);
      expect(await offline()).toEqual([label]);
      expect((await control('GET')).active).toEqual([{ name: `label/${label}`, phones: 1 }]);
    },
  );

  it('ends alone, or with all others', async () => {
    const labels = (await reporting()).filter((label) => label.startsWith('rack-01/')).slice(0, 3);
    const offline = await cut(...labels.map((label) => `label/${label}`));
    expect(await offline()).toEqual(labels);
    await control('DELETE', `/label/${labels[0]}`);
    expect(await offline()).toEqual(labels.slice(1));
    await control('DELETE');
    expect(await offline()).toEqual([]);
  });

  it('keeps a phone offline that another fault takes offline too', async () => {
    const label = (await reporting()).find((each) => each.startsWith('rack-01/')) ?? '';
    const offline = await cut('group/rack-01', `label/${label}`);
    await control('DELETE', '/group/rack-01');
    expect(await offline()).toEqual([label]);
  });
});

describe('the control of faults over HTTP', () => {
  it('lists those that are on', async () => {
    await control('PUT', '/down');
    await control('PUT', '/slow');
    expect(await control('GET')).toMatchObject({
      status: 200,
      active: [
        { name: 'down', phones: 0 },
        { name: 'slow', phones: 0 },
      ],
    });
  });

  it.each([
    [
      'PUT',
      '/gremlins',
      400,
      /^PUT \/-\/faults\/<fault> starts a fault.* Faults: down, slow, refused-key, group/,
    ],
    ['PUT', '/constructor', 400, /^PUT /],
    ['PUT', '/colour/red', 400, /^PUT /],
    ['PUT', '/group/rack-99', 404, /^No phone has the group "rack-99"\.$/],
    ['PUT', '/label/%zz', 404, /^No phone has the label "%zz"\.$/],
    ['DELETE', '/down', 404, /^The fault "down" is not active\.$/],
    ['PUT', '', 405, /^PUT /],
    ['POST', '/down', 405, /^PUT /],
    ['GET', 's', 404, /^PUT /],
  ])('refuses %s %s', async (method, path, status, message) => {
    expect(await control(method, path)).toMatchObject({ status, message: expect.stringMatching(message) });
    expect((await control('GET')).active).toEqual([]);
  });

  it('counts no requests to the API', async () => {
    await control('GET');
    expect(simulator.counts()).toEqual({ devices: 0, tunnel: 0, balance: 0, other: 0 });
  });
});
