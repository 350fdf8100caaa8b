import { describe, expect, it } from 'vitest';
import { createMemory, type Memory } from '../../../../src/daemon/memory.ts';
import { MAINTENANCE } from '../../../../src/features/maintenance/cover.ts';
import { NOTHING_KNOWN } from '../../../../src/model/account.ts';
import { bareDevice, NOON } from '../../../builders.ts';
import { dependenciesOf } from '../../../dependencies.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { observeList } from '../../../observed-list.ts';
import { requestOf, routeOf } from '../../../route-sources.ts';
import { load } from '../../config/sources.ts';

const FILE = `
accounts: [{ name: main, api_url: "https://api.example.com", api_key_env: KEY }]
offline: { after: 10m }
web: { enable_changes: true }
time_zone: Europe/Berlin
`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A phone by its label, the minutes since its last heartbeat, and its id if it differs from the label. */
type Phone = readonly [label: string, silent: number, id?: string];

/**
 * Creates a daemon without a network, which lists phones by the API's clock.
 *
 * @param save saves the state; resolves to the error message, or to undefined
 */
function createRack(save: () => Promise<string | undefined> = async () => undefined) {
  const clock = createFakeClock();
  const memory = createMemory(
    load({ file: FILE, environment: { KEY: 'secret' } }).config,
    dependenciesOf({ clock }),
    { ...{ earlier: NOTHING_KNOWN, save }, onChange: () => {}, onEvents: () => {}, settled: async () => {} },
  );
  let apiTime = NOON;
  const list = async (...phones: readonly Phone[]): Promise<void> => {
    apiTime += 30_000;
    clock.advance(30_000);
    const devices = phones.map(([label, silent, id = label]) => {
      return bareDevice({ id, label, lastHeartbeatAt: apiTime - silent * MINUTE });
    });
    await observeList(memory, clock, apiTime, devices);
  };
  const ask = async (own: Parameters<typeof requestOf>[0]) => {
    const { status, content } = await routeOf(memory, '/api/v1/maintenance')(requestOf(own));
    const text = Buffer.concat(content).toString();
    return { status, text, ...(status < 300 && { answer: JSON.parse(text) }) };
  };
  return {
    ...{ clock, memory, list, apiTime: () => apiTime },
    start: (asked: object) =>
      ask({ method: 'POST', contentType: 'application/json', body: async () => JSON.stringify(asked) }),
    end: (id: string) => ask({ method: 'DELETE', query: new URLSearchParams({ id }) }),
    problems: () => {
      const judged = memory.store.snapshot().accounts[0]?.known.judgement?.problems ?? new Map();
      return Object.fromEntries([...judged].map(([id, { problem }]) => [id, problem]));
    },
  };
}

/** Returns what a state file would have of the requests. */
const requestsIn = (memory: Memory) =>
  memory.saved().accounts.flatMap(({ account }) => MAINTENANCE.of(account).requests);

it('a request for the id of a phone extends the one for its label', async () => {
  const rack = createRack();
  await rack.list(['rack-01/1', 0, 'd1'], ['rack-01/2', 0, 'd2']);
  const { answer: first } = await rack.start({ devices: ['rack-01/1', 'd2'], for: '1h' });
  const { answer: second } = await rack.start({ devices: ['rack-01/2', 'd1'], for: '2h' });
  expect(second).toMatchObject({
    id: first.id,
    text: expect.stringMatching(/^2 phones, 0 offline, extended/),
  });
  expect((await rack.start({ devices: ['d1'], for: '1h' })).answer.id).not.toBe(first.id);
});

it('a request that the disk did not take in time is taken off the disk by another save', async () => {
  const saves: number[] = [];
  const rack = createRack(async () => {
    // The first write goes on behind its refusal, with the request.
    saves.push(requestsIn(rack.memory).length);
    return saves.length === 1 ? 'the disk is not responding' : undefined;
  });
  await rack.list(['a/1', 0]);
  const { status, text } = await rack.start({ all: true, for: '2h' });
  expect([status, text]).toEqual([507, 'nothing was changed: the disk is not responding\n']);
  expect(saves).toEqual([1, 0]);
});

