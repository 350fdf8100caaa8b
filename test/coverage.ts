import { between, createRandom, pick, type Random } from '../src/base/random.ts';
import type { MaintenanceWindow } from '../src/features/maintenance/model.ts';
import type { StepSettings } from '../src/judge/step.ts';
import type { Account } from '../src/model/account.ts';
import type { Device } from '../src/model/device.ts';
import type { Incident } from '../src/model/incident.ts';
import { offlineProblemOf } from '../src/model/problem.ts';
import type { Snapshot } from '../src/model/snapshot.ts';
import { NOON, propertiesBy } from './builders.ts';
import { beatsEach } from './rhythms.ts';
import { createFarm, DAY, type Farm, type FarmOptions, HOUR, MINUTE, SECOND } from './watch.ts';

/*
 * Coverage of each offline phone, while anything happens to a farm: invariants after each observation, and afternoons that
 * a seed invents.
 */

const TOGETHER: ReadonlySet<string> = new Set(['common_cause', 'many_sold_offline', 'many_offline']);

/** End reasons after which the same heartbeat may open an incident again: maintenance, a return, or another judgement. */
const TOLD_ANEW: ReadonlySet<string> = new Set([
  ...[
    'maintenance',
    'left',
    'rented',
    'rental_ended',
    'limit_changed',
    'clock_set',
    'given_up',
    'not_set_up',
  ],
]);

/** Number of lists that a phone may wait for. */
const MAX_WAIT = 2;

/** Checks what holds after each observation; returns what does not, in words. */
export type Invariants = {
  readonly check: (snapshot: Snapshot) => void;
  /** A daemon began without its memory. */
  readonly forget: () => void;
  readonly violations: () => readonly string[];
};

export function createInvariants(now: () => string): Invariants {
  const violations = new Set<string>();
  /** By account and phone: the list since which it waits, and how many came. */
  const waits = new Map<string, { since: number; lists: number }>();
  const listedAt = new Map<string, number>();
  const report = (text: string): void => {
    if (violations.size < 20) violations.add(`${now()} ${text}`);
  };

  const checkAccount = (name: string, account: Account): void => {
    const { fleet, judgement, incidents } = account;
    if (fleet === undefined || judgement === undefined) return;
    const { open, ended, waiting } = incidents;
    const isNewList = listedAt.get(name) !== fleet.apiTime;
    listedAt.set(name, fleet.apiTime);
    const offline = new Map(
      [...judgement.problems].filter(([, { problem }]) => offlineProblemOf(problem) !== undefined),
    );
    const coverage = new Map<string, Incident[]>();
    const addCover = (id: string, incident: Incident): void => {
      coverage.set(id, [...(coverage.get(id) ?? []), incident]);
    };
    const ids = new Set<string>();
    for (const incident of open) {
      if (ids.has(incident.id)) report(`${name}: ${incident.id} is open twice`);
      ids.add(incident.id);
      const { problem, deviceId, since, members } = incident;
      if (offlineProblemOf(problem) !== undefined) {
        const judged = offline.get(deviceId);
        if (judged?.since === since && judged.problem === problem) addCover(deviceId, incident);
        else if (fleet.devices.get(deviceId)?.heartbeatAgeSeconds !== undefined)
          report(`${name}: ${incident.id} is open, and its phone is ${judged?.problem ?? 'not offline'}`);
      } else if (TOGETHER.has(problem)) {
        const notified = [...members].filter(([id, heartbeat]) => offline.get(id)?.since === heartbeat);
        for (const [id] of notified)
          if (problem !== 'many_offline' || offline.get(id)?.problem !== 'sold_offline')
            addCover(id, incident);
        if (notified.length === 0)
          report(`${name}: ${incident.id} is open, and none of its phones is offline`);
      }
    }
    const flapping = new Set(
      open.flatMap(({ problem, deviceId }) => (problem === 'flapping' ? deviceId : [])),
    );
    // Maintenance covered it meanwhile.
    for (const [id, { problem }] of judgement.problems)
      if (problem === 'in_maintenance') waits.delete(`${name} ${id}`);
    for (const [id, { since }] of offline) {
      const own = coverage.get(id) ?? [];
      const isWaiting = waiting.has(id);
      if (own.length > 1) report(`${name}: ${id} is covered by ${own.map((each) => each.id).join(' and ')}`);
      if (own.length === 1 && isWaiting) report(`${name}: ${id} is covered and waits`);
      if (own.length === 0 && !isWaiting && !flapping.has(id)) report(`${name}: nothing covers ${id}`);
      const key = `${name} ${id}`;
      if (!isWaiting) waits.delete(key);
      else {
        const wait = waits.get(key);
        const lists = wait?.since === since ? wait.lists + Number(isNewList) : 1;
        waits.set(key, { since, lists });
        if (lists > MAX_WAIT) report(`${name}: ${id} has waited for ${lists} lists`);
      }
    }
    for (const id of waiting.keys()) if (!offline.has(id)) report(`${name}: ${id} waits, and is not offline`);
    for (const incident of ended) {
      if (ids.has(incident.id)) report(`${name}: ${incident.id} is open and has ended`);
      const { problem, deviceId, since, reason } = incident;
      if (offlineProblemOf(problem) === undefined || TOLD_ANEW.has(reason)) continue;
      const again = open.find(
        (each) =>
          (each.deviceId === deviceId &&
            each.since === since &&
            offlineProblemOf(each.problem) !== undefined) ||
          each.members.get(deviceId) === since,
      );
      if (again !== undefined)
        report(`${name}: ${incident.id} ended as ${reason}, and ${again.id} opens it again`);
    }
  };
  return {
    check: ({ accounts }) => {
      for (const { name, known } of accounts) checkAccount(name, known);
    },
    forget: () => waits.clear(),
    violations: () => [...violations],
  };
}

