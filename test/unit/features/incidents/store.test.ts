import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openIncident } from '../../../../src/alerts/incident.ts';
import { type Disk, HangingFile } from '../../../../src/base/disk.ts';
import { finish } from '../../../../src/base/steps.ts';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import { INCIDENTS_DOCUMENT, STATISTICS_DOCUMENT } from '../../../../src/features/incidents/document.ts';
import { LOGBOOK } from '../../../../src/features/incidents/memory.ts';
import { createIncidentsResponse } from '../../../../src/features/incidents/route.ts';
import { countsByDay } from '../../../../src/features/incidents/statistics.ts';
import { createIncidentKeeper, type KeptIncident } from '../../../../src/features/incidents/store.ts';
import { step } from '../../../../src/judge/step.ts';
import { type Account, NEW_ACCOUNT } from '../../../../src/model/account.ts';
import type { EndedIncident, Incident } from '../../../../src/model/incident.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/model/time.ts';
import { bareDevice, fleetDevice, fleetOf, NOON, STEP_SETTINGS } from '../../../builders.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { openDisk } from '../../../open-disk.ts';
import { requestOf } from '../../../route-sources.ts';
import { silentLog } from '../../../silent-log.ts';
import { incident as shownIncident } from '../../fleet/fleet.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const KYIV = createTimeZone('Europe/Kyiv');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const directory = (): string => join(folder, 'incidents');
const march = (): string => join(directory(), '2026-03.jsonl');
const readMarch = (): string => readFileSync(march(), 'utf8');

const phoneOffline = (id: string, since: number): Incident =>
  openIncident(
    { problem: 'sold_offline', since, deviceId: id, label: `rack-01/${id}`, group: 'rack-01' },
    since,
  );

const outage = (since: number): Incident => ({
  ...openIncident(
    {
      problem: 'common_cause',
      since,
      kind: 'group',
      value: 'rack-03',
      group: 'rack-03',
      members: new Map([
        ['p1', since],
        ['p2', since],
      ]),
    },
    since,
  ),
  mostSold: 1,
});

const end = (incident: Incident, endedAt: number): EndedIncident => ({
  ...incident,
  reason: 'back',
  endedAt,
  closedAt: endedAt,
});

/** The incident begins again with the same heartbeat. */
const again = ({ reason: _, endedAt: __, closedAt: ___, ...incident }: EndedIncident): Incident => incident;

/** An exporter with one account, which forgets resolved incidents after a day. */
function createWorld(keep = 14, disk: Disk = openDisk) {
  let now = NOON;
  const device = bareDevice({ id: 'p3', label: 'rack-07/p3' });
  let account: Account = { ...NEW_ACCOUNT, fleet: fleetOf(fleetDevice(device)) };
  const log: string[] = [];
  const problems: string[] = [];
  let turns = 0;
  const accounts = () => [{ name: 'main', account }];
  const keeperOf = () =>
    createIncidentKeeper({
      directory: directory(),
      keep,
      accounts,
      timeZone: () => KYIV,
      disk: openDisk,
      clock: { ...createFakeClock(), now: () => now },
      now: () => now,
      observe: async (_, observation) => {
        account = finish(
          step(account, observation, { ...STEP_SETTINGS, parts: [LOGBOOK.bind({ prices: [] })] }),
        );
      },
      reportFiles: (files, problem) => problems.push(`${files}: ${problem}`),
      yieldToEventLoop: async () => {
        turns += 1;
      },
      log: { ...silentLog, error: (_, text) => log.push(text), info: (_, text) => log.push(text) },
    });
  let keeper = keeperOf();
  const answer = createIncidentsResponse({
    directory: directory(),
    accounts,
    currencyOf: () => undefined,
    now: () => now,
    timeZone: () => KYIV,
    disk,
    yieldToEventLoop: async () => {},
    log: silentLog,
  });
  const respond = async (query: string, isGone = () => false) =>
    await answer(requestOf({ query: new URLSearchParams(query), isGone }));
  const ask = async (query: string) => {
    const reply = await respond(query);
    return { status: reply.status, text: Buffer.concat([...(reply.content as Iterable<Buffer>)]).toString() };
  };
  const list = async (query = '') => INCIDENTS_DOCUMENT.parse(JSON.parse((await ask(query)).text)).incidents;
  return {
    ...{ log, problems, ask, list },
    turns: () => turns,
    answer: respond,
    listedProblems: async (query = '') => (await list(query)).map(({ problem }) => problem).toSorted(),
    show: (open: readonly Incident[], ended: readonly EndedIncident[]) => {
      account = { ...account, incidents: { ...account.incidents, open, ended } };
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
      const { ended } = account.incidents;
      account = {
        ...account,
        incidents: { ...account.incidents, ended: ended.filter(({ endedAt }) => endedAt > now - DAY) },
      };
    },
    look: () => keeper.run(),
    rewrite: (kept: KeptIncident) =>
      keeper.rewrite(({ incident: { id } }) => (id === kept.incident.id ? [kept] : [])),
    restart: () => {
      keeper = keeperOf();
    },
    listedSince: (firstListedAt: number) => {
      const entry = fleetDevice(device);
      const fleet = fleetOf({ ...entry, times: { ...entry.times, firstListedAt } });
      account = { ...account, fleet };
    },
    now: () => now,
  };
}

