import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/base/random.ts';
import type { Endpoint } from '../../../../src/model/enums.ts';
import { FAULTS } from '../../../faults/simulated/faults.ts';
import { createSwitchboard, type Switchboard } from '../../../faults/simulated/switchboard.ts';

const names = (switchboard: Switchboard, endpoint: Endpoint) =>
  switchboard.next(endpoint).map(({ fault }) => fault.name);

describe('the switchboard of faults', () => {
  it('has no active fault at first', () => {
    const faults = createSwitchboard(FAULTS, createRandom(1));
    expect(faults.active()).toEqual([]);
    expect(names(faults, 'devices')).toEqual([]);
  });

  it('switches a fault on at one endpoint', () => {
    const faults = createSwitchboard(FAULTS, createRandom(1));
    faults.on('balance', 'internal-error');
    expect(names(faults, 'devices')).toEqual([]);
    expect(names(faults, 'balance')).toEqual(['internal-error']);
  });

  it('switches a fault on at all endpoints that can have it', () => {
    const faults = createSwitchboard(FAULTS, createRandom(1));
    faults.on('all', 'internal-error');
    faults.on('all', 'balance-huge');
    expect(names(faults, 'tunnel')).toEqual(['internal-error']);
    expect(names(faults, 'balance')).toEqual(['internal-error', 'balance-huge']);
  });

  it('lets a fault skip requests and act a limited number of times', () => {
    const faults = createSwitchboard(FAULTS, createRandom(1));
    faults.on('devices', 'hang', { skip: 2, times: 3 });
    const acted = Array.from({ length: 7 }, () => names(faults, 'devices').length);
    expect(acted).toEqual([0, 0, 1, 1, 1, 0, 0]);
    expect(faults.active()).toEqual([
      { endpoint: 'devices', name: 'hang', skip: 0, left: 0, probability: 1, count: 3 },
    ]);
  });

  it('counts how often a fault has acted', () => {
    const faults = createSwitchboard(FAULTS, createRandom(1));
    faults.on('devices', 'total-grows');
    expect([0, 1, 2].map(() => faults.next('devices')[0]?.count)).toEqual([0, 1, 2]);
  });

  it('lets a fault act with a probability, equally for equal seeds', () => {
    const acted = () => {
      const faults = createSwitchboard(FAULTS, createRandom(3));
      faults.on('devices', 'hang', { probability: 0.25 });
      return Array.from({ length: 1_000 }, () => names(faults, 'devices').length);
    };
    const sum = acted().reduce((total, one) => total + one, 0);
    expect(Math.abs(sum - 250)).toBeLessThan(50);
    expect(acted()).toEqual(acted());
  });

  it.each([
    ['one', ['devices', 'hang'], ['devices html', 'balance hang', 'all html']],
    ['those of an endpoint', ['devices'], ['balance hang', 'all html']],
    ['all', [], []],
  ] as const)('switches off %s', (_, off, left) => {
    const faults = createSwitchboard(FAULTS, createRandom(1));
    faults.on('devices', 'hang');
    faults.on('devices', 'html');
    faults.on('balance', 'hang');
    faults.on('all', 'html');
    const [endpoint, name] = off;
    faults.off(endpoint, name);
    expect(faults.active().map((one) => `${one.endpoint} ${one.name}`)).toEqual(left);
  });

  it('resets a fault that is switched on again', () => {
    const faults = createSwitchboard(FAULTS, createRandom(1));
    faults.on('devices', 'hang', { times: 1 });
    faults.next('devices');
    faults.on('devices', 'hang', { times: 1 });
    expect(faults.active()).toMatchObject([{ left: 1, count: 0 }]);
  });

  it.each([
    ['devices', 'gremlins', 'There is no fault "gremlins".'],
    ['devices', 'balance-huge', 'The fault balance-huge exists for balance, not for devices.'],
  ] as const)('refuses at the endpoint %s the unknown fault %s', (endpoint, name, message) => {
    expect(() => createSwitchboard(FAULTS, createRandom(1)).on(endpoint, name)).toThrow(message);
  });
});