/** What may happen in an afternoon, as often as it is listed. */
const EVENTS = [
  ...['cut', 'cut', 'cut', 'return', 'return', 'return', 'phone', 'phone', 'phone back', 'phone back'],
  ...['model', 'host', 'window', 'window', 'word', 'word', 'word over', 'until back', 'rent', 'rent'],
  ...[
    'leave',
    'join',
    'rename',
    'api',
    'partial',
    'ids',
    'ids back',
    'tunnels',
    'restart',
    'forget',
    'groups',
    'clock',
    'account',
    'carrier',
    'carrier',
    'tags',
  ],
] as const;

/**
 * An afternoon that a seed invents; of an odd one, what is polled at one time is judged at once. Returns what did not hold.
 */
export async function liveAfternoon(seed: number, minutes = 70): Promise<readonly string[]> {
  const random = createRandom(seed);
  const racks = inventRacks(random);
  const statuses = ['sold', 'sold', 'sold', 'self_rented', 'idle'] as const;
  const interval = pick(random, [30, 60, 60, 120]) * SECOND;
  let farm: Farm | undefined;
  const log: string[] = [];
  const clock = (): string => `seed ${seed}, minute ${farm === undefined ? 0 : minuteOf(farm)}`;
  const invariants = createInvariants(clock);
  const windows = Array.from({ length: between(random, 0, 2) }, (_, index): MaintenanceWindow => {
    const begins = NOON + between(random, 0, 90) * MINUTE;
    return {
      ...{ name: `window ${index}`, scope: scopeOf(random, racks) },
      durationMilliseconds: between(random, 5, 50) * MINUTE,
      lastStart: (upTo, laterThan) => (begins <= upTo && begins > laterThan ? begins : undefined),
    };
  });
  farm = await createFarm({
    racks,
    ...{ interval, tunnelsEach: 2 * MINUTE, balanceEach: 10 * MINUTE, together: seed % 2 === 1 },
    settings: { windows },
    status: () => pick(random, statuses),
    facts: () => ({ model: `model ${between(random, 0, 2)}`, appVersion: pick(random, ['1', '1', '2', '']) }),
    host: () => `host-${between(random, 0, 1)}`,
    beats: () => {
      const second = between(random, 0, 59);
      // In a tenth of the afternoons, each phone has a rhythm of its own.
      const rhythm = seed % 10 === 7 ? ([15, 60, 90, 300][second % 4] ?? 60) : 60;
      return beatsEach(rhythm * SECOND, second * SECOND);
    },
    onObserved: (snapshot) => invariants.check(snapshot),
  });
  if (seed % 3 > 0) farm.reload({ propertiesOf: carriersOf([...farm.phones.keys()]) });
  const words: string[] = [];
  for (const end = minuteOf(farm) + minutes; minuteOf(farm) < end && invariants.violations().length === 0; ) {
    const event = pick(random, EVENTS);
    if (event === 'forget') invariants.forget();
    log.push(`${minuteOf(farm)} ${await happen(event, farm, random, racks, words)}`);
    const before = unidentifiedIn(farm);
    await farm.pass(pick(random, [1, 2, 4, 8, 15]) * MINUTE);
    const after = unidentifiedIn(farm);
    for (const id of before)
      if (!after.includes(id)) log.push(`${id} is listed without an id, and was removed`);
    if (before.some((id) => !after.includes(id))) return log;
  }
  for (const phone of farm.phones.values()) phone.unidentified = false;
  farm.fail('devices', undefined);
  await farm.pass(20 * MINUTE);
  const violations = invariants.violations();
  return violations.length === 0 ? [] : [...violations, ...log, ...farm.notifications()];
}

