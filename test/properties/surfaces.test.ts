import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { IncidentsDocument, StatisticsDocument } from '../../src/features/incidents/document.ts';
import type { MonthDocument } from '../../src/features/month/document.ts';
import { sumTotals } from '../../src/fleet/phones.ts';
import { createSurfaceWorld, type SurfaceWorld, type TestAccount } from '../surface-world.ts';

/*
 * Counts and sums are equal on all surfaces, over any life of any accounts, and currencies are never added.
 */

type Event =
  | { readonly what: 'cut' | 'return'; readonly phones: string }
  | { readonly what: 'mute'; readonly group: string; readonly minutes: number }
  | { readonly what: 'acknowledge' }
  | { readonly what: 'fail'; readonly minutes: number };

const account: fc.Arbitrary<readonly TestAccount[]> = fc
  .array(fc.constantFrom('EUR', 'UAH', 'USD', ''), { minLength: 1, maxLength: 3 })
  .map((all) => all.map((currency, index) => [`a${index}`, currency] as const));

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constantFrom('cut', 'return'),
      phones: fc.constantFrom('-', '-1', '-2', 'a0-1', 'a1-2', 'a0-11', 'a1-11', '-23'),
    }),
  },
  fc.record({
    what: fc.constant('mute'),
    group: fc.constantFrom('rack-01', 'rack-02'),
    minutes: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ what: fc.constant('acknowledge') }),
  fc.record({ what: fc.constant('fail'), minutes: fc.integer({ min: 1, max: 30 }) }),
);

async function play(world: SurfaceWorld, life: readonly (readonly [Event, number])[]): Promise<void> {
  await world.pass(15);
  for (const [each, minutes] of life) {
    if (each.what === 'cut' || each.what === 'return') world.turn(each.phones, each.what === 'cut');
    if (each.what === 'mute')
      await world.post('/api/v1/maintenance', { groups: [each.group], for: `${each.minutes}m` });
    if (each.what === 'fail') await world.fail(each.minutes);
    if (each.what === 'acknowledge') {
      const log: IncidentsDocument = JSON.parse(await world.get('/api/v1/incidents?open=true'));
      const [first] = log.incidents;
      if (first !== undefined)
        await world.post('/api/v1/incidents', { incident: first.id, acknowledge: true, by: 'Anna' });
    }
    await world.pass(minutes);
  }
}

const sum = (all: Iterable<number>): number => [...all].reduce((total, each) => total + each, 0);

/** Reads a CSV without quoted separators as one record a line. */
function recordsOf(csv: string): readonly Record<string, string>[] {
  const [head = '', ...lines] = csv.replace('\uFEFF', '').trim().split(/\r?\n/);
  const cells = (line: string) =>
    Array.from(line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g), ([, cell = '']) => cell);
  const names = cells(head);
  return lines.map((line) =>
    Object.fromEntries(
      cells(line)
        .slice(0, names.length)
        .map((cell, at) => [names[at] ?? '', cell]),
    ),
  );
}

it('counts and sums are equal on all surfaces, and no currency is added to another', async () => {
  await fc.assert(
    fc.asyncProperty(
      account,
      fc.array(fc.tuple(event, fc.integer({ min: 0, max: 12 })), { minLength: 1, maxLength: 7 }),
      async (accounts, life) => {
        const world = createSurfaceWorld(accounts, 'Europe/Kyiv', 3);
        await play(world, life);
        const fleet = await world.fleet();
        const log: IncidentsDocument = JSON.parse(await world.get('/api/v1/incidents'));
        const numbers: StatisticsDocument = JSON.parse(await world.get('/api/v1/incidents?by=group'));
        const csv = recordsOf(await world.get('/api/v1/incidents?format=csv'));
        const byPhone: MonthDocument = JSON.parse(await world.get('/api/v1/month'));
        const byGroup: MonthDocument = JSON.parse(await world.get('/api/v1/month?by=group'));
        const monthCsv = recordsOf(await world.get('/api/v1/month?format=csv'));

        // Phones.
        const totals = sumTotals(fleet.accounts);
        expect(totals.phones).toBe(fleet.phones.length);
        expect(totals.online).toBe(fleet.phones.filter(({ online }) => online).length);
        expect(totals.muted).toBe(fleet.phones.filter(({ problem }) => problem === 'in_maintenance').length);
        expect(totals.online + totals.offline + totals.muted).toBe(totals.phones);
        expect(await world.chat('/status')).toContain(`${totals.offline} of ${totals.phones} phones`);

        // Incidents.
        const open = log.incidents.filter(({ endedAt }) => endedAt === undefined);
        const [all, ...groups] = numbers.rows;
        expect([all?.incidents, all?.open]).toEqual([log.incidents.length, open.length]);
        expect(csv.map(({ reason }) => reason === '')).toEqual(
          log.incidents.map(({ endedAt }) => endedAt === undefined),
        );
        expect(sum(groups.map(({ incidents }) => incidents))).toBe(log.incidents.length);
        expect(new Set(groups.map(({ name, account: of }) => `${of}/${name}`)).size).toBe(groups.length);
        const said = log.incidents.length === 0 ? 'No incidents' : `${log.incidents.length} incident`;
        expect(await world.chat('/log')).toContain(said);
        expect(fleet.incidents.filter(({ endedAt }) => endedAt === undefined)).toHaveLength(open.length);
        const table = (await world.command('incidents')).trimEnd().split('\n');
        if (log.incidents.length > 0) expect(table).toHaveLength(log.incidents.length + 1);

        // Sold time offline, and what it costs.
        const lost = sum(log.incidents.map(({ soldOfflineSeconds = 0 }) => soldOfflineSeconds));
        expect(sum(csv.map(({ sold_offline_seconds }) => Number(sold_offline_seconds)))).toBe(lost);
        expect(Math.abs((all?.soldOfflineSeconds ?? 0) - lost)).toBeLessThanOrEqual(log.incidents.length);
        const used = [...new Set((all?.estimates ?? []).map(({ currency }) => currency))];
        expect(used).toHaveLength(all?.estimates?.length ?? 0);
        for (const { currency, cents } of all?.estimates ?? []) {
          const names = accounts.filter(([, each]) => each === (currency ?? '')).map(([name]) => name);
          const own = log.incidents.filter((each) => names.includes(each.account));
          const cost = sum(own.map(({ estimatedCents = 0 }) => estimatedCents));
          expect(Math.abs(cents - cost)).toBeLessThanOrEqual(own.length);
        }

        // The month.
        const offline = (rows: MonthDocument['rows']) => sum(rows.map(({ sold_offline }) => sold_offline));
        expect(offline(byGroup.rows)).toBe(offline(byPhone.rows));
        expect(sum(monthCsv.map(({ sold_offline }) => Number(sold_offline)))).toBe(offline(byPhone.rows));
        expect(sum((byPhone.days ?? []).map((day) => day.sold_offline_seconds))).toBe(offline(byPhone.rows));
        expect(sum(byGroup.rows.map(({ phones }) => phones))).toBe(fleet.phones.length);

        // Maintenance.
        const list = `${await world.chat('/maintenance')}\n${(await world.command('maintenance', 'list')).replaceAll(/ {2,}/g, '|')}`;
        for (const { covers, phones, offlinePhones } of fleet.maintenance) {
          expect(list).toContain(`${covers}: ${phones} phones, ${offlinePhones} offline`);
          expect(list).toContain(`|${covers}|${phones}|${offlinePhones}|`);
        }
      },
    ),
    { numRuns: 25, seed: 74 },
  );
});