describe('maintenance until back', () => {
  it('says that a phone which is online has to be offline first, and the end in the time of the owner', async () => {
    const rack = createRack();
    await rack.list(['a/1', 0]);
    const { answer } = await rack.start({ all: true, until_back: true });
    expect(answer.text).toBe(
      '1 phone, 0 offline, until each phone has gone offline and come back, 8 Mar 13:00 CET at the latest',
    );
  });

  it('ends for a phone that was offline at its start, although no later list shows that', async () => {
    const rack = createRack();
    await rack.list(['a/1', 30], ['a/2', 30]);
    const { answer } = await rack.start({ devices: ['a/1', 'a/2'], until_back: true });
    expect(answer.text).toMatch(/^2 phones, 2 offline, until each phone is back online/);
    await rack.list(['a/1', 0], ['a/2', 30]);
    expect(rack.problems()).toEqual({ 'a/1': 'in_maintenance', 'a/2': 'in_maintenance' });
    await rack.list(['a/1', 0], ['a/2', 30]);
    expect(rack.problems()).toMatchObject({ 'a/2': 'in_maintenance' });
    expect(rack.problems()['a/1']).not.toBe('in_maintenance');
    await rack.list(['a/1', 0], ['a/2', 0]);
    await rack.list(['a/1', 0], ['a/2', 0]);
    expect(requestsIn(rack.memory)).toEqual([]);
  });

  it('ends for a phone that left the list offline and returned online', async () => {
    const rack = createRack();
    await rack.list(['a/1', 30], ['a/2', 30]);
    await rack.start({ groups: ['a'], until_back: true });
    for (let lists = 0; lists < 5; lists += 1) await rack.list(['a/2', 30]);
    expect(Object.keys(rack.problems())).toEqual(['a/2']);
    await rack.list(['a/1', 0], ['a/2', 30]);
    await rack.list(['a/1', 0], ['a/2', 30]);
    expect(rack.problems()['a/1']).not.toBe('in_maintenance');
  });
});

describe('the end of maintenance', () => {
  it.each([-3 * HOUR, 3 * HOUR])('is by the API after our clock was set by %i ms', async (step) => {
    const rack = createRack();
    await rack.list(['a/1', 0]);
    rack.clock.step(step);
    const { answer } = await rack.start({ groups: ['a'], for: '1h' });
    expect(Date.parse(answer.until)).toBe(rack.apiTime() + HOUR);
    rack.clock.suspend(10 * MINUTE);
    const later = await rack.start({ devices: ['a/1'], for: '1h' });
    expect(Date.parse(later.answer.until)).toBe(rack.apiTime() + 10 * MINUTE + HOUR);
  });

  it('names each maintenance that still covers phones, and says that you are notified of the others', async () => {
    const rack = createRack();
    await rack.list(['a/0', 30], ['a/1', 30], ['a/2', 30], ['a/3', 30]);
    const { answer } = await rack.start({ groups: ['a'], for: '1h' });
    await rack.start({ devices: ['a/0'], for: '2h' });
    await rack.start({ devices: ['a/1'], for: '9h', reason: 'battery' });
    const ended = (await rack.end(answer.id)).answer.text;
    expect(ended).toMatch(
      /^Maintenance ended\. .*1 phone is still in maintenance \(a\/0\) until \d+ \w+ 15:00/,
    );
    expect(ended).toMatch(/1 phone is still in maintenance \(a\/1: battery\) until \d+ \w+ 22:00/);
    expect(ended).toMatch(/ If other phones are still offline, you will be notified\.$/);
  });

  it('does not name maintenance until back for a phone that is back online', async () => {
    const rack = createRack();
    await rack.list(['a/0', 30], ['a/1', 30]);
    const { answer } = await rack.start({ devices: ['a/0'], for: '1h' });
    await rack.start({ groups: ['a'], until_back: true });
    await rack.list(['a/0', 0], ['a/1', 30]);
    await rack.list(['a/0', 0], ['a/1', 30]);
    expect((await rack.end(answer.id)).answer.text).toBe(
      'Maintenance ended. If phones are still offline, you will be notified.',
    );
  });
});
