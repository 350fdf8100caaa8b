import { beforeAll, describe, expect, it } from 'vitest';
import { createTimeZone } from '../../src/base/time-zone.ts';
import type { IncidentsDocument, StatisticsDocument } from '../../src/features/incidents/document.ts';
import { incidentSummary } from '../../src/features/incidents/words.ts';
import { describeMaintenance } from '../../src/features/maintenance/words.ts';
import { cardsOf, groupPhones } from '../../src/features/page/browser/cards.ts';
import { urgentVisits, verdictOf } from '../../src/features/page/browser/verdict.ts';
import { describeIncident, describeVisit, descriptionText } from '../../src/fleet/describe.ts';
import type { FleetDocument } from '../../src/fleet/document.ts';
import { ageBasisOf, freshnessOf, timeTextAt } from '../../src/fleet/freshness.ts';
import { sumBalances } from '../../src/fleet/money.ts';
import { indexPhones, sumTotals } from '../../src/fleet/phones.ts';
import { shippedText } from '../rules/shipped.ts';
import { createSurfaceWorld, type SurfaceWorld } from '../surface-world.ts';

/*
 * The same fleets on the page, in the chat, in commands, as JSON and as CSV: names, numbers, instants and amounts agree.
 */

const ZONE = 'Europe/Kyiv';

const ONE = [['main', 'EUR']] as const;
const TWO = [
  ['one', 'EUR'],
  ['two', 'USD'],
] as const;

/** The fleets, each with the state of its data, its number of open incidents, and what happens in it. */
const FLEETS: readonly (readonly [
  title: string,
  accounts: typeof ONE | typeof TWO,
  state: 'fresh' | 'stale' | 'expired',
  open: number,
  play: (world: SurfaceWorld) => Promise<void>,
])[] = [
  ['calm', ONE, 'fresh', 0, async ({ pass }) => await pass(40)],
  [
    'with one phone offline',
    ONE,
    'fresh',
    1,
    async ({ pass, turn }) => {
      await pass(40);
      turn('main-14', true);
      await pass(20);
    },
  ],
  [
    'with a rack cut',
    ONE,
    'fresh',
    1,
    async ({ pass, turn }) => {
      await pass(40);
      turn('main-1', true);
      await pass(20);
    },
  ],
  [
    'with racks of two accounts and two currencies that have the same names',
    TWO,
    'fresh',
    2,
    async ({ pass, turn }) => {
      await pass(40);
      turn('one-14', true);
      turn('two-14', true);
      await pass(20);
    },
  ],
  [
    'with a muted rack whose phone is still down',
    ONE,
    'fresh',
    0,
    async ({ pass, turn, post }) => {
      await pass(40);
      turn('main-14', true);
      await pass(20);
      const muting = { groups: ['rack-01'], for: '2h', reason: 'moving' };
      expect(await post('/api/v1/maintenance', muting)).toMatchObject({ status: 201 });
      await pass(5);
    },
  ],
  [
    'with stale data',
    ONE,
    'stale',
    2,
    async ({ pass, turn, fail }) => {
      await pass(40);
      turn('main-14', true);
      await pass(20);
      await fail(6);
    },
  ],
  [
    'with expired data',
    ONE,
    'expired',
    2,
    async ({ pass, turn, fail }) => {
      await pass(40);
      turn('main-14', true);
      await pass(20);
      await fail(40);
    },
  ],
  ['of which nothing is known yet', ONE, 'expired', 0, async () => {}],
];

/** What each surface shows of a world. */
async function surfacesOf(world: SurfaceWorld) {
  const { get, chat, command, now } = world;
  const fleet = await world.fleet();
  const log: IncidentsDocument = JSON.parse(await get('/api/v1/incidents'));
  const numbers: StatisticsDocument = JSON.parse(await get('/api/v1/incidents?by=group'));
  return {
    page: pageOf(fleet, log, now()),
    chat: await Promise.all(
      ['/status', '/offline', '/log', '/balance', '/maintenance', '/rack rack-01'].map(chat),
    ),
    command: [await command('incidents'), await command('maintenance', 'list')],
    csv: [await get('/api/v1/incidents?format=csv')],
    ...{ fleet, log, numbers },
  };
}

