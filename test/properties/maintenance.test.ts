import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { between, createRandom, type Random } from '../../src/base/random.ts';
import { createMonitor } from '../../src/daemon/monitor.ts';
import { rackText } from '../../src/features/chat/words.ts';
import { maintenanceChat } from '../../src/features/maintenance/chat.ts';
import { maintenanceText } from '../../src/features/maintenance/words.ts';
import { buildFleetDocument } from '../../src/fleet/build.ts';
import type { FleetDocument } from '../../src/fleet/document.ts';
import { countGroups } from '../../src/fleet/phones.ts';
import { timeIn } from '../../src/fleet/trust.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock } from '../fake-clock.ts';
import { requestOf, routeOf } from '../route-sources.ts';
import { success, wireBalance, wireDevice, wirePage, wireTunnel } from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';

/*
 * Random words, extensions, ends and windows over four racks of two accounts. A phone is in maintenance exactly while
 * something that was answered covers it, and the JSON, the metrics and the chat say so alike. `SEEDS=300` takes a minute.
 */

const SEEDS = Number(process.env['SEEDS'] ?? 20);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ACCOUNTS = ['one', 'two'];
const RACKS = ['rack-1', 'rack-2', 'rack-3', 'rack-4'];
const PHONES = RACKS.flatMap((rack) => [1, 2, 3].map((slot) => ({ id: `${rack}-${slot}`, rack })));

const FILE = `
time_zone: Europe/Kyiv
web: { enable_changes: true }
accounts:
  - { name: one, api_url: "https://api.example.com", api_key_env: KEY }
  - { name: two, api_url: "https://api.example.com", api_key_env: KEY }
maintenance:
  - { name: hourly, groups: [rack-1], schedule: "0 * * * *", duration: 10m }
  - { name: second, accounts: [two], schedule: "30 * * * *", duration: 15m }
`;

type Scope = {
  accounts?: readonly string[];
  groups?: readonly string[];
  devices?: readonly string[];
  all?: true;
};

/** What was answered: phones, an end, and until back the phones that were away, with the lists since they report. */
type Word = {
  scope: Scope;
  until: number;
  untilBack: boolean;
  readonly back: Map<string, Map<string, number>>;
};

const isMeant = (
  { accounts, groups = [], devices = [] }: Scope,
  account: string,
  phone: (typeof PHONES)[number],
) =>
  (accounts?.includes(account) ?? true) &&
  (groups.length + devices.length === 0 || groups.includes(phone.rack) || devices.includes(phone.id));

const isBack = ({ untilBack, back }: Word, account: string, id: string): boolean =>
  untilBack && (back.get(account)?.get(id) ?? 0) >= 2;

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[between(random, 0, items.length - 1)] ?? expect.fail();

function scopeOf(random: Random): Scope {
  const rack = pick(random, RACKS);
  const account = pick(random, ACCOUNTS);
  return pick<Scope>(random, [
    { groups: [rack] },
    { groups: [rack], accounts: [account] },
    { groups: [rack, pick(random, RACKS)] },
    { devices: [pick(random, PHONES).id], accounts: [account] },
    { accounts: [account] },
    { accounts: ACCOUNTS, groups: [rack] },
    { all: true },
  ]);
}

/** Identifies the phones of a scope, however it is written. */
function keyOf({ accounts = [], groups = [], devices = [] }: Scope): string {
  const own = [...new Set(accounts)].toSorted();
  return JSON.stringify([
    own.length === ACCOUNTS.length ? [] : own,
    [...new Set(groups)].toSorted(),
    devices,
  ]);
}

