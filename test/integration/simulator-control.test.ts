import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/server.ts';
import { FAULTS, startFaultySimulator } from '../faults/simulated/faults.ts';
import { ask, KEY, marketplaceOf, standingClock } from './simulator-wire.ts';

const DEVICES = '/hoster/v1/devices';
const BALANCE = '/hoster/v1/balance';

let simulator: Simulator;

beforeEach(async () => {
  const accounts = [{ name: 'main', key: KEY, marketplace: marketplaceOf(3) }];
  simulator = await startFaultySimulator({ accounts, clock: standingClock() });
});

afterEach(() => simulator.close());

describe('the incidents of the simulator over HTTP', () => {
  const at = (path: string) => `${simulator.url}/-/incidents${path}`;
  const heartbeats = async (): Promise<readonly number[]> => {
    const { text } = await ask(`${simulator.url}${DEVICES}`);
    const { items } = JSON.parse(text).data;
    return items.map(({ lastHeartbeatAt }: { lastHeartbeatAt: string }) => Date.parse(lastHeartbeatAt));
  };

  it('silence the phones of a group from a time in the past until they are released', async () => {
    const before = await heartbeats();
    const { text } = await ask(at('/group/rack-01?ago=900'), 'PUT');
    expect(JSON.parse(text).data.phones).toBeGreaterThan(0);
    const during = await heartbeats();
    const delays = before.map((heartbeat, index) => heartbeat - (during[index] ?? 0));
    expect(delays.filter((delay) => delay > 0).every((delay) => delay >= 840_000)).toBe(true);
    expect(delays.some((delay) => delay > 0)).toBe(true);
    await ask(at(''), 'DELETE');
    const after = await heartbeats();
    expect(after.every((heartbeat, index) => heartbeat >= (before[index] ?? 0))).toBe(true);
  });

  it.each(['label', 'id'])('silence one phone by its %s', async (kind) => {
    const { text } = await ask(`${simulator.url}${DEVICES}`);
    const [phone] = JSON.parse(text).data.items;
    const value = encodeURIComponent(kind === 'id' ? phone.deviceId : phone.label);
    const silenced = await ask(at(`/${kind}/${value}`), 'PUT');
    expect(JSON.parse(silenced.text).data.phones).toBe(1);
  });

  it('end one by one, or together', async () => {
    const { text } = await ask(`${simulator.url}${DEVICES}`);
    const [first, second] = JSON.parse(text).data.items;
    const before = await heartbeats();
    for (const { deviceId } of [first, second]) await ask(at(`/id/${deviceId}?ago=900`), 'PUT');
    await ask(at(`/id/${first.deviceId}`), 'DELETE');
    const one = await heartbeats();
    expect((one[0] ?? 0) >= (before[0] ?? 0)).toBe(true);
    expect((one[1] ?? 0) < (before[1] ?? 0)).toBe(true);
    await ask(at(''), 'DELETE');
    expect(((await heartbeats())[1] ?? 0) >= (before[1] ?? 0)).toBe(true);
  });

  it.each(['group/rack-99', 'id/nobody', 'label/%zz'])(
    'say that no phone has the value: %s',
    async (path) => {
      expect((await ask(at(`/${path}`), 'PUT')).status).toBe(404);
      expect((await ask(at(`/${path}`), 'DELETE')).status).toBe(404);
    },
  );

  it('take a label as it is written, slashes too', async () => {
    const { text } = await ask(`${simulator.url}${DEVICES}`);
    const { label } = JSON.parse(text).data.items.find((item: { label: string }) => item.label.includes('/'));
    expect(JSON.parse((await ask(at(`/label/${label}`), 'PUT')).text).data.phones).toBe(1);
  });

  it('are refused where they choose no phones by a known property', async () => {
    expect((await ask(at('/colour/red'), 'PUT')).status).toBe(400);
    expect((await ask(at(''), 'GET')).status).toBe(400);
  });
});

describe('the fault control of the simulator over HTTP', () => {
  const faultsAt = (path: string) => `${simulator.url}/-/faults${path}`;

  it('lists all faults', async () => {
    const { status, text } = await ask(faultsAt(''), 'GET', {});
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      success: true,
      data: { active: [], faults: FAULTS.map(({ name, description }) => ({ name, description })) },
    });
  });

  it('switches faults on and off', async () => {
    await ask(faultsAt('/balance/internal-error'), 'PUT');
    expect((await ask(`${simulator.url}${BALANCE}`)).status).toBe(500);
    expect((await ask(`${simulator.url}${DEVICES}`)).status).toBe(200);
    await ask(faultsAt(''), 'DELETE');
    expect((await ask(`${simulator.url}${BALANCE}`)).status).toBe(200);
  });

  it('switches a fault on for some requests', async () => {
    const { text } = await ask(faultsAt('/all/internal-error?skip=1&times=1&probability=1'), 'PUT');
    expect(JSON.parse(text)).toMatchObject({
      data: {
        active: [{ endpoint: 'all', name: 'internal-error', skip: 1, left: 1, probability: 1, count: 0 }],
      },
    });
    const statuses: (number | undefined)[] = [];
    for (const _ of [1, 2, 3]) statuses.push((await ask(`${simulator.url}${BALANCE}`)).status);
    expect(statuses).toEqual([200, 500, 200]);
  });

  it('switches faults off one by one', async () => {
    simulator.faults.on('devices', 'hang');
    simulator.faults.on('devices', 'html');
    simulator.faults.on('balance', 'hang');
    await ask(faultsAt('/devices/hang'), 'DELETE');
    expect(simulator.faults.active().map(({ endpoint, name }) => [endpoint, name])).toEqual([
      ['devices', 'html'],
      ['balance', 'hang'],
    ]);
    await ask(faultsAt('/devices'), 'DELETE');
    expect(simulator.faults.active()).toHaveLength(1);
  });

  it.each([
    [
      'PUT',
      '/devices/gremlins',
      400,
      'There is no fault \\"gremlins\\"; GET /-/faults lists those that there are.',
    ],
    ['PUT', '/devices/balance-huge', 400, 'The fault balance-huge exists for balance, not for devices.'],
    ['PUT', '/everywhere/hang', 404, 'The endpoint must be one of: devices, tunnel, balance, all.'],
    ['PUT', '/all/hang?times=-1', 400, 'times must be a whole number, not \\"-1\\".'],
    ['PUT', '/all/hang?times=', 400, 'times must be a whole number, not \\"\\".'],
    ['PUT', '/all/hang?probability=2', 400, 'probability must be a number from 0 to 1, not \\"2\\".'],
    ['PUT', '', 405, 'GET /-/faults, PUT /-/faults/<endpoint>/<fault>, DELETE /-/faults.'],
    ['POST', '/all/hang', 405, 'GET /-/faults, PUT /-/faults/<endpoint>/<fault>, DELETE /-/faults.'],
    ['GET', '/a/b/c', 404, 'Faults are at /-/faults.'],
  ])('refuses %s %s', async (method, path, status, message) => {
    const reply = await ask(faultsAt(path), method);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(`"message":"${message}"`);
    expect(simulator.faults.active()).toEqual([]);
  });

  it('counts no requests to the API', async () => {
    await ask(faultsAt(''));
    expect(simulator.counts()).toEqual({ devices: 0, tunnel: 0, balance: 0, other: 0 });
  });
});
