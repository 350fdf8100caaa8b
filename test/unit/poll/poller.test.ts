import { describe, expect, it } from 'vitest';
import { createTestPoller, settled } from './test-poller.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A poller after its first round, in which these phones were self-rented. */
async function pollerAfterRound(...rented: readonly string[]) {
  const world = createTestPoller();
  world.script.rented = rented;
  await world.poller.pollAll();
  return world;
}

describe('a poller', () => {
  it('polls the tunnels after the devices that have them', async () => {
    const { asked } = await pollerAfterRound('a');
    expect(asked()).toEqual(['devices', 'balance', 'a']);
  });

  it('polls known tunnels in parallel with the devices, and then those of new rentals', async () => {
    const { poller, script, asked, told } = await pollerAfterRound('a');
    script.rented = ['a', 'b'];
    [asked(), told()];
    await poller.pollAll();
    expect([asked(), told().toSorted()]).toEqual([
      ['devices', 'a', 'balance', 'b'],
      ['balance ok', 'devices ok', 'tunnels ok'],
    ]);
  });

  it('polls the tunnels after the devices again when these could not be listed before', async () => {
    const { poller, script, asked, told } = await pollerAfterRound('a');
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

  it('skips the tunnels while there is no device list', async () => {
    const { poller, script, told } = createTestPoller();
    script.failures.devices = 'server';
    await poller.pollAll();
    expect(told().toSorted()).toEqual(['balance ok', 'devices server', 'tunnels skipped: no_fleet']);
  });

  it('continues after a collector that hangs and ignores its signal', async () => {
    const { poller, clock, script, tick, told, asked } = createTestPoller();
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

  it('counts nothing for polls that were stopped while they hung', async () => {
    const { poller, script, told } = createTestPoller();
    script.rented = ['a'];
    script.hanging = ['a'];
    const round = poller.pollAll();
    await settled();
    poller.stop();
    await round;
    expect(told()).toEqual(['balance ok', 'devices ok']);
  });
});

describe('a collector whose endpoint refused the key', () => {
  it('is skipped and counted, while the others are polled', async () => {
    const { script, tick, asked, told } = createTestPoller();
    script.refused = ['balance'];
    await tick('balance');
    await tick('devices');
    expect([asked(), told()]).toEqual([['devices'], ['balance skipped: refused_key', 'devices ok']]);
  });

  it('reads the key again before each poll', async () => {
    let reads = 0;
    const { tick } = createTestPoller({
      refreshKey: async () => {
        reads += 1;
      },
    });
    await tick('balance');
    await tick('balance');
    expect(reads).toBe(2);
  });
});

describe('phones that are missing from the list', () => {
  const rented = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

  it('are logged once when they are many, and once when they left', async () => {
    const { script, tick, lines, clock } = await pollerAfterRound(...rented);
    lines.length = 0;
    script.rented = [];
    for (let poll = 0; poll < 6; poll += 1) {
      clock.advance(30_000);
      await tick('devices');
    }
    expect(lines).toEqual([
      'many phones are missing from the device list at once; they stay until it is confirmed',
      'the missing phones were removed: several listings in a row did not include them',
    ]);
  });

  it('are logged once when they are listed again', async () => {
    const { script, tick, lines, clock } = await pollerAfterRound(...rented);
    lines.length = 0;
    for (const listed of [[], rented, rented]) {
      script.rented = listed;
      clock.advance(30_000);
      await tick('devices');
    }
    expect(lines.slice(1)).toEqual(['the missing phones are listed again']);
  });
});

describe('a new rental', () => {
  it('has its tunnel polled at once, and shown next to the others', async () => {
    const { script, tick, asked, told, account } = await pollerAfterRound('a');
    script.rented = ['a', 'b'];
    [asked(), told()];
    await tick('devices');
    expect([asked(), told()]).toEqual([['devices', 'b'], ['devices ok']]);
    expect([...(account().tunnels.data?.keys() ?? [])]).toEqual(['a', 'b']);
  });

  it('has its tunnel polled once, and then in turn with the others', async () => {
    const { script, tick, asked } = await pollerAfterRound('a');
    script.rented = ['a', 'b'];
    script.unreadable = ['b'];
    await tick('devices');
    asked();
    await tick('devices');
    await tick('tunnels');
    expect(asked()).toEqual(['devices', 'a', 'b']);
  });

  it('whose tunnel cannot be read changes nothing about the others', async () => {
    const { script, tick, account } = await pollerAfterRound('a');
    const before = account().tunnels.data;
    script.rented = ['a', 'b'];
    script.unreadable = ['b'];
    await tick('devices');
    expect(account().tunnels.data).toBe(before);
  });

  it('starts a whole round if there was none before', async () => {
    const { poller, script, tick, told } = createTestPoller();
    script.failures.devices = 'server';
    await poller.pollAll();
    delete script.failures.devices;
    script.rented = ['a'];
    told();
    await tick('devices');
    expect(told()).toEqual(['devices ok', 'tunnels ok']);
  });

  it('is not lost by a round that began before it and ends while it waits to be stored', async () => {
    let finishRound = (): void => {};
    const { poller, script, tick, account, asked } = createTestPoller({}, async () => {
      // Once the new tunnel was fetched, its answer waits here while the round ends.
      if (!asked().includes('b')) return;
      finishRound();
      await settled();
    });
    script.rented = ['a'];
    await poller.pollAll();
    script.rented = ['a', 'slow'];
    const end = script.hold('slow');
    await tick('devices');
    script.rented = ['a', 'slow', 'b'];
    await tick('tunnels');
    finishRound = end;
    await tick('devices');
    for (let count = 0; count < 5; count += 1) await settled();
    expect([...(account().tunnels.data?.keys() ?? [])].toSorted()).toEqual(['a', 'b', 'slow']);
  });

  it('is not lost while a round is in progress', async () => {
    const { clock, script, tick, account } = await pollerAfterRound('a');
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

describe('data without a successful poll', () => {
  const all = (state: string) => ({ devices: state, tunnels: state, balance: state });

  it.each([
    ['is fresh for two intervals', MINUTE, all('fresh')],
    ['is held after two intervals', MINUTE + SECOND, all('stale')],
    ['is held until it is stale', 15 * MINUTE, { devices: 'stale' }],
    ['expires when it is stale', 15 * MINUTE + SECOND, all('expired')],
  ])('%s', async (_, milliseconds, states) => {
    const { poller, clock, account } = createTestPoller();
    poller.start();
    await poller.pollAll();
    clock.advance(milliseconds);
    const { devices, tunnels, balance } = account();
    expect({ devices: devices.state, tunnels: tunnels.state, balance: balance.state }).toMatchObject(states);
  });

  it('expires as soon as the machine wakes from a suspend', async () => {
    const { poller, clock, account } = createTestPoller();
    poller.start();
    await poller.pollAll();
    clock.suspend(30 * 24 * HOUR);
    clock.advance(SECOND);
    expect(account().devices.state).toBe('expired');
  });

  it.each([-24 * HOUR, HOUR, 30 * 24 * HOUR])(
    'expires neither sooner nor later because our clock was set by %i ms',
    async (step) => {
      const { poller, clock, account } = createTestPoller();
      poller.start();
      await poller.pollAll();
      clock.step(step);
      clock.advance(MINUTE);
      expect(account().devices.state).toBe('fresh');
      clock.advance(14 * MINUTE + SECOND);
      expect(account().devices.state).toBe('expired');
    },
  );
});
