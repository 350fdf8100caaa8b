import type { Account } from '../model/account.ts';
import { type Device, hasLiveSelfRent, OTHER } from '../model/device.ts';
import type { Collector } from '../model/enums.ts';
import type { Absence, DeviceCounts, Fleet, FleetDevice } from '../model/fleet.ts';
import type { GroupSettings } from '../model/group.ts';
import type {
  FailureObservation,
  ListObservation,
  Observation,
  TunnelsObservation,
} from '../model/observation.ts';
import { findAbsences } from './absence.ts';
import { chooseClock } from './api-clock.ts';
import { moneyAfter } from './money.ts';
import { afterListing, type ListMoment } from './phone.ts';
import { judgeDevices, type ProblemSettings } from './problems.ts';
import { sortById } from './sort.ts';
import { DEVICES_PER_YIELD, type Steps } from './steps.ts';
import { tunnelsAfterRound, withAnswers } from './tunnels.ts';

/** Settings of the configuration that judgements depend on. */
export type StepSettings = {
  readonly groups: GroupSettings;
  /** Heartbeat age above which each device is silent (`silence.after`); undefined where each has its learned limit. */
  readonly silentAfterSeconds: number | undefined;
  readonly problems: ProblemSettings;
  /** Milliseconds for which data is shown while polls fail (`poll.stale_after`). */
  readonly staleAfterMilliseconds: number;
};

/** An outage begins when the next list is late by more than this multiple of the shortest time between two polls. */
const OUTAGE_SLACKS = 1.5;

/** Data without a failed poll lives until the next poll is late by this multiple. */
const LIVE_SLACKS = 2;

/**
 * Returns an account after an observation: the only way in which an account changes. Pure: the same observations make the
 * same account, in one process or over any number of restarts.
 */
export function* step(account: Account, observation: Observation, settings: StepSettings): Steps<Account> {
  switch (observation.kind) {
    case 'list':
      return yield* afterList(account, observation, settings);
    case 'tunnels':
      return yield* afterTunnels(account, observation, settings);
    case 'balance':
      return works(account, 'balance', { money: moneyAfter(account.money, observation.balance) });
    case 'failure':
      return afterFailure(account, observation);
  }
}

/** Returns the account after a poll that succeeded. */
function works(account: Account, collector: Collector, changes: Partial<Account>): Account {
  const { [collector]: _, ...failing } = account.failing;
  return { ...account, ...changes, failing };
}

function afterFailure(account: Account, { collector, reason, at }: FailureObservation): Account {
  const known = account.failing[collector];
  if (known?.reason === reason) return account;
  return { ...account, failing: { ...account.failing, [collector]: { since: known?.since ?? at, reason } } };
}

function* afterList(account: Account, list: ListObservation, settings: StepSettings): Steps<Account> {
  const { fleet: before } = account;
  const clock = chooseClock(before, list);
  const apiTime = list.apiTime + clock.clockShift;
  const { dueIn, slack } = list.times;
  const { absent, left } = yield* findAbsences(before, list, apiTime, settings.staleAfterMilliseconds);
  const moment = momentOf(account, list, { ...settings, ...clock, apiTime });
  const listed = yield* mergeDevices(account, list, absent, moment);
  const fleet: Fleet = {
    ...listed,
    absent,
    left,
    reported: list.reported,
    apiTime,
    ...clock,
    dueIn,
    slack,
    listing: { ...list.listing, suspect: [...absent.values()].some(({ suspect }) => suspect) },
  };
  const tunnels = before === undefined || left === before.left ? account.tunnels : tunnelsOf(fleet, account);
  const judgement = yield* judgeDevices(fleet, tunnels, account.judgement, settings.problems);
  return works(account, 'devices', { fleet, tunnels, judgement });
}

/** Returns the tunnels of the devices that are there. */
function tunnelsOf({ devices }: Fleet, { tunnels }: Account): Account['tunnels'] {
  return tunnels && new Map([...tunnels].filter(([id]) => devices.has(id)));
}

function* afterTunnels(
  account: Account,
  { answers, isRound, apiTime: answeredAt }: TunnelsObservation,
  settings: StepSettings,
): Steps<Account> {
  const { fleet } = account;
  if (fleet === undefined) return account;
  const shifted = new Map(
    Array.from(
      answers,
      ([id, answer]) => [id, { ...answer, apiTime: answer.apiTime + fleet.clockShift }] as const,
    ),
  );
  const apiTime = answeredAt === undefined ? fleet.apiTime : answeredAt + fleet.clockShift;
  const tunnels = isRound
    ? tunnelsAfterRound(account.tunnels, fleet.liveSelfRents, shifted, apiTime, lifetimeOf(fleet, settings))
    : withAnswers(account.tunnels, shifted);
  const judgement = yield* judgeDevices(fleet, tunnels, account.judgement, settings.problems);
  return works(account, 'tunnels', { tunnels, judgement });
}