it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'a phone is in maintenance exactly while a word or a window covers it, and everything says so: seed %i',
  async (seed) => {
    const random = createRandom(seed);
    const clock = createFakeClock();
    const dark = new Set<string>();
    const beats = new Map(PHONES.map(({ id }) => [id, clock.now()]));
    const bodyOf = (path: string): unknown => {
      if (path.includes('/self-rent/')) return wireTunnel();
      if (path.includes('/balance')) return wireBalance();
      const items = PHONES.map(({ id, rack }) =>
        wireDevice({
          ...{ deviceId: id, label: `${rack}/${id}`, setupStatus: 'complete', rentalStatus: 'sold' },
          selfRent: undefined,
          lastHeartbeatAt: new Date(beats.get(id) ?? 0).toISOString(),
        }),
      );
      return wirePage({ items, total: items.length, page: 1, totalPages: 1 });
    };
    const http: HttpClient = {
      get: async (path) => ({
        status: 200,
        headers: { date: new Date(clock.now()).toUTCString() },
        body: Buffer.from(success(bodyOf(path))),
      }),
      close: async () => {},
    };
    const { config } = load({ file: FILE, environment: { KEY: 'secret' } });
    const network = { authorities: undefined, proxies: undefined, http };
    const monitor = createMonitor(config, dependenciesOf({ clock, network, random }));
    const answer = routeOf(monitor, '/api/v1/maintenance');
    const ask = async (method: string, body: object, id = '') => {
      const { status, content } = await answer(
        requestOf({
          ...{ method, contentType: 'application/json', body: async () => JSON.stringify(body) },
          query: new URLSearchParams({ id }),
        }),
      );
      return { status, content: Buffer.concat(content).toString() };
    };

    const words = new Map<string, Word>();
    const documentOf = async (): Promise<FleetDocument> => {
      const built = await buildFleetDocument(
        monitor.snapshot(),
        {
          ...{
            version: '0',
            pollSeconds: { devices: 30, tunnels: 30, balance: 30 },
          },
          ...{ allowsChanges: true, timeZone: 'Europe/Kyiv', grafanaUrl: undefined },
        },
        async () => {},
      );
      return Object.assign({}, built, ...monitor.features.map((feature) => feature.document?.(built)));
    };
    const poll = async (): Promise<void> => {
      for (const { id, rack } of PHONES) if (!dark.has(rack)) beats.set(id, clock.now());
      await monitor.pollAll();
      const { phones } = await documentOf();
      for (const [id, word] of words) {
        if (word.until <= clock.now()) words.delete(id);
        if (!word.untilBack) continue;
        let waiting = 0;
        for (const account of ACCOUNTS) {
          const back = word.back.get(account) ?? new Map<string, number>();
          word.back.set(account, back);
          const meant = PHONES.filter((phone) => isMeant(word.scope, account, phone));
          for (const phone of meant) {
            const offline = phones.some(
              (each) => each.account === account && each.id === phone.id && each.offlineAfterReason,
            );
            const known = back.get(phone.id);
            if (known === undefined ? !offline : known >= 2) continue;
            back.set(phone.id, offline ? 0 : (known ?? 0) + 1);
          }
          waiting += meant.filter(({ id: phone }) => !isBack(word, account, phone)).length;
        }
        if (waiting === 0) words.delete(id);
      }
    };
    const check = async (place: string): Promise<void> => {
      const now = clock.now();
      const windows: Scope[] = [
        ...(now % HOUR < 10 * MINUTE ? [{ groups: ['rack-1'] }] : []),
        ...((now + HOUR / 2) % HOUR < 15 * MINUTE ? [{ accounts: ['two'] }] : []),
      ];
      const expected = ACCOUNTS.flatMap((account) =>
        PHONES.filter(
          (phone) =>
            windows.some((scope) => isMeant(scope, account, phone)) ||
            [...words.values()].some(
              (word) => isMeant(word.scope, account, phone) && !isBack(word, account, phone.id),
            ),
        ).map(({ id }) => `${account} ${id}`),
      );
      const fleet = await documentOf();
      const covered = fleet.phones.filter(({ problem }) => problem === 'in_maintenance');
      expect(covered.map(({ account, id }) => `${account} ${id}`).toSorted(), place).toEqual(
        expected.toSorted(),
      );
      const page = gunzipSync(Buffer.concat((await monitor.scrape()).chunks)).toString();
      const metrics = page.match(/^hoster_devices_in_maintenance\{.*$/gm);
      expect(metrics, place).toEqual(
        ACCOUNTS.map(
          (account) =>
            `hoster_devices_in_maintenance{account="${account}"} ${covered.filter((each) => each.account === account).length}`,
        ),
      );
      const requested = fleet.maintenance.filter(({ source }) => source === 'requested');
      expect(requested.map(({ id }) => id).toSorted(), place).toEqual([...words.keys()].toSorted());
      for (const { id, phones, until } of requested) {
        const word = words.get(id) ?? expect.fail(id);
        const meant = ACCOUNTS.flatMap((account) =>
          PHONES.filter((phone) => isMeant(word.scope, account, phone) && !isBack(word, account, phone.id)),
        );
        expect([phones, Date.parse(until ?? '')], place).toEqual([meant.length, word.until]);
      }
      const view = { fleet, now, time: timeIn('Europe/Kyiv', now) };
      const said = maintenanceText(fleet, view.time);
      expect(said.split('\n').length - 1, place).toBe(Math.min(fleet.maintenance.length, 21));
      for (const rack of countGroups(fleet.phones))
        expect(rackText(view, rack, [maintenanceChat()]).includes('In maintenance'), place).toBe(
          fleet.phones.some(
            ({ account, group, problem }) =>
              account === rack.account && group === rack.group && problem === 'in_maintenance',
          ),
        );
    };

    await poll();
    for (let event = 0; event < 25; event += 1) {
      const place = `at event ${event}`;
      const [first] = words.keys();
      if (random() < 0.3 && first !== undefined) {
        const id = pick(random, [...words.keys()]);
        const { status, content } = await ask('DELETE', {}, id);
        expect(status, place).toBe(200);
        const word = words.get(id) ?? expect.fail(id);
        words.delete(id);
        const fleet = await documentOf();
        const still = fleet.phones.filter(
          (phone) =>
            phone.problem === 'in_maintenance' &&
            isMeant(word.scope, phone.account, { id: phone.id, rack: phone.group }),
        );
        expect(content.includes(' still in maintenance ('), place).toBe(still.length > 0);
      } else if (random() < 0.6) {
        const scope = scopeOf(random);
        const untilBack = random() < 0.3;
        const minutes = between(random, 1, 90);
        const { status, content } = await ask('POST', {
          ...scope,
          ...(untilBack ? { until_back: true } : { for: `${minutes}m` }),
        });
        expect([status, place]).toEqual([201, place]);
        const until = clock.now() + (untilBack ? 7 * 24 * HOUR : minutes * MINUTE);
        const same = [...words].find(
          ([, word]) => keyOf(word.scope) === keyOf(scope) && word.untilBack === untilBack,
        );
        const { id } = JSON.parse(content);
        expect(id === same?.[0], place).toBe(same !== undefined);
        // Phones that were back are covered again.
        const back = [...(same?.[1].back ?? [])].map(
          ([account, known]) => [account, new Map([...known].filter(([, lists]) => lists < 2))] as const,
        );
        words.set(id, {
          scope,
          untilBack,
          until: Math.max(until, same?.[1].until ?? 0),
          back: new Map(back),
        });
      } else if (random() < 0.5) {
        const rack = pick(random, RACKS);
        if (!dark.delete(rack)) dark.add(rack);
      }
      await check(`${place}, said`);
      clock.advance(between(random, 1, 12) * MINUTE);
      await poll();
      await check(`${place}, later`);
    }
    await monitor.stop();
  },
);