/** A world that has written an outage into the file of March. */
async function createWrittenWorld() {
  const world = createWorld();
  world.show([], [end(outage(NOON - HOUR), NOON)]);
  await world.look();
  return world;
}

describe('the logbook', () => {
  it('has resolved incidents after the account has forgotten them, as they were', async () => {
    const world = await createWrittenWorld();
    world.pass(20 * DAY);
    expect(await world.list()).toMatchObject([
      { problem: 'common_cause', value: 'rack-03', allPhones: 2, mostSoldPhones: 1, reason: 'back' },
    ]);
    expect(await world.list('days=7')).toEqual([]);
  });

  it('has open ones and those that no file has yet, the newest first', async () => {
    const world = createWorld();
    world.show([phoneOffline('p7', NOON - MINUTE)], [end(outage(NOON - HOUR), NOON - 30 * MINUTE)]);
    const all = await world.list();
    expect(all.map(({ problem, endedAt }) => [problem, endedAt !== undefined])).toEqual([
      ['sold_offline', false],
      ['common_cause', true],
    ]);
    expect(await world.list('open=true')).toHaveLength(1);
    expect(await world.list('open=false')).toHaveLength(1);
  });

  it('has an incident that is written again after a failure cut the last line', async () => {
    const world = await createWrittenWorld();
    const incident = (await world.list())[0];
    if (incident === undefined) throw new Error('no incident');
    world.pass(2 * DAY);
    renameSync(directory(), `${directory()}.aside`);
    writeFileSync(directory(), '');
    await expect(world.rewrite({ incident, devices: [] })).rejects.toThrow();
    rmSync(directory());
    renameSync(`${directory()}.aside`, directory());
    appendFileSync(march(), '{"incident":{"id":');
    const notes = [{ text: 'cable replaced', by: 'Anna', at: incident.since ?? '' }];
    await world.rewrite({ incident: { ...incident, notes }, devices: [] });
    expect(await world.list()).toMatchObject([{ notes }]);
  });

  it('selects by group, by problem and by phone, with the outages that a phone was part of', async () => {
    const world = createWorld();
    world.show(
      [phoneOffline('p2', NOON - MINUTE)],
      [end(outage(NOON - HOUR), NOON - 30 * MINUTE), end(phoneOffline('p9', NOON - HOUR), NOON)],
    );
    expect(await world.listedProblems('device=p2')).toEqual(['common_cause', 'sold_offline']);
    expect(await world.listedProblems('device=rack-01/p9')).toEqual(['sold_offline']);
    expect(await world.listedProblems('group=rack-03')).toEqual(['common_cause']);
    expect(await world.listedProblems('problem=sold_offline&group=rack-01')).toHaveLength(2);
    expect(await world.listedProblems('account=other')).toEqual([]);
  });

  it('counts a mass outage for the groups of its phones', async () => {
    const world = createWorld();
    const many = { ...outage(NOON - HOUR), problem: 'many_sold_offline', kind: '', value: '' } as const;
    world.show([], [end({ ...many, members: new Map([['p3', NOON]]) }, NOON - 30 * MINUTE)]);
    expect(await world.list('group=rack-07')).toHaveLength(1);
    expect(await world.list('group=rack-08')).toHaveLength(0);
  });

  it.each([
    ['days=0', 'expected days=1 to 400'],
    ['days=401', 'expected days=1 to 400'],
    ['days=1e3', 'expected days=1 to 400'],
    ['problem=silent', 'expected problem=sold_offline'],
    ['open=yes', 'expected open=true or open=false'],
    ['format=xml', 'expected format=csv or format=json'],
    ['by=group&format=csv', 'expected format=json with by'],
  ])('refuses %s and says what it expected', async (query, text) => {
    const reply = await createWorld().ask(query);
    expect(reply).toMatchObject({ status: 400, text: expect.stringContaining(text) });
  });

  it('writes a CSV in which a spreadsheet sees no formula', async () => {
    const world = createWorld();
    const odd = { ...phoneOffline('p1', NOON - HOUR), label: '=1+1' };
    world.show([], [end(odd, NOON - 30 * MINUTE)]);
    const { text } = await world.ask('format=csv&separator=semicolon');
    expect(text).toContain(`;1800;"Sold, offline";"'=1+1";main;critical;1;1;back;;;0;;;\n`);
  });

  it('writes a CSV with commas unless semicolons are asked for', async () => {
    expect((await createWorld().ask('format=csv')).text).toMatch(/^\uFEFFsince,resolved,/);
    expect((await createWorld().ask('format=csv&separator=semicolon')).text).toMatch(
      /^\uFEFFsince;resolved;/,
    );
  });

  it('puts an incident into the file of the local month in which it ended', async () => {
    const world = createWorld();
    const midnight = Date.parse('2026-03-31T21:00:00Z');
    world.show(
      [],
      [end(outage(midnight - HOUR), midnight - 1), end(phoneOffline('p1', midnight), midnight + 1)],
    );
    await world.look();
    expect(readdirSync(directory()).toSorted()).toEqual(['2026-03.jsonl', '2026-04.jsonl']);
  });

  it('removes the oldest months', async () => {
    const world = createWorld(2);
    for (let month = 0; month < 4; month += 1) {
      world.show([], [end(outage(world.now() - HOUR), world.now())]);
      await world.look();
      world.pass(31 * DAY);
    }
    expect(readdirSync(directory())).toHaveLength(2);
  });

  it('does not remove a month for the file of a month to come', async () => {
    const world = createWorld(1);
    mkdirSync(directory());
    writeFileSync(join(directory(), '2099-01.jsonl'), '');
    world.show([], [end(outage(NOON - HOUR), NOON)]);
    await world.look();
    expect(readdirSync(directory())).toContain('2026-03.jsonl');
  });

  it('leaves out damaged lines, and continues after a line that a crash cut off', async () => {
    const world = await createWrittenWorld();
    appendFileSync(march(), 'null\n[]\n{"incident":{"id":1},"devices":[]}\n{"incident":{"id":"x"');
    world.restart();
    world.show([], [end(phoneOffline('p5', NOON - HOUR), NOON + 1)]);
    await world.look();
    expect(await world.listedProblems()).toEqual(['common_cause', 'sold_offline']);
  });

  it('keeps an incident that waited for space on a disk, after a line that the full disk has cut', async () => {
    const world = await createWrittenWorld();
    const kept = readMarch();
    rmSync(march());
    mkdirSync(march());
    world.show([], [end(outage(NOON - HOUR), NOON), end(phoneOffline('p5', NOON - HOUR), NOON + 1)]);
    await world.look();
    rmSync(march(), { recursive: true });
    writeFileSync(march(), `${kept}{"incident":{"id":"sold_off`);
    await world.look();
    world.pass(2 * DAY);
    expect(await world.listedProblems()).toEqual(['common_cause', 'sold_offline']);
  });

  it.each([
    ['without a severity', { severity: undefined }],
    ['with a label that is no text', { label: 5 }],
    ['with a problem that does not exist', { problem: 'nonsense' }],
    ['that ends before it starts', { since: '2026-03-01T11:30:00Z', endedAt: '2026-03-01T11:00:00Z' }],
    ['with a start that is no instant', { since: 'soon' }],
  ])('leaves out a line %s, and shows the others', async (_, change) => {
    const world = await createWrittenWorld();
    const line = JSON.parse(readMarch().trim().split('\n').at(-1) ?? '');
    const incident = { ...line.incident, id: 'other', ...change };
    appendFileSync(march(), `${JSON.stringify({ ...line, incident })}\n`);
    expect(await world.list()).toHaveLength(1);
    expect((await world.ask('format=csv')).text.trim().split('\n')).toHaveLength(2);
  });

  it('leaves out a field that it does not write', async () => {
    const world = createWorld();
    world.show([], [end(outage(NOON - 2 * DAY), NOON - DAY + 1)]);
    await world.look();
    const file = join(directory(), '2026-02.jsonl');
    const text = readFileSync(file, 'utf8').replace('"incident":{', '"incident":{"password":"canary",');
    writeFileSync(file, text);
    world.pass(DAY);
    expect((await world.ask('')).text).toMatch(/^(?!.*canary).*common_cause/s);
  });

  it('shows the other months when the file of a month cannot be read', async () => {
    const world = await createWrittenWorld();
    world.pass(2 * DAY);
    mkdirSync(join(directory(), '2026-02.jsonl'));
    expect(await world.list()).toHaveLength(1);
  });

  it('says how far back it knows incidents if the folder cannot be read', async () => {
    const world = createWorld();
    writeFileSync(directory(), 'a file in place of the folder');
    const known = async () => JSON.parse((await world.ask('days=31')).text).from;
    // Without a phone and an incident, nothing was watched.
    expect(await known()).toBe(new Date(NOON).toISOString());
    world.show([], [end(outage(NOON - 3 * DAY), NOON - HOUR)]);
    expect(await known()).toBe(new Date(NOON - DAY).toISOString());
  });

  it('shows the last day if the folder stops responding at any step of a response', async () => {
    for (const last of [0, 1, 2, 3, 4]) {
      let uses = 0;
      const world = createWorld(14, {
        ...openDisk,
        use: async (path, operation) => {
          uses += 1;
          if (uses > last) throw new HangingFile(`${path} does not respond`);
          return await operation();
        },
      });
      world.show([], [end(outage(NOON - HOUR), NOON - MINUTE)]);
      await world.look();
      expect(await world.list()).toHaveLength(1);
    }
  });

  it('names a phone that left as its incidents do', async () => {
    const world = createWorld();
    world.show([phoneOffline('p1', NOON - HOUR)], []);
    const { rows } = STATISTICS_DOCUMENT.parse(JSON.parse((await world.ask('by=phone')).text));
    expect(rows.map(({ name }) => name)).toEqual(['total', 'rack-01/p1']);
  });

  it('reads the files once for requests that arrive together', async () => {
    const world = createWorld();
    const replies = await Promise.all(['days=31', 'days=31', 'days=30'].map((query) => world.answer(query)));
    expect(replies[0]).toBe(replies[1]);
    expect(replies[0]).not.toBe(replies[2]);
    expect(await world.answer('days=31')).not.toBe(replies[0]);
  });

  it('stops reading for clients that are all gone', async () => {
    const world = await createWrittenWorld();
    const [gone, waiting] = await Promise.all([world.answer('days=31', () => true), world.answer('days=30')]);
    expect(gone.status).toBe(503);
    expect(waiting.status).toBe(200);
  });

  it('writes thousands of incidents in many turns, and does not look at them again', async () => {
    const world = createWorld();
    const ended = Array.from({ length: 10_000 }, (_, index) =>
      end(phoneOffline(`p${index}`, NOON - HOUR), NOON),
    );
    let looks = 0;
    const watched = new Proxy(ended, {
      get: (target, property) => {
        if (/^\d+$/.test(String(property))) looks += 1;
        return Reflect.get(target, property);
      },
    });
    world.show([], watched);
    await world.look();
    expect(world.turns()).toBeGreaterThanOrEqual(20);
    const looksOfFirst = looks;
    await world.look();
    expect(looks).toBe(looksOfFirst);
    world.show([], [...ended, end(phoneOffline('other', NOON - HOUR), NOON)]);
    const turnsBefore = world.turns();
    await world.look();
    expect(world.turns() - turnsBefore).toBeLessThan(5);
    expect(await world.list()).toHaveLength(10_001);
  });

  it('keeps what it cannot write for longer than the account does, says so once, and writes it later', async () => {
    const world = createWorld();
    writeFileSync(directory(), 'a file in place of the folder');
    world.show([], [end(outage(NOON - HOUR), NOON)]);
    await world.look();
    await world.look();
    expect(world.problems.at(-1)).toMatch(/^incident: the incident files cannot be written: its folder is a/);
    world.pass(3 * DAY);
    world.restart();
    await world.look();
    expect(await world.list()).toHaveLength(1);
    rmSync(directory());
    await world.look();
    expect(world.problems.at(-1)).toBe('incident: undefined');
    expect(readMarch()).toContain('rack-03');
    await world.look();
    expect(await world.list()).toHaveLength(1);
    const failure = expect.stringContaining('the incident files cannot be written');
    expect(world.log).toEqual([failure, failure, 'writing the incident files works again']);
  });

  it('keeps the end and the notes that a file has where an older state is restored', async () => {
    const world = createWorld();
    const incident = outage(NOON - HOUR);
    world.show([], [end(incident, NOON)]);
    await world.look();
    const [kept] = await world.list();
    const notes = [{ text: 'cable replaced', by: 'Anna', at: '2026-03-01T12:00:00.000Z' }];
    if (kept === undefined) throw new Error('no incident');
    await world.rewrite({ incident: { ...kept, notes }, devices: ['p1', 'p2'] });
    world.restart();
    world.show([incident], []);
    expect(await world.list()).toMatchObject([{ endedAt: '2026-03-01T12:00:00.000Z', notes }]);
    world.pass(HOUR);
    world.show([], [end(incident, NOON + HOUR)]);
    await world.look();
    world.pass(2 * DAY);
    expect(await world.list()).toMatchObject([{ endedAt: '2026-03-01T12:00:00.000Z', notes }]);
  });

  it('reads a file with a byte order mark whole', async () => {
    const world = await createWrittenWorld();
    const [, line = ''] = readMarch().trim().split(/\n+/);
    writeFileSync(march(), `\uFEFF${line}\r\n`);
    world.pass(2 * DAY);
    expect(await world.list()).toHaveLength(1);
  });

  it('refuses days with more incidents than fit into the memory, and says what to ask for', async () => {
    const world = await createWrittenWorld();
    appendFileSync(march(), `${'x'.repeat(1_023)}\n`.repeat(96 * 1_024));
    expect(await world.ask('days=400')).toEqual({
      status: 400,
      text: 'too many incidents for one response: request fewer than 400 days\n',
    });
  });

  it('says that its folder has gone, and does not create another one in its place', async () => {
    const world = createWorld();
    await world.look();
    renameSync(directory(), `${directory()}.unmounted`);
    world.show([], [end(outage(NOON - HOUR), NOON)]);
    await world.look();
    expect(world.problems.at(-1)).toMatch(/its folder has gone: mount its volume/);
    expect(readdirSync(folder)).toEqual(['incidents.unmounted']);
    renameSync(`${directory()}.unmounted`, directory());
    await world.look();
    expect(world.problems.at(-1)).toBe('incident: undefined');
    expect(readMarch()).toContain('rack-03');
  });

  it('is known since its folder was begun, for a day at least, and not since the phones were', async () => {
    const world = createWorld();
    world.listedSince(NOON - 20 * DAY);
    const from = async (): Promise<string> => JSON.parse((await world.ask('days=31')).text).from;
    const daysBefore = (days: number): string => new Date(NOON - days * DAY).toISOString();
    expect(await from()).toBe(daysBefore(1));
    await world.look();
    expect(await from()).toBe(daysBefore(1));
    world.pass(3 * DAY);
    expect(await from()).toBe(daysBefore(0));
    rmSync(directory(), { recursive: true });
    expect(await from()).toBe(daysBefore(-2));
  });

  it('has each incident once, and none lost, over kills, restarts and incidents that begin again', async () => {
    const action = fc.constantFrom('open', 'end', 'look', 'crash', 'reopen', 'pass');
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 60 }), async (actions) => {
        rmSync(directory(), { recursive: true, force: true });
        const world = createWorld();
        let open: readonly Incident[] = [];
        let ended: readonly EndedIncident[] = [];
        const all = new Map<string, number | undefined>();
        for (const [index, each] of actions.entries()) {
          if (each === 'open') open = [...open, phoneOffline(`p${index}`, world.now())];
          if (each === 'end') {
            ended = [...ended, ...open.map((one) => end(one, world.now()))];
            open = [];
          }
          if (each === 'reopen') {
            const last = ended.at(-1);
            // It opens later than before.
            const openedAt = world.now() + index + 1;
            if (last !== undefined && !open.some(({ id }) => id === last.id))
              open = [...open, { ...again(last), openedAt }];
            ended = ended.filter(({ id }) => id !== last?.id);
          }
          for (const { id } of open) all.set(id, undefined);
          for (const { id, endedAt } of ended) all.set(id, endedAt);
          world.show(open, ended);
          if (each === 'look' || each === 'pass') await world.look();
          if (each === 'crash') world.restart();
          if (each === 'pass') {
            world.pass(2 * HOUR);
            ended = ended.filter(({ endedAt }) => endedAt > world.now() - DAY);
          }
        }
        await world.look();
        const shown = await world.list('days=31');
        expect(new Map(shown.map(({ id, endedAt }) => [id, endedAt && Date.parse(endedAt)]))).toEqual(all);
        expect(shown).toHaveLength(all.size);
        expect(shown.every(({ since = '', endedAt = since }) => endedAt >= since)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

it('the bars count what opened on each local day, today last', () => {
  const days = countsByDay(
    [
      shownIncident({ openedAt: '2026-02-28T22:30:00.000Z' }),
      shownIncident({ openedAt: '2026-03-01T09:00:00.000Z', severity: 'warning' }),
      shownIncident({ openedAt: '2026-02-27T09:00:00.000Z' }),
    ],
    (instant) => new Date(instant + 2 * HOUR).toISOString().slice(0, 10),
    NOON,
  );
  expect(days).toHaveLength(31);
  expect(days.slice(-3)).toEqual([
    { date: '2026-02-27', critical: 1, others: 0 },
    { date: '2026-02-28', critical: 0, others: 0 },
    { date: '2026-03-01', critical: 1, others: 1 },
  ]);
});