/** The texts of the page, without a browser. */
function pageOf(fleet: FleetDocument, log: IncidentsDocument, now: number): readonly string[] {
  const time = timeTextAt(now, createTimeZone(ZONE));
  const index = indexPhones(fleet.phones);
  const visits = urgentVisits(fleet, index.entries);
  const connection = { lastResponseAt: now, failure: undefined, failingSince: undefined };
  const freshness = freshnessOf(fleet, connection, now, time);
  const bases = new Map(
    fleet.accounts.map(({ name, readings }) => [name, ageBasisOf(readings.devices, now, undefined)]),
  );
  const { title, note, past } = verdictOf({ fleet, visits, freshness, bases, now, time });
  const { online, offline, phones } = sumTotals(fleet.accounts);
  const cards = cardsOf(groupPhones(index.ordered('phone', false)), () => true, [], true);
  return [
    `${title} ${note} ${past}`,
    `${online} of ${phones}, ${offline} offline`,
    ...visits.map((visit) => descriptionText(describeVisit(visit, fleet, now, time), time)),
    ...log.incidents.map((incident) => descriptionText(describeIncident(incident, fleet, now, time), time)),
    incidentSummary(log.incidents, fleet),
    ...cards.map(({ group, needAttention, cells }) => `${group} ${needAttention} of ${cells.length}`),
    ...fleet.maintenance.map((each) => Object.values(describeMaintenance(each, time)).join(', ')),
    ...sumBalances(fleet).map(({ currency, availableCents }) => `${currency} ${availableCents}`),
  ];
}

/** Writes an instant for the owner: `14:12`. */
const clockText = (instant: string | undefined): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' }).format(
    new Date(instant ?? ''),
  );

