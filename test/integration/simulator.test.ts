import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../simulator.ts';
import { ask, KEY, marketplaceOf, START, standingClock } from './simulator-wire.ts';

const DEVICES = '/hoster/v1/devices';
const BALANCE = '/hoster/v1/balance';
const OTHER_KEY = 'canary-key-other';

let now = START;
let delays: number[] = [];
let simulator: Simulator;

beforeEach(async () => {
  now = START;
  delays = [];
  simulator = await startSimulator({
    accounts: [
      { name: 'main', key: KEY, marketplace: marketplaceOf(60) },
      { name: 'other', key: OTHER_KEY, marketplace: marketplaceOf(3) },
    ],
    clock: { ...standingClock(delays), now: () => now },
  });
});

afterEach(() => simulator.close());

describe('the simulator', () => {
  it('responds over HTTP with the date of its clock', async () => {
    const reply = await ask(`${simulator.url}${BALANCE}`);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(reply.text.length),
      date: 'Mon, 05 Jan 2026 12:00:00 GMT',
    });
    expect(reply.text).toBe(
      '{"success":true,"data":{"availableCents":125000,"pendingCents":8200,"totalCents":133200}}',
    );
  });

  it('advances its marketplaces with its clock', async () => {
    const newest = async () => {
      const { text } = await ask(`${simulator.url}${DEVICES}?limit=100`);
      return Array.from(text.matchAll(/"lastHeartbeatAt":"([^"]+)"/g), ([, at]) => String(at))
        .sort()
        .at(-1);
    };
    const before = await newest();
    now += 3_600_000;
    const after = await newest();
    expect(Date.parse(String(after)) - Date.parse(String(before))).toBeGreaterThan(3_500_000);
    expect((await ask(`${simulator.url}${BALANCE}`)).headers['date']).toBe('Mon, 05 Jan 2026 13:00:00 GMT');
  });

  it('responds to each key with its own account', async () => {
    const total = async (key: string) =>
      /"total":(\d+)/.exec((await ask(`${simulator.url}${DEVICES}`, 'GET', { 'x-api-key': key })).text)?.[1];
    expect([await total(KEY), await total(OTHER_KEY)]).toEqual(['60', '3']);
    expect((await ask(`${simulator.url}${DEVICES}`, 'GET', {})).status).toBe(401);
    expect((await ask(`${simulator.url}${DEVICES}`, 'GET', { 'x-api-key': 'wrong' })).status).toBe(403);
  });

  it('allows GET only', async () => {
    const reply = await ask(`${simulator.url}${DEVICES}`, 'POST');
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET']);
  });

  it('counts and logs requests without their keys', async () => {
    await ask(`${simulator.url}${DEVICES}?page=2&limit=50`);
    now += 1_000;
    await ask(`${simulator.url}${BALANCE}`, 'GET', {});
    await ask(`${simulator.url}/elsewhere`);
    expect(simulator.counts()).toEqual({ devices: 1, tunnel: 0, balance: 1, other: 1 });
    expect(simulator.requests().slice(0, 2)).toEqual([
      {
        at: START,
        method: 'GET',
        path: DEVICES,
        query: 'page=2&limit=50',
        endpoint: 'devices',
        keyPresent: true,
        account: 'main',
      },
      {
        at: START + 1_000,
        method: 'GET',
        path: BALANCE,
        query: '',
        endpoint: 'balance',
        keyPresent: false,
        account: undefined,
      },
    ]);
    expect(JSON.stringify(simulator.requests())).not.toContain(KEY);
  });
});

describe('the latency of the simulator', () => {
  it('delays every response of the API', async () => {
    const noted: number[] = [];
    const slow = await startSimulator({
      accounts: [{ name: 'main', key: KEY, marketplace: marketplaceOf(1) }],
      clock: standingClock(noted),
      latencyMilliseconds: 50,
    });
    await ask(`${slow.url}${BALANCE}`);
    await ask(`${slow.url}/-/faults`);
    await slow.close();
    expect(noted).toEqual([50]);
  });
});