/** Lists the known phones that are listed without an id. */
function unidentifiedIn(farm: Farm): readonly string[] {
  const fleets = farm.snapshot().accounts.map(({ known }) => known.fleet?.devices);
  return [...farm.phones].flatMap(([id, { listed, unidentified }]) =>
    listed && unidentified && fleets.some((devices) => devices?.has(id)) ? [id] : [],
  );
}

function minuteOf(farm: Farm): number {
  return Math.round((farm.now() - NOON) / (6 * SECOND)) / 10;
}

function inventRacks(random: Random): Readonly<Record<string, number>> {
  const racks: Record<string, number> = {};
  for (const account of ['main', 'two', 'three'].slice(0, between(random, 1, 3)))
    for (const rack of ['a', 'b', 'c'].slice(0, between(random, 1, 3)))
      racks[account === 'main' ? rack : `${account}:${rack}`] = between(random, 2, 14);
  return racks;
}

function scopeOf(random: Random, racks: Readonly<Record<string, number>>) {
  const groups = [...new Set(Object.keys(racks).map((name) => name.replace(/^.*:/, '')))];
  return {
    accounts: random() < 0.2 ? ['main'] : [],
    ...pick(random, [
      { groups: groups.slice(0, 1), devices: [] },
      { groups: groups.slice(-1), devices: [] },
      { groups: [], devices: ['a-1', 'a-2', 'a-3', 'two-a-1'] },
      { groups: [], devices: [] },
    ]),
  };
}

/** Phones of three carriers, which cut across all racks. */
function carrierOf(id: string): string {
  return `carrier ${(Number(id.replace(/^.*-/, '')) * 7) % 3}`;
}

function carriersOf(ids: readonly string[]): StepSettings['propertiesOf'] {
  return propertiesBy(new Map(ids.map((id) => [id, new Map([['carrier', carrierOf(id)]])])));
}