describe.each(FLEETS)('a fleet %s', (_, accounts, state, openCount, play) => {
  let seen: Awaited<ReturnType<typeof surfacesOf>>;
  const texts = () => [seen.page, seen.chat, seen.command, seen.csv].map((all) => all.join('\n'));
  const open = () => seen.log.incidents.filter(({ endedAt }) => endedAt === undefined);
  beforeAll(async () => {
    const world = createSurfaceWorld(accounts);
    await play(world);
    seen = await surfacesOf(world);
  });
  it('is in the state of its title', () => {
    const states = seen.fleet.accounts.map(({ readings }) => readings.devices.state);
    expect([new Set(states), open().length]).toEqual([new Set([state]), openCount]);
  });

  it('has the open incidents of the fleet in the logbook, with the same facts', () => {
    const inFleet = seen.fleet.incidents.filter(({ endedAt }) => endedAt === undefined);
    const byId = <Item extends { readonly id: string }>(all: readonly Item[]) =>
      all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(byId(open())).toEqual(byId(inFleet));
  });

  it('names each open incident on every surface, with its start and its numbers', () => {
    for (const { label, kind, value = '', account, since, phones, allPhones } of open()) {
      // The only account needs no name.
      const name = label ?? (kind === undefined ? '' : value);
      const several = seen.fleet.accounts.length > 1;
      for (const [place, text] of texts().entries()) {
        const isCsv = place === 3;
        expect(text).toContain(name);
        // The account has a column of its own in the CSV.
        if (several)
          expect(text).toMatch(isCsv ? new RegExp(`${name}.*${account}`) : `${name} of ${account}`);
        if (!isCsv) expect(text).toContain(clockText(since));
        if (phones !== undefined && !isCsv)
          expect(text).toContain(`${phones} of ${allPhones} phones offline`);
      }
    }
  });

  it('counts incidents alike on every surface', () => {
    const count = open().length;
    const words = `${seen.log.incidents.length} incident${seen.log.incidents.length === 1 ? '' : 's'}`;
    const all = seen.log.incidents.length === 0 ? 'No incidents' : words;
    const headings = Number(seen.log.incidents.length > 0);
    expect(seen.page.join('\n')).toContain(all);
    expect(seen.chat[2]).toContain(all);
    expect(seen.command[0]?.trim().split('\n')).toHaveLength(
      Math.max(1, seen.log.incidents.length + headings),
    );
    expect(seen.csv[0]?.trim().split('\n')).toHaveLength(seen.log.incidents.length + 1);
    const [total] = seen.numbers.rows;
    expect([total?.incidents, total?.open]).toEqual([seen.log.incidents.length, count]);
    if (count > 0) expect(seen.chat[2]).toContain(`${count} open`);
  });

  it('counts offline phones alike on every surface, and muted ones apart', () => {
    const { offline, phones, muted } = sumTotals(seen.fleet.accounts);
    const isKnown = seen.fleet.accounts.some(({ totals }) => totals !== undefined);
    expect(seen.chat[0]).toContain(isKnown ? `${offline} of ${phones} phones` : 'unknown');
    if (isKnown) expect(seen.page[1]).toContain(`${offline} offline`);
    if (muted > 0)
      for (const text of [seen.page, seen.chat, seen.command])
        expect(text.join('\n')).toMatch(/rack-01.*6 phones, 1 offline, until|rack-01 +6 +1 /);
    for (const rack of seen.fleet.maintenance) expect(rack).toMatchObject({ phones: 6, offlinePhones: 1 });
  });

  it('never says that all is well on data that is not from the last minutes', () => {
    const isFresh = seen.fleet.accounts.every(({ readings }) => readings.devices.state === 'fresh');
    const calm = /are online|Needs attention: nothing|No phone is offline\.\nData: \d+ s old\.$/m;
    if (!isFresh) for (const text of texts().slice(0, 2)) expect(text).not.toMatch(calm);
  });

  it('adds no amounts of two currencies, and has each on every surface', () => {
    const [total] = seen.numbers.rows;
    const lost = seen.log.incidents.filter(({ estimatedCents }) => estimatedCents !== undefined);
    const wanted = accounts
      .map(([name, currency]) => ({
        currency,
        cents: lost
          .filter(({ account }) => account === name)
          .reduce((sum, { estimatedCents = 0 }) => sum + estimatedCents, 0),
      }))
      .filter(({ cents }) => cents > 0);
    expect(total?.estimates ?? []).toEqual(wanted);
    for (const { currency, cents } of wanted) {
      const symbol = currency === 'EUR' ? '€' : '$';
      expect(seen.chat[2]).toContain(`${symbol}${(cents / 100).toFixed(2)}`);
      expect(seen.csv[0]).toContain(String(cents));
    }
    expect(total?.estimatedCents).toBe(wanted.length === 1 ? wanted[0]?.cents : undefined);
  });

  it('keeps groups of two accounts apart', () => {
    const names = seen.numbers.rows.slice(1).map(({ account, name }) => `${account}/${name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { account, group } of open().filter(({ phone }) => phone !== undefined))
      expect(names).toContain(`${account}/${group}`);
  });
});

it.each([
  ['incidents', '/api/v1/incidents?format=csv'],
  ['month', '/api/v1/month?format=csv'],
])('docs/MONTH.md lists the columns of the CSV of %s', async (name, path) => {
  const head = (await createSurfaceWorld(ONE).get(path)).replace('\uFEFF', '').split(/\r?\n/)[0];
  const row = new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(shippedText('docs/MONTH.md'))?.[1] ?? '';
  expect(Array.from(row.matchAll(/`(\w+)`/g), ([, column]) => column)).toEqual(head?.split(','));
});
