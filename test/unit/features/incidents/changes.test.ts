import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemory } from '../../../../src/daemon/memory.ts';
import type { StatisticsDocument } from '../../../../src/features/incidents/document.ts';
import { buildFleetDocument } from '../../../../src/fleet/build.ts';
import type { CoreDocument, FleetIncident } from '../../../../src/fleet/document.ts';
import { gzipBody } from '../../../../src/metrics/page.ts';
import { NOTHING_KNOWN } from '../../../../src/model/account.ts';
import { bareDevice, NOON } from '../../../builders.ts';
import { dependenciesOf } from '../../../dependencies.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { familiesOf, USUAL_FEATURES } from '../../../features.ts';
import { observeList } from '../../../observed-list.ts';
import { renderedPage } from '../../../rendered-page.ts';
import { requestOf, routeOf } from '../../../route-sources.ts';
import { load } from '../../config/sources.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const fileOf = (more: string, currency: string) => `
accounts:
- { name: main, api_url: "https://api.example.com", api_key_env: KEY, currency: ${currency} }
- { name: second, api_url: "https://api.example.com", api_key_env: KEY }
offline: { after: 10m }
prices: [{ cents_per_day: 1440 }]
web: { enable_changes: true }
incidents: { directory: "${join(folder, 'incidents')}" }
${more}`;

const LOCAL = { login: undefined, isLocal: true };
const STRANGER = { login: undefined, isLocal: false };

/** The phones of a third rack have names with a q. */
const labelOf = (id: string): string => `${id.startsWith('q') ? 'rack-03' : 'rack-01'}/${id}`;

/** A daemon without a network, with sold phones that report every 30 s unless they are off. */
function createRack({
  config = 'alerts: { escalate_after: 15m }',
  save = async (): Promise<string | undefined> => undefined,
} = {}) {
  const clock = createFakeClock();
  const dependencies = dependenciesOf({ clock });
  const settingsIn = (currency: string) =>
    load({ file: fileOf(config, currency), environment: { KEY: 'secret' } }).config;
  let settings = settingsIn('EUR');
  const start = (earlier: Parameters<typeof createMemory>[2]['earlier']) =>
    createMemory(settings, dependencies, {
      ...{ earlier, save, onChange: () => {}, onEvents: () => {}, settled: async () => {} },
    });
  let memory = start(NOTHING_KNOWN);
  let apiTime = NOON;
  const heartbeats = new Map(['p1', 'p2'].map((id) => [id, NOON]));
  /** Phones of the second account, which report seven seconds before a list. */
  const others = new Map<string, number>();
  const off = new Set<string>();
  const idle = new Set<string>();
  const list = async (): Promise<void> => {
    apiTime += 30_000;
    clock.advance(30_000);
    for (const id of heartbeats.keys()) if (!off.has(id)) heartbeats.set(id, apiTime);
    const devices = Array.from(heartbeats, ([id, lastHeartbeatAt]) => {
      const rentalStatus = idle.has(id) ? 'idle' : 'sold';
      return bareDevice({ id, label: labelOf(id), lastHeartbeatAt, rentalStatus });
    });
    await observeList(memory, clock, apiTime, devices);
    if (others.size === 0) return;
    for (const id of others.keys()) if (!off.has(id)) others.set(id, apiTime - 7_000);
    const second = Array.from(others, ([id, lastHeartbeatAt]) =>
      bareDevice({ id, label: labelOf(id), lastHeartbeatAt, rentalStatus: 'sold' }),
    );
    await observeList(memory, clock, apiTime, second, 'second');
  };
  const ask = async (own: Parameters<typeof requestOf>[0]) => {
    const { status, content } = await routeOf(memory, '/api/v1/incidents')(requestOf(own));
    return { status, text: Buffer.concat(content).toString() };
  };
  return {
    ...{ off, idle, others },
    addPhones: (...ids: readonly string[]): void => {
      for (const id of ids) heartbeats.set(id, NOON);
    },
    list,
    /** Lets time pass without a list. */
    wait: (minutes: number): void => {
      apiTime += minutes * MINUTE;
      clock.advance(minutes * MINUTE);
    },
    pass: async (minutes: number): Promise<void> => {
      for (let half = 0; half < 2 * minutes; half += 1) await list();
    },
    post: async (body: object, sender = LOCAL) =>
      await ask({
        ...{ method: 'POST', contentType: 'application/json', sender },
        body: async () => JSON.stringify(body),
      }),
    get: async (query: string) => (await ask({ query: new URLSearchParams(query) })).text,
    document: async (): Promise<CoreDocument> => {
      const built = await buildFleetDocument(
        memory.store.snapshot(),
        {
          ...{ version: '0', pollSeconds: { devices: 30, tunnels: 30, balance: 30 } },
          ...{ allowsChanges: true, timeZone: 'UTC', grafanaUrl: undefined },
        },
        async () => {},
      );
      let whole: CoreDocument = built;
      for (const feature of memory.features) whole = { ...whole, ...feature.document?.(whole) };
      return whole;
    },
    work: async () => {
      for (const feature of memory.features) await feature.work?.run();
    },
    restart: (currency = 'EUR') => {
      settings = settingsIn(currency);
      memory = start(memory.saved());
    },
    setClock: (milliseconds: number) => clock.step(milliseconds),
    metrics: () => memory.store.snapshot(),
  };
}

type Rack = ReturnType<typeof createRack>;

/** Acknowledges the incident that is open. */
const acknowledge = async (rack: Rack, by?: string) =>
  await rack.post({ incident: (await openOf(rack)).id, acknowledge: true, ...(by !== undefined && { by }) });

const isEscalated = async (rack: Rack): Promise<boolean | undefined> => (await openOf(rack)).escalated;

/** Looks for what is due, and returns whether the open incident is escalated then. */
const isEscalatedNow = async (rack: Rack): Promise<boolean | undefined> => {
  await rack.work();
  return await isEscalated(rack);
};

const openOf = async (rack: Rack): Promise<FleetIncident> => {
  const [incident] = (await rack.document()).incidents.filter(({ endedAt }) => endedAt === undefined);
  if (incident === undefined) throw new Error('no incident is open');
  return incident;
};

/** A rack with one phone that has been offline for some minutes. */
async function withOutage(options: Parameters<typeof createRack>[0] = {}): Promise<Rack> {
  const rack = createRack(options);
  await rack.pass(5);
  rack.off.add('p1');
  await rack.pass(14);
  return rack;
}

/** A rack with an incident that only its file has. */
async function withOldIncident() {
  const rack = await withOutage();
  const { id } = await openOf(rack);
  rack.off.clear();
  await rack.pass(3);
  await rack.work();
  await rack.pass(25 * 60);
  return { rack, id };
}

describe('somebody who acknowledges an incident', () => {
  it('is in the JSON, and the incident stays open', async () => {
    const rack = await withOutage();
    const answer = await acknowledge(rack, 'Anna');
    expect(answer).toEqual({ status: 200, text: JSON.stringify({ text: 'Anna is on it.' }) });
    const incident = await openOf(rack);
    expect(incident.acknowledgedBy).toBe('Anna');
    expect((incident.acknowledgedAt ?? '') >= (incident.openedAt ?? 'none')).toBe(true);
  });

  it('is known also if our clock is behind and no list has come since the start', async () => {
    const rack = await withOutage();
    rack.setClock(-120 * MINUTE);
    rack.restart();
    await acknowledge(rack, 'Anna');
    expect((await openOf(rack)).acknowledgedBy).toBe('Anna');
  });

  it('is not known if that cannot be saved, and gets the reason', async () => {
    const rack = await withOutage({ save: async () => 'the disk is full' });
    const answer = await acknowledge(rack);
    expect(answer).toEqual({ status: 507, text: 'nothing was changed: the disk is full\n' });
    expect((await openOf(rack)).acknowledgedBy).toBeUndefined();
  });

  it.each([
    [{ incident: 'no-such', acknowledge: true }, 404, 'This incident is not open'],
    [{ acknowledge: true }, 400, 'expected JSON with incident'],
    [{ incident: 'x', acknowledge: true, note: 'both' }, 400, 'expected JSON with incident'],
    [{ incident: 'x', device: 'p1', note: 'both' }, 400, 'expected JSON with incident'],
    [{ device: 'p1', note: ' ' }, 400, 'expected a note of 1 to 500 characters, got 0'],
    [{ device: 'p1', note: 'é'.repeat(501) }, 400, 'expected a note of 1 to 500 characters, got 501'],
    [{ device: 'p9', note: 'x' }, 404, 'No phone has this ID or label'],
    [{ incident: 'x', note: 'x' }, 404, 'No incident has this ID'],
    [{ account: 'other', device: 'p1', note: 'x' }, 404, 'No phone has this ID or label'],
  ])('is told what is wrong with %j', async (body, status, text) => {
    const rack = await withOutage();
    const answer = await rack.post(body);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
  });

  it('needs what maintenance needs', async () => {
    const rack = await withOutage();
    const { id } = await openOf(rack);
    expect((await rack.post({ incident: id, acknowledge: true }, STRANGER)).status).toBe(403);
    expect((await rack.post({ device: 'p1', note: 'x' }, STRANGER)).status).toBe(403);
  });
});

describe('an acknowledgement', () => {
  it("stays the first person's, and a second person is told who it is and since when", async () => {
    const rack = await withOutage();
    const { id } = await openOf(rack);
    await rack.post({ incident: id, acknowledge: true, by: 'Anna' });
    const { acknowledgedAt } = await openOf(rack);
    await rack.pass(5);
    const { status, text } = await rack.post({ incident: id, acknowledge: true, by: 'Olena' });
    expect([status, JSON.parse(text).text]).toEqual([
      200,
      expect.stringMatching(/^Anna has been on it since 1 Mar \d\d:\d\d UTC\.$/),
    ]);
    expect(await openOf(rack)).toMatchObject({ acknowledgedBy: 'Anna', acknowledgedAt });
  });

  it('has a name in the metrics that is not a long label', async () => {
    const rack = await withOutage();
    const by = '🐘'.repeat(64);
    await acknowledge(rack, by);
    await rack.list();
    const body = gzipBody(await renderedPage(familiesOf(USUAL_FEATURES), rack.metrics()));
    const page = gunzipSync(Buffer.concat(body.chunks)).toString();
    const name = /acknowledged_by="(🐘+…)"/u.exec(page)?.[1] ?? '';
    expect(Buffer.byteLength(name)).toBe(127);
  });

  it('of a common cause applies to its incident in each account, and so does taking it back', async () => {
    const rack = createRack();
    const cut = ['p1', 'p2', 'p3', 'p4', 's1', 's2', 's3', 's4'];
    rack.addPhones('p3', 'p4', 'q1', 'q2', 'q3', 'q4');
    for (const id of ['s1', 's2', 's3', 's4', 'q5', 'q6', 'q7', 'q8']) rack.others.set(id, NOON);
    await rack.pass(30);
    for (const id of cut) rack.off.add(id);
    await rack.pass(15);
    const open = async () => (await rack.document()).incidents.filter(({ endedAt }) => endedAt === undefined);
    const incidents = await open();
    expect(incidents.map(({ account, problem }) => [account, problem])).toEqual([
      ['main', 'common_cause'],
      ['second', 'common_cause'],
    ]);
    const [own, other] = incidents;
    expect(own?.id).not.toBe(other?.id);
    await rack.post({ incident: other?.id, account: 'second', acknowledge: true, by: 'Anna' });
    expect((await open()).map(({ acknowledgedBy }) => acknowledgedBy)).toEqual(['Anna', 'Anna']);
    await rack.post({ incident: own?.id, acknowledge: true, by: 'Ben' });
    expect((await open()).map(({ acknowledgedBy }) => acknowledgedBy)).toEqual(['Anna', 'Anna']);
    await rack.post({ incident: own?.id, acknowledge: false });
    expect((await open()).map(({ acknowledgedBy }) => acknowledgedBy)).toEqual([undefined, undefined]);
  });

  it('can be taken back, and then the incident is escalated from its opening on', async () => {
    const rack = await withOutage();
    const { id } = await openOf(rack);
    expect((await rack.post({ incident: id, acknowledge: false })).text).toBe('{"text":"Nobody is on it."}');
    await rack.post({ incident: id, acknowledge: true, by: 'Anna' });
    await rack.pass(20);
    expect(await isEscalatedNow(rack)).toBeUndefined();
    const { text } = await rack.post({ incident: id, acknowledge: false, by: 'Anna' });
    expect(JSON.parse(text).text).toBe('Nobody is on it any more.');
    await rack.work();
    expect(await openOf(rack)).toMatchObject({ escalated: true });
    expect((await openOf(rack)).acknowledgedBy).toBeUndefined();
  });
});

describe('an incident that nobody acknowledges', () => {
  it('is escalated after a time, until somebody does', async () => {
    const rack = await withOutage();
    expect(await isEscalatedNow(rack)).toBeUndefined();
    await rack.pass(15);
    expect(await isEscalatedNow(rack)).toBe(true);
    await acknowledge(rack);
    expect(await isEscalated(rack)).toBeUndefined();
    await rack.pass(30);
    expect(await isEscalatedNow(rack)).toBeUndefined();
  });

  it('is escalated while nothing can be polled, also after a restart, and stays so when polls work again', async () => {
    const rack = await withOutage();
    await rack.work();
    rack.wait(8);
    rack.restart();
    expect(await isEscalatedNow(rack)).toBeUndefined();
    rack.wait(8);
    expect(await isEscalatedNow(rack)).toBe(true);
    await rack.list();
    expect(await isEscalatedNow(rack)).toBe(true);
  });

  it('is not escalated by a clock that is set', async () => {
    const rack = await withOutage();
    await rack.work();
    rack.setClock(DAY);
    await rack.list();
    expect(await isEscalatedNow(rack)).toBeUndefined();
  });

  it('is not escalated without alerts.escalate_after', async () => {
    const rack = await withOutage({ config: '' });
    await rack.pass(600);
    expect(await isEscalatedNow(rack)).toBeUndefined();
  });
});

describe('a note', () => {
  it('is on the incident while it is open, after its end, and in its file a day later', async () => {
    const rack = await withOutage();
    const { id } = await openOf(rack);
    await rack.post({ incident: id, note: 'cable\nreplaced', by: 'Anna' });
    expect((await openOf(rack)).notes).toMatchObject([{ text: 'cable replaced', by: 'Anna' }]);
    rack.off.clear();
    await rack.pass(3);
    await rack.work();
    await rack.post({ incident: id, note: 'fuse was gone' });
    await rack.work();
    expect(await rack.get('format=csv')).toContain('cable replaced; fuse was gone');
    await rack.pass(25 * 60);
    expect((await rack.document()).incidents).toEqual([]);
    expect((await rack.post({ incident: id, note: 'new cable ordered' })).status).toBe(200);
    expect(await rack.get('format=csv')).toContain('cable replaced; fuse was gone; new cable ordered');
    expect(JSON.parse(await rack.get('')).incidents).toHaveLength(1);
  });

  it('of a later day is kept next to another of that moment', async () => {
    const { rack, id } = await withOldIncident();
    const notes = ['one', 'two', 'three'];
    const answers = await Promise.all(notes.map(async (note) => await rack.post({ incident: id, note })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await rack.get('format=csv')).toContain('one; two; three');
  });

  it('is on a phone by its id or label; the last ten are kept', async () => {
    const rack = await withOutage();
    for (let count = 1; count <= 12; count += 1)
      await rack.post({ device: count % 2 === 0 ? 'p2' : 'rack-01/p2', note: `note ${count}` });
    const phone = (await rack.document()).phones.find(({ id }) => id === 'p2');
    expect(phone?.notes?.map(({ text }) => text)).toEqual(
      Array.from({ length: 10 }, (_, index) => `note ${index + 3}`),
    );
  });
});

describe('the last note', () => {
  const directory = (): string => join(folder, 'incidents');
  /** Returns all texts of the files of the logbook. */
  const files = (): string =>
    (existsSync(directory()) ? readdirSync(directory()) : [])
      .map((name) => readFileSync(join(directory(), name), 'utf8'))
      .join('');
  const note = (rack: Rack, body: object) =>
    rack.post({ note: 'wifi password hunter22', by: 'Anna', ...body });

  it.each<[string, () => Promise<{ rack: Rack; subject: object }>]>([
    [
      'an open incident',
      async () => {
        const rack = await withOutage();
        return { rack, subject: { incident: (await openOf(rack)).id } };
      },
    ],
    [
      'a resolved incident that is in its file',
      async () => {
        const rack = await withOutage();
        const { id } = await openOf(rack);
        rack.off.clear();
        await rack.pass(3);
        return { rack, subject: { incident: id } };
      },
    ],
    [
      'an incident that only its file has',
      async () => {
        const { rack, id } = await withOldIncident();
        return { rack, subject: { incident: id } };
      },
    ],
    ['a phone', async () => ({ rack: await withOutage(), subject: { device: 'p1' } })],
  ])('on %s can be corrected and removed, and is in no file then', async (_, begin) => {
    const { rack, subject } = await begin();
    await note(rack, { ...subject, note: 'cable replaced' });
    rack.wait(1);
    const { at } = JSON.parse((await note(rack, subject)).text);
    await rack.work();
    const corrected = await note(rack, { ...subject, note: 'wifi is new', replaces: at, by: 'Olena' });
    expect(JSON.parse(corrected.text)).toEqual({ text: 'The note is corrected.', at });
    await rack.work();
    const shown = async () => `${JSON.stringify(await rack.document())}${await rack.get('')}`;
    expect(await shown()).toContain('wifi is new');
    const removed = await note(rack, { ...subject, note: '', replaces: at });
    expect(JSON.parse(removed.text).text).toBe('The note is removed.');
    await rack.work();
    expect(await shown()).toContain('cable replaced');
    expect(`${await shown()}${files()}`).not.toMatch(/hunter22|wifi is new/);
    expect((await note(rack, { ...subject, replaces: at })).status).toBe(404);
    // The last one is that from before.
    expect((await note(rack, { ...subject, note: 'fuse replaced', replaces: 'last' })).status).toBe(200);
    expect(await shown()).toContain('fuse replaced');
    expect((await note(rack, { ...subject, note: '', replaces: 'last' })).status).toBe(200);
    await rack.work();
    expect(`${await shown()}${files()}`).not.toMatch(/fuse replaced|cable replaced/);
    expect((await note(rack, { ...subject, note: '', replaces: 'last' })).status).toBe(404);
  });
});

describe('the sold time of an incident', () => {
  const lostBy = (rack: Rack): number =>
    rack.metrics().accounts[0]?.known.fleet?.devices.get('p1')?.times.milliseconds.sold_offline ?? 0;

  it('is the same as in the month, with its price', async () => {
    const rack = await withOutage();
    await rack.pass(10);
    const lost = lostBy(rack);
    const incident = await openOf(rack);
    expect(lost).toBeGreaterThan(10 * MINUTE);
    expect(incident.soldOfflineSeconds).toBe(lost / 1000);
    expect(incident).toMatchObject({ estimatedCents: Math.round(lost / MINUTE), currency: 'EUR' });
  });

  it('has a price that starts again in another currency', async () => {
    const rack = await withOutage();
    const before = lostBy(rack);
    rack.restart('VND');
    await rack.pass(10);
    const incident = await openOf(rack);
    expect(incident).toMatchObject({
      soldOfflineSeconds: lostBy(rack) / 1000,
      estimatedCents: Math.round((lostBy(rack) - before) / MINUTE),
      currency: 'VND',
    });
  });

  it.each([
    ['before the first list', async (rack: Rack) => rack.wait(60)],
    [
      'in which the exporter was down',
      async (rack: Rack) => {
        await rack.pass(5);
        rack.wait(60);
        rack.restart();
      },
    ],
    [
      'in which the phone was idle',
      async (rack: Rack) => {
        rack.idle.add('p1');
        await rack.pass(60);
        rack.idle.clear();
      },
    ],
  ])('leaves out the time %s, as the month does', async (_, pass) => {
    const rack = createRack();
    rack.off.add('p1');
    await pass(rack);
    await rack.pass(15);
    expect((await openOf(rack)).soldOfflineSeconds).toBe(lostBy(rack) / 1000);
  });

  it('is summed up by group, phone and month, next to the period before', async () => {
    const rack = await withOutage();
    const { soldOfflineSeconds } = await openOf(rack);
    await acknowledge(rack);
    for (const [by, name] of [
      ['group', 'rack-01'],
      ['phone', 'rack-01/p1'],
      ['month', '2026-03'],
      ['tag:carrier', 'no value'],
    ]) {
      const { rows }: StatisticsDocument = JSON.parse(await rack.get(`by=${by}`));
      expect(rows.map((row) => row.name)).toEqual(['total', name]);
      expect(rows[1]).toMatchObject({ incidents: 1, open: 1, soldOfflineSeconds, before: { incidents: 0 } });
      expect(rows[1]?.acknowledgeSeconds).toBeGreaterThanOrEqual(0);
    }
    expect(await rack.get('by=colour')).toContain('expected by=group');
  });
});

describe('over random lives', () => {
  const operation = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ what: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 40 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ what: fc.constant('switch' as const), id: fc.constantFrom('p1', 'p2') }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constantFrom<'acknowledge' | 'take back' | 'note'>('acknowledge', 'take back', 'note'),
        saves: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ what: fc.constantFrom<'work' | 'restart'>('work', 'restart') }) },
  );

  it('loses nothing that was answered, keeps nothing that was refused, and calls nobody twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
        rmSync(join(folder, 'incidents'), { recursive: true, force: true });
        let isFull = false;
        const rack = createRack({
          config: 'alerts: { escalate_after: 15m }',
          save: async () => (isFull ? 'full' : undefined),
        });
        const notes = new Map<string, string[]>();
        const acknowledged = new Set<string>();
        await rack.pass(3);
        for (const [index, each] of operations.entries()) {
          if (each.what === 'pass') await rack.pass(each.minutes);
          else if (each.what === 'switch')
            rack.off.has(each.id) ? rack.off.delete(each.id) : rack.off.add(each.id);
          else if (!('saves' in each)) await (each.what === 'work' ? rack.work() : rack.restart());
          else {
            const [open] = (await rack.document()).incidents.filter(({ endedAt }) => endedAt === undefined);
            if (open === undefined) continue;
            isFull = !each.saves;
            const key = `${open.id} ${open.openedAt}`;
            const wantsOne = each.what === 'acknowledge';
            const body = each.what === 'note' ? { note: `note ${index}` } : { acknowledge: wantsOne };
            // The first one stays, and what nobody did cannot be taken back: nothing is written.
            const isSame = each.what !== 'note' && acknowledged.has(key) === wantsOne;
            const { status } = await rack.post({ incident: open.id, ...body });
            isFull = false;
            expect(status).toBe(each.saves || isSame ? 200 : 507);
            if (!each.saves) continue;
            if (each.what === 'note') notes.set(open.id, [...(notes.get(open.id) ?? []), `note ${index}`]);
            else if (wantsOne) acknowledged.add(key);
            else acknowledged.delete(key);
          }
          const { incidents } = await rack.document();
          for (const { id, openedAt, acknowledgedBy, escalated } of incidents) {
            expect(acknowledgedBy !== undefined).toBe(acknowledged.has(`${id} ${openedAt}`));
            expect(escalated === true && acknowledgedBy !== undefined).toBe(false);
          }
        }
        await rack.work();
        const { incidents }: { incidents: readonly FleetIncident[] } = JSON.parse(await rack.get('days=400'));
        expect(new Set(incidents.map(({ id }) => id)).size).toBe(incidents.length);
        for (const [id, texts] of notes)
          expect(incidents.find((each) => each.id === id)?.notes?.map(({ text }) => text)).toEqual(
            texts.slice(-10),
          );
        for (const { since = '', endedAt = since } of incidents)
          expect(Date.parse(endedAt)).toBeGreaterThanOrEqual(Date.parse(since));
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