/** Lets something happen, and says what. */
async function happen(
  event: (typeof EVENTS)[number],
  farm: Farm,
  random: Random,
  racks: Readonly<Record<string, number>>,
  words: string[],
): Promise<string> {
  const names = Object.keys(racks);
  const rack = names[between(random, 0, names.length - 1)] ?? 'a';
  const ids = [...farm.phones.keys()];
  const id = ids[between(random, 0, ids.length - 1)] ?? 'a-1';
  const some = (make: (device: Device) => boolean): readonly string[] =>
    [...farm.phones].flatMap(([each, { device }]) => (make(device) ? each : []));
  switch (event) {
    case 'cut':
      farm.stop(rack);
      return `cut ${rack}`;
    case 'return':
      farm.start(rack);
      return `return ${rack}`;
    case 'phone':
      farm.stop(id);
      return `stop ${id}`;
    case 'phone back':
      farm.start(id);
      return `start ${id}`;
    case 'model':
      farm.stop(...some(({ model }) => model === 'model 1'));
      return 'stop model 1';
    case 'carrier':
      farm.stop(...ids.filter((each) => carrierOf(each) === 'carrier 1'));
      return 'stop carrier 1';
    case 'tags': {
      const propertiesOf = random() < 0.3 ? undefined : carriersOf(random() < 0.3 ? [] : ids);
      farm.reload({ propertiesOf });
      return propertiesOf === undefined ? 'the file of tags cannot be read' : 'the file of tags is read';
    }
    case 'host':
      farm.stop(...some(({ rentalStatus, model }) => rentalStatus === 'self_rented' && model !== 'model 0'));
      return 'stop self-rented ones';
    case 'window':
    case 'word': {
      const word = `word ${words.length}`;
      words.push(word);
      const scope = scopeOf(random, racks);
      await farm.maintain({ id: word, scope, until: farm.now() + between(random, 3, 40) * MINUTE });
      return `maintain ${JSON.stringify(scope)}`;
    }
    case 'word over': {
      const word = words.pop();
      if (word !== undefined) await farm.endMaintenance(word);
      return `end ${word}`;
    }
    case 'until back': {
      const word = `word ${words.length}`;
      words.push(word);
      const scope = scopeOf(random, racks);
      await farm.maintain({ id: word, scope, untilBack: true, until: farm.now() + 7 * DAY });
      return `until back ${JSON.stringify(scope)}`;
    }
    case 'rent': {
      const status = pick(random, ['sold', 'self_rented', 'idle'] as const);
      farm.rent(status, ...(random() < 0.5 ? [id] : [rack]));
      return `rent ${status} ${id} or ${rack}`;
    }
    case 'leave':
      farm.list(false, ...(random() < 0.5 ? [id] : [rack]));
      return `leave ${id} or ${rack}`;
    case 'ids':
      for (const phone of farm.of(random() < 0.5 ? id : rack)) phone.unidentified = true;
      return `no ids of ${id} or ${rack}`;
    case 'ids back':
      for (const phone of farm.of(rack)) phone.unidentified = false;
      return `ids of ${rack} again`;
    case 'join':
      farm.list(true, ...ids);
      return 'all join';
    case 'rename':
      for (const phone of farm.of(id)) phone.device = { ...phone.device, label: `x/${id}` };
      return `rename ${id}`;
    case 'api': {
      farm.fail('devices', 'timeout');
      const length = between(random, 1, 25);
      await farm.pass(length * MINUTE);
      farm.fail('devices', undefined);
      return `API down for ${length} min`;
    }
    case 'partial':
      farm.setIncomplete(random() < 0.5);
      return 'partial lists';
    case 'tunnels':
      farm.fail('tunnels', random() < 0.5 ? 'timeout' : undefined);
      return 'tunnels fail or not';
    case 'restart':
      await farm.restart(between(random, 0, 10) * MINUTE);
      return 'restart';
    case 'forget':
      await farm.restart(between(random, 0, 3) * MINUTE, false);
      return 'restart without state';
    case 'groups':
      farm.reload({ groups: { separator: pick(random, ['/', '-']), levels: 1 } });
      return 'groups are reloaded';
    case 'clock':
      farm.setAhead(between(random, 1, 20) * MINUTE);
      return 'the clock is set ahead';
    case 'account': {
      const accounts = [...new Set([...farm.phones.values()].map(({ account }) => account))];
      farm.reload(
        {},
        random() < 0.5 ? accounts : accounts.slice(0, -1).concat(accounts.length > 1 ? [] : accounts),
      );
      return 'accounts are reloaded';
    }
  }
}

/** Creates a farm and checks each of its observations. */
export async function watchedFarm(options: FarmOptions): Promise<Farm> {
  const invariants = createInvariants(() => '');
  return createFarm({
    ...{ tunnelsEach: 2 * MINUTE, balanceEach: HOUR, ...options },
    onObserved: (snapshot) => {
      invariants.check(snapshot);
      const violations = invariants.violations();
      if (violations.length > 0) throw new Error(violations.join('\n'));
    },
  });
}
