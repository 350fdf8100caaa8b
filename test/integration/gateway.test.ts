import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { type Gateway, openGateway } from '../faults/gateway.ts';
import { startFaultySimulator } from '../faults/simulated/faults.ts';
import type { Simulator } from '../simulator.ts';
import { hear, KEY, marketplaceOf } from './simulator-wire.ts';

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

/** Result of a name lookup at the gateway. */
const addresses = () =>
  new Promise((resolve) => {
    gateway.lookup('any.localhost', { all: true }, (error, found) => resolve(error?.code ?? found));
  });

describe('the gateway', () => {
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

  it('resolves a name to a dead address first during name-dead-address', async () => {
    await gateway.begin('name-dead-address');
    expect(await addresses()).toEqual([
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
  });

  it('resolves a name after ten seconds during name-slow', async () => {
    await gateway.begin('name-slow');
    const resolved = addresses();
    clock.advance(10_000);
    expect(await resolved).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });
});
