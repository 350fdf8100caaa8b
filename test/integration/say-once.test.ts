import { expect, it } from 'vitest';
import { createTimeZone } from '../../src/base/time-zone.ts';
import type { IncidentsDocument } from '../../src/features/incidents/document.ts';
import type { MonthDocument } from '../../src/features/month/document.ts';
import { urgentVisits, verdictOf } from '../../src/features/page/browser/verdict.ts';
import { describeIncident, describeVisit } from '../../src/fleet/describe.ts';
import { ageBasisOf, freshnessOf, timeTextAt } from '../../src/fleet/freshness.ts';
import { indexPhones } from '../../src/fleet/phones.ts';
import { createSurfaceWorld, type SurfaceWorld } from '../surface-world.ts';

/*
 * Facts that two surfaces tell differently.
 */

const ONE = [['main', 'EUR']] as const;
const TWO = [
  ['one', 'EUR'],
  ['two', 'UAH'],
] as const;
const ZONE = 'Europe/Kyiv';

async function incidentsOf(world: SurfaceWorld): Promise<IncidentsDocument['incidents']> {
  const { incidents }: IncidentsDocument = JSON.parse(await world.get('/api/v1/incidents'));
  return incidents;
}

/** The counts of each open incident on the page. */
async function pageCounts(world: SurfaceWorld): Promise<readonly string[]> {
  const fleet = await world.fleet();
  const time = timeTextAt(world.now(), createTimeZone(ZONE));
  return (await incidentsOf(world)).map((each) => describeIncident(each, fleet, world.now(), time).counts);
}

/** A rack without power. Two of its phones are muted afterwards. */
async function halfMuted(): Promise<SurfaceWorld> {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  world.turn('main-1', true);
  await world.pass(20);
  await world.post('/api/v1/maintenance', { devices: ['main-11', 'main-12'], for: '2h', reason: 'moving' });
  await world.pass(5);
  return world;
}

/** The same rack of two accounts without power, so that one cause explains both. */
async function twoRacks(): Promise<SurfaceWorld> {
  const world = createSurfaceWorld(TWO);
  await world.pass(40);
  world.turn('one-1', true);
  await world.pass(0.5);
  world.turn('two-1', true);
  await world.pass(20);
  return world;
}

it('an outage has the same counts on page, chat and command when some of its phones are muted', async () => {
  const world = await halfMuted();
  const [page] = await pageCounts(world);
  expect(await world.chat('/log')).toContain(page);
  expect(await world.command('incidents')).toContain(page);
});

it('an outage of one account does not count the phones of another account', async () => {
  const world = await twoRacks();
  expect((await incidentsOf(world)).map(({ phones }) => phones)).toEqual([6, 6]);
  expect(await pageCounts(world)).toEqual(Array(2).fill('6 of 6 phones offline, 6 sold'));
});

it('the CSV has the numbers of all phones of an incident, as the JSON has them', async () => {
  const world = await halfMuted();
  const [incident] = await incidentsOf(world);
  const [head = '', row = ''] = (await world.get('/api/v1/incidents?format=csv')).split(/\r?\n/);
  const cell = (name: string) => row.split(',')[head.split(',').indexOf(name)];
  expect([cell('phones'), cell('sold_phones')]).toEqual([
    `${incident?.allPhones}`,
    `${incident?.mostSoldPhones}`,
  ]);
});

it('an ID that several accounts have needs the account', async () => {
  const world = createSurfaceWorld(TWO);
  await world.pass(40);
  await world.fail(40);
  const [first] = await incidentsOf(world);
  const body = { incident: first?.id, acknowledge: true, by: 'Anna' };
  expect((await world.post('/api/v1/incidents', body)).text).toContain('add the account');
  await world.post('/api/v1/incidents', { ...body, account: first?.account });
  const acknowledged = (await incidentsOf(world)).filter((each) => each.acknowledgedBy === 'Anna');
  expect(acknowledged.map(({ account }) => account)).toEqual([first?.account]);
});

it.each([0, 1])(
  'an outage of two accounts is acknowledged in both, whichever of its incidents somebody acknowledges (%i)',
  async (index) => {
    const world = await twoRacks();
    const { id, account } = (await incidentsOf(world))[index] ?? expect.fail('no incident');
    await world.post('/api/v1/incidents', { incident: id, account, acknowledge: true, by: 'Anna' });
    await world.pass(1);
    const fleet = await world.fleet();
    const time = timeTextAt(world.now(), createTimeZone(ZONE));
    const visits = urgentVisits(fleet, indexPhones(fleet.phones).entries);
    expect(visits.map((visit) => describeVisit(visit, fleet, world.now(), time).who)).toEqual([
      expect.stringMatching(/^Anna/),
    ]);
    expect((await incidentsOf(world)).map((each) => each.acknowledgedBy)).toEqual(['Anna', 'Anna']);
  },
);

it('/ack does not mention acknowledged incidents in a fleet that nothing is known about', async () => {
  const world = createSurfaceWorld(ONE);
  await world.fail(3);
  expect(await world.chat('/ack')).toContain('No open incidents are known. Data: none yet.');
});

it('the CSV of incidents has times of the time zone of the owner, as docs/MONTH.md says', async () => {
  const world = await halfMuted();
  expect((await incidentsOf(world))[0]?.since).toBe('2026-03-01T12:40:00.000Z');
  expect(await world.get('/api/v1/incidents?format=csv')).toMatch(/14:40/);
});

