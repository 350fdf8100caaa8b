import { describe, expect, it } from 'vitest';
import { settled, stagePoller } from './staged-poller.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('a poller', () => {
  it('asks for the tunnels after the phones that have them', async () => {
    const { poller, script, asked } = stagePoller();
    script.rented = ['a'];
    await poller.pollAll();
    expect(asked()).toEqual(['devices', 'balance', 'a']);
  });

  it('asks for the tunnels that it knows of beside the phones, and then for those of the phones just rented', async () => {
    const { poller, script, asked, told } = stagePoller();
    script.rented = ['a'];
    await poller.pollAll();
    script.rented = ['a', 'b'];
    [asked(), told()];
    await poller.pollAll();
    expect([asked(), told()]).toEqual([
      ['devices', 'a', 'balance', 'b'],
      ['balance ok', 'tunnels ok', 'devices ok'],
    ]);
  });

  it('asks for the tunnels after the phones again where these could not be listed', async () => {
    const { poller, script, asked, told } = stagePoller();
    script.rented = ['a'];
    await poller.pollAll();
    script.failures.devices = 'server';
    await poller.pollAll();
    delete script.failures.devices;
    [asked(), told()];
    await poller.pollAll();
    expect([asked(), told()]).toEqual([
      ['devices', 'balance', 'a'],
      ['balance ok', 'devices ok', 'tunnels ok'],
    ]);
  });

  it('has no tunnels to ask for while it knows no phones', async () => {
    const { poller, script, told } = stagePoller();
    script.failures.devices = 'server';
    await poller.pollAll();
    expect(told()).toEqual(['balance ok', 'devices server', 'tunnels skipped: no_fleet']);
  });

  it('tells when the watchdog had to start a poll', async () => {
    const { tick, told } = stagePoller();
    await tick('balance', 'overdue');
    expect(told()).toEqual(['balance watchdog', 'balance ok']);
  });

  it('goes on after a collector that hangs and listens to no signal', async () => {
    const { poller, clock, script, tick, told, asked } = stagePoller();
    script.rented = ['a'];
    script.hanging = ['a'];
    const round = poller.pollAll();
    await settled();
    clock.advance(30 * SECOND);
    await round;
    expect(told()).toEqual(['balance ok', 'devices ok', 'tunnels timeout']);
    script.hanging = [];
    asked();
    await tick('tunnels');
    expect([asked(), told()]).toEqual([['a'], ['tunnels ok']]);
  });

  it('says nothing about what was stopped, however much of it hangs', async () => {
    const { poller, script, told } = stagePoller();
    script.rented = ['a'];
    script.hanging = ['a'];
    const round = poller.pollAll();
    await settled();
    poller.stop();
    await round;
    expect(told()).toEqual(['balance ok', 'devices ok']);
  });
});

describe('a shard that is not the first', () => {
  const third = () => {
    const stage = stagePoller({ shard: { index: 2, total: 4 } });
    // Of these, the third of four shards looks after 65f0c0ffee0123456789abce alone.
    stage.script.rented = ['65f0c0ffee0123456789abcd', '65f0c0ffee0123456789abce', 'phone-1', 'phone-2'];
    return stage;
  };

  it('lists all phones, keeps its own, asks for their tunnels, and leaves the balance to the first', async () => {
    const { poller, asked, account } = third();
    await poller.pollAll();
    expect(asked()).toEqual(['devices', '65f0c0ffee0123456789abce']);
    const { devices, balance } = account();
    expect(Array.from(devices.data?.devices ?? [], ({ device }) => device.id)).toEqual([
      '65f0c0ffee0123456789abce',
    ]);
    expect(devices.data?.neighbours).toHaveLength(3);
    expect(devices.data).toMatchObject({ reported: 4, listing: { complete: true } });
    expect(balance.lastAttemptAt).toBeUndefined();
  });

  it('tries a refused key after five minutes and then every hour, with a listing', async () => {
    const { poller, script, clock, tick, asked, told } = third();
    await poller.pollAll();
    Object.assign(script.failures, { devices: 'unauthorized', tunnel: 'unauthorized' });
    for (const collector of ['devices', 'tunnels']) await tick(collector);
    [asked(), told()];
    for (let passed = 0; passed < 5 * MINUTE + 24 * HOUR; passed += 30 * SECOND) {
      clock.advance(30 * SECOND);
      await tick('devices');
    }
    expect(asked()).toEqual(Array.from({ length: 25 }, () => 'devices'));
  });
});