/** Returns the milliseconds for which what a list said is carried over to later ones. */
export function lifetimeOf(
  { dueIn, slack }: Pick<Fleet, 'dueIn' | 'slack'>,
  { staleAfterMilliseconds }: Pick<StepSettings, 'staleAfterMilliseconds'>,
): number {
  return Math.max(staleAfterMilliseconds, dueIn + LIVE_SLACKS * slack);
}

/** Returns the milliseconds after a list in which the next one is no sign of an outage of the API. */
export function toleranceOf({ dueIn, slack }: Pick<Fleet, 'dueIn' | 'slack'>): number {
  return dueIn + OUTAGE_SLACKS * slack;
}

function momentOf(
  account: Account,
  { times, apiTime: reportedAt }: ListObservation,
  {
    groups,
    silentAfterSeconds,
    apiTime,
    clockShift,
    ...settings
  }: StepSettings & Pick<Fleet, 'apiTime' | 'clockShift'>,
): ListMoment {
  const { fleet: before } = account;
  const outage = outageBefore(account, times.elapsed, reportedAt + clockShift);
  const lifetime = lifetimeOf(before ?? times, settings);
  const isKnown = times.elapsed !== undefined && outage === 0 && times.elapsed <= lifetime;
  return {
    groups,
    silentAfterSeconds,
    apiTime,
    clockShift,
    outage: outage / 1000,
    elapsed: isKnown ? times.elapsed : undefined,
    lifetime,
  };
}

/**
 * Returns the milliseconds in which the API was down before a list; 0 if it was not. An exporter that did not run saw no
 * outage, unless polls failed.
 */
function outageBefore({ fleet, failing }: Account, elapsed: number | undefined, apiTime: number): number {
  if (failing.devices === undefined && (elapsed === undefined || fleet === undefined)) return 0;
  if (fleet === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, (elapsed ?? apiTime - fleet.apiTime) - toleranceOf(fleet));
}

/** Returns the devices after a list, in the order of their ids, with what is counted of them. */
function* mergeDevices(
  { fleet: before, causes }: Account,
  list: ListObservation,
  absent: Fleet['absent'],
  moment: ListMoment,
): Steps<Pick<Fleet, 'devices' | 'counts' | 'liveSelfRents'>> {
  const explained = new Set(causes.flatMap(({ deviceIds }) => deviceIds));
  const known = new Map<string, FleetDevice>();
  const joined: (readonly [string, FleetDevice])[] = [];
  let steps = 0;
  for (const [id, entry] of before?.devices ?? []) {
    steps += 1;
    if (steps % DEVICES_PER_YIELD === 0) yield;
    const listed = list.devices.get(id);
    if (listed === undefined) {
      if (absent.has(id)) known.set(id, entry);
      continue;
    }
    const absence = before?.absent.get(id);
    known.set(
      id,
      afterListing(entry, listed, moment, elapsedSince(absence, moment), {
        isHabit: absence === undefined && moment.elapsed !== undefined && !explained.has(id),
      }),
    );
  }
  for (const [id, listed] of list.devices) {
    steps += 1;
    if (steps % DEVICES_PER_YIELD === 0) yield;
    if (!known.has(id))
      joined.push([id, afterListing(undefined, listed, moment, undefined, { isHabit: false })]);
  }
  const devices = joined.length === 0 ? known : new Map(yield* sortById(known, joined));
  return { devices, ...(yield* countDevices(devices)) };
}

/** Returns the milliseconds since a device was last seen; undefined if so long that its state in between is unknown. */
function elapsedSince(absence: Absence | undefined, { elapsed, lifetime }: ListMoment): number | undefined {
  if (absence === undefined || elapsed === undefined) return elapsed;
  const total = absence.missing + elapsed;
  return total <= lifetime ? total : undefined;
}

type MutableCounts = { -readonly [Rental in keyof DeviceCounts]: Record<keyof DeviceCounts[Rental], number> };

/** Counts devices by status, and lists those whose tunnel can be fetched. */
export function* countDevices(
  devices: ReadonlyMap<string, FleetDevice>,
): Steps<Pick<Fleet, 'counts' | 'liveSelfRents'>> {
  const none = { listed: 0, not_listed: 0, other: 0 };
  const counts: MutableCounts = {
    sold: { ...none },
    self_rented: { ...none },
    idle: { ...none },
    other: { ...none },
  };
  const liveSelfRents: string[] = [];
  let steps = 0;
  for (const { device } of devices.values()) {
    steps += 1;
    if (steps % DEVICES_PER_YIELD === 0) yield;
    count(counts, device);
    if (hasLiveSelfRent(device)) liveSelfRents.push(device.id);
  }
  return { counts, liveSelfRents };
}

function count(counts: MutableCounts, { rentalStatus, marketplaceStatus }: Device): void {
  counts[rentalStatus ?? OTHER][marketplaceStatus ?? OTHER] += 1;
}