it('the command incidents prints times in the time zone of the exporter, as the command maintenance does', async () => {
  const world = await halfMuted();
  expect(await world.command('maintenance', 'list')).toContain('EET');
  expect(await world.command('incidents')).toContain('1 Mar 14:40 EET');
});

it('a change without a login names nobody in a sentence', async () => {
  const world = await halfMuted();
  const [incident] = await incidentsOf(world);
  const { text } = await world.post('/api/v1/incidents', { incident: incident?.id, acknowledge: true });
  await world.pass(1);
  const said = [
    text,
    await world.chat('/log'),
    await world.chat('/maintenance'),
    await world.command('incidents'),
  ];
  for (const each of said) expect(each).not.toContain('loopback');
});

it('the chat does not call a rack muted if only some of its phones are', async () => {
  const world = await halfMuted();
  expect(await world.chat('/rack rack-01')).not.toMatch(/^In maintenance until/m);
});

it('the table of a month names the currency of each amount', async () => {
  const world = createSurfaceWorld(TWO);
  await world.pass(40);
  world.turn('-11', true);
  await world.pass(60);
  const table = await world.command('month', '--month=2026-03', '--by=group');
  expect(table).toMatch(/one .*€/);
  expect(table).toMatch(/two .*UAH/);
});

it('the command incidents with --open=true does not say that there were no incidents at all', async () => {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  world.turn('main-11', true);
  await world.pass(20);
  world.turn('main-11', false);
  await world.pass(5);
  expect(await incidentsOf(world)).toHaveLength(1);
  expect(await world.command('incidents', '--open=true')).not.toMatch(/^No incidents since/);
});

/** The headline of the page. */
async function headlineOf(world: SurfaceWorld): Promise<string> {
  const fleet = await world.fleet();
  const now = world.now();
  const time = timeTextAt(now, createTimeZone(ZONE));
  const connection = { lastResponseAt: now, failure: undefined, failingSince: undefined };
  return verdictOf({
    ...{ fleet, now, time, visits: urgentVisits(fleet, indexPhones(fleet.phones).entries) },
    freshness: freshnessOf(fleet, connection, now, time),
    bases: new Map(
      fleet.accounts.map(({ name, readings }) => [name, ageBasisOf(readings.devices, now, undefined)]),
    ),
  }).title;
}

it('the chat never says that no phone of a rack is online and that some are back online', async () => {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  world.turn('main-1', true);
  await world.pass(20);
  await world.post('/api/v1/maintenance', { groups: ['rack-01'], for: '2h', reason: 'cable' });
  await world.pass(2);
  world.turn('main-11', false);
  await world.pass(3);
  expect(await world.chat('/rack rack-01')).not.toMatch(/ 0 online[\s\S]*1 of 6 phones back online/);
});

it('the chat does not call phones back online that were never offline', async () => {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  await world.post('/api/v1/maintenance', { groups: ['rack-01'], for: '2h', reason: 'cable' });
  await world.pass(3);
  expect(await world.chat('/rack rack-01')).not.toContain('6 of 6 phones back online');
});

it('the page does not say that all phones are online while a whole fleet is muted', async () => {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  world.turn('main-1', true);
  await world.pass(10);
  await world.post('/api/v1/maintenance', { all: true, for: '2h', reason: 'cable' });
  await world.pass(3);
  expect(await headlineOf(world)).not.toMatch(/All 0 phones are online/);
});

it('the chat doubts an account without phones, as the page does', async () => {
  const world = createSurfaceWorld(ONE, ZONE, 0);
  await world.pass(10);
  expect(await headlineOf(world)).toContain('Is it the right API key?');
  expect(await world.chat('/status')).not.toContain('Needs attention: nothing.');
});

it('the sold time offline of a phone is the same in /phone and /month', async () => {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  world.turn('main-14', true);
  await world.pass(25);
  expect(await world.chat('/month')).toContain('Sold and offline 0.3 h');
  expect(await world.chat('/phone rack-01/slot-04')).not.toContain('sold offline 0 h');
});

it('month and logbook have the same sold time offline when maintenance starts between two polls', async () => {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  world.turn('main-14', true);
  await world.pass(20);
  await world.post('/api/v1/maintenance', { groups: ['rack-01'], for: '5m', reason: 'cable' });
  await world.pass(2);
  const month: MonthDocument = JSON.parse(await world.get('/api/v1/month?by=group'));
  const offline = month.rows.reduce((sum, { sold_offline }) => sum + sold_offline, 0);
  expect((await incidentsOf(world))[0]?.soldOfflineSeconds).toBe(offline);
});

it('/ack alone lists the incident that nobody has acknowledged, and acknowledges nothing', async () => {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  world.turn('main-14', true);
  await world.pass(20);
  await world.chat('/ack');
  expect((await incidentsOf(world))[0]).not.toHaveProperty('acknowledgedAt');
});

it('the chat does not call data too old if there is none yet', async () => {
  const world = createSurfaceWorld(ONE);
  await world.fail(3);
  expect(await world.chat('/status')).toContain('Data: none yet');
  expect(await world.chat('/status')).not.toContain('too old');
});

it('a month costs the same whether it is summed up by phone or by rack', async () => {
  const world = createSurfaceWorld(ONE);
  await world.pass(40);
  world.turn('main-1', true);
  await world.pass(6.5);
  const cost = (text: string) => /about €(\d+\.\d\d)/.exec(text)?.[1];
  expect(cost(await world.chat('/month'))).toBe(cost(await world.chat('/month racks')));
});