describe('a phone just rented', () => {
  it('is asked for its tunnel at once, and shown beside the others', async () => {
    const { poller, script, tick, asked, told, account } = stagePoller();
    script.rented = ['a'];
    await poller.pollAll();
    script.rented = ['a', 'b'];
    [asked(), told()];
    await tick('devices');
    expect([asked(), told()]).toEqual([['devices', 'b'], ['devices ok']]);
    expect([...(account().tunnels.data?.keys() ?? [])]).toEqual(['a', 'b']);
  });

  it('is asked once, and then in turn with the others', async () => {
    const { poller, script, tick, asked } = stagePoller();
    script.rented = ['a'];
    await poller.pollAll();
    script.rented = ['a', 'b'];
    script.unreadable = ['b'];
    await tick('devices');
    asked();
    await tick('devices');
    await tick('tunnels');
    expect(asked()).toEqual(['devices', 'a', 'b']);
  });

  it('whose tunnel cannot be read says nothing about the others', async () => {
    const { poller, script, tick, account } = stagePoller();
    script.rented = ['a'];
    await poller.pollAll();
    const before = account().tunnels;
    script.rented = ['a', 'b'];
    script.unreadable = ['b'];
    await tick('devices');
    expect(account().tunnels).toBe(before);
  });

  it('makes a whole round where there was none before', async () => {
    const { poller, script, tick, told } = stagePoller();
    script.failures.devices = 'server';
    await poller.pollAll();
    delete script.failures.devices;
    script.rented = ['a'];
    told();
    await tick('devices');
    expect(told()).toEqual(['devices ok', 'tunnels ok']);
  });

  it('is not lost while a round is under way', async () => {
    const { poller, clock, script, tick, account } = stagePoller();
    script.rented = ['a'];
    await poller.pollAll();
    script.rented = ['a', 'hangs'];
    script.hanging = ['hangs'];
    await tick('devices');
    script.rented = ['a', 'hangs', 'b'];
    await tick('tunnels');
    await tick('devices');
    clock.advance(30 * SECOND);
    await settled();
    expect([...(account().tunnels.data?.keys() ?? [])]).toEqual(['a', 'b']);
  });
});

describe('data that no poll renews', () => {
  const HANGS = { devices: 'fresh', tunnels: 'fresh', balance: 'fresh' };

  it.each([
    ['is fresh for two intervals', MINUTE, HANGS],
    ['is held after them', MINUTE + SECOND, { devices: 'held', tunnels: 'held', balance: 'held' }],
    ['is held for as long as was asked for', 15 * MINUTE, { devices: 'held' }],
    ['expires then', 15 * MINUTE + SECOND, { devices: 'expired', tunnels: 'expired', balance: 'expired' }],
  ])('%s', async (_, milliseconds, states) => {
    const { poller, clock, account } = stagePoller();
    poller.start();
    await poller.pollAll();
    clock.advance(milliseconds);
    const { devices, tunnels, balance } = account();
    expect({ devices: devices.state, tunnels: tunnels.state, balance: balance.state }).toMatchObject(states);
  });

  it.each([
    ['as soon as the machine wakes from a suspend', 30 * 24 * HOUR, SECOND],
    ['in time although the clock was set back', -24 * HOUR, 15 * MINUTE + SECOND],
  ])('expires %s', async (_, step, awake) => {
    const { poller, clock, account } = stagePoller();
    poller.start();
    await poller.pollAll();
    clock.step(step);
    clock.advance(awake);
    expect(account().devices.state).toBe('expired');
  });
});
