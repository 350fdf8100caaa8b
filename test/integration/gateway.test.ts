import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { GATEWAY_FAULTS, type Gateway, openGateway } from '../faults/gateway.ts';
import { startFaultySimulator } from '../faults/simulated/faults.ts';
import type { Simulator } from '../simulator.ts';
import { ask, hear, KEY, marketplaceOf } from './simulator-wire.ts';

const BALANCE = '/hoster/v1/balance';

let clock: FakeClock;
let simulator: Simulator;
let gateway: Gateway;

beforeEach(async () => {
  clock = createFakeClock();
  simulator = await startFaultySimulator({
    accounts: [{ name: 'main', key: KEY, marketplace: marketplaceOf(3) }],
    clock,
  });
  gateway = await openGateway({ target: Number(new URL(simulator.url).port), clock });
});

afterEach(async () => {
  await gateway.close();
  await simulator.close();
});

const through = () => ask(`http://127.0.0.1:${gateway.port}${BALANCE}`);

/** Result of a name lookup at the gateway. */
const addresses = () =>
  new Promise((resolve) => {
    gateway.lookup('any.localhost', { all: true }, (error, found) => resolve(error?.code ?? found));
  });

describe('the gateway', () => {
  it('forwards connections without a fault', async () => {
    expect((await through()).text).toBe((await ask(simulator.url + BALANCE)).text);
  });

  it.each([
    ['connection-refused', 'ECONNREFUSED'],
    ['connection-reset', 'ECONNRESET'],
  ])('fails requests during %s with %s, and forwards again afterwards', async (name, code) => {
    await gateway.begin(name);
    await expect(through()).rejects.toMatchObject({ code });
    await gateway.end();
    expect((await through()).status).toBe(200);
  });

  it('closes a connection after 30 idle seconds', async () => {
    await gateway.begin('connection-idle-close');
    const socket = connect(gateway.port, '127.0.0.1');
    const heard = hear(socket);
    socket.write(`GET ${BALANCE} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\n\r\n`);
    while (socket.bytesRead === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(29_999);
    expect(socket.readyState).toBe('open');
    clock.advance(1);
    expect((await heard).ending).toBe('end');
  });

  it.each([
    ['name-unknown', 'ENOTFOUND'],
    ['name-server-fails', 'EAI_AGAIN'],
    [
      'name-dead-address',
      [
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ],
    ],
  ])('resolves names during %s to %j', async (name, answer) => {
    await gateway.begin(name);
    expect(await addresses()).toEqual(answer);
  });

  it('resolves a name after ten seconds during name-slow', async () => {
    await gateway.begin('name-slow');
    const resolved = addresses();
    clock.advance(10_000);
    expect(await resolved).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it('refuses an unknown fault', async () => {
    await expect(gateway.begin('hang')).rejects.toThrow('The gateway knows no fault "hang".');
  });
});

describe('the faults of the gateway', () => {
  it('have unique names in kebab case and descriptions', () => {
    const names = GATEWAY_FAULTS.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(GATEWAY_FAULTS.filter(({ description }) => description === '')).toEqual([]);
  });
});
