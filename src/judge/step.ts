import { lookAtEach, type Steps } from '../base/steps.ts';
import type { Account } from '../model/account.ts';
import { hasLiveSelfRent, OTHER } from '../model/device.ts';
import { staleFor, toleratedFor } from '../model/due.ts';
import type { Collector } from '../model/enums.ts';
import type { DeviceCounts, Fleet, FleetDevice, Properties } from '../model/fleet.ts';
import type { GroupSettings } from '../model/group.ts';
import type {
  BalanceObservation,
  FailureObservation,
  ListObservation,
  Observation,
  OwnClocks,
  PartObservation,
  TunnelsObservation,
} from '../model/observation.ts';
import { type Judgement, massOutageThreshold } from '../model/problem.ts';
import { findAbsences } from './absence.ts';
import { agreedAfter, chooseClock, timeOf } from './api-clock.ts';
import { conditionsAfter } from './conditions.ts';
import { NOBODY, phonesWithMoreTime } from './first-day.ts';
import { unseenAfter } from './last-day.ts';
import { moneyAfter } from './money.ts';
import type { BoundPart } from './part.ts';
import { afterAbsence, afterListing, type ListContext } from './phone.ts';
import type { MutedSince } from './problems.ts';
import { judgeDevices, type ProblemSettings } from './problems.ts';
import { departedAfter } from './times.ts';
import { tunnelsAfterRound, withResults } from './tunnels.ts';

/** Settings of the configuration that judgements depend on. */
export type StepSettings = {
  readonly groups: GroupSettings;
  /** Returns the properties of a device of this account; undefined to keep the known ones if they cannot be read. */
  readonly propertiesOf: ((id: string, label: string) => Properties) | undefined;
  /** Heartbeat age above which each device is offline (`offline.after`); undefined if thresholds are learned. */
  readonly offlineAfterSeconds: number | undefined;
  readonly problems: ProblemSettings;
  /** Time for which data is shown while polls fail, in milliseconds (`poll.stale_after`). */
  readonly staleAfterMilliseconds: number;
  /** Balance below which it is low (`accounts[].balance_low_cents`); undefined without a limit. */
  readonly balanceLowCents: number | undefined;
  /** The account's currency; undefined if not configured. */
  readonly currency?: string | undefined;
  /** Returns the devices of an account that are muted at an instant by the API's clock. */
  readonly mutedSinceOf: (account: Account, at: number) => MutedSince;
  readonly parts: readonly BoundPart[];
};

/**
 * Returns an account after an observation: the only way an account changes. Pure: the same observations give the same account,
 * with or without restarts.
 *
 * @param own our own clocks; without them, every date from the API is believed
 */
export function* step(
  account: Account,
  observation: Observation,
  settings: StepSettings,
  own?: OwnClocks,
): Steps<Account> {
  let after = yield* observed(account, observation, settings, own);
  for (const part of settings.parts) after = yield* part.update({ observation, before: account, after });
  return after;
}

function* observed(
  account: Account,
  observation: Observation,
  settings: StepSettings,
  own: OwnClocks | undefined,
): Steps<Account> {
  switch (observation.kind) {
    case 'list':
      return yield* afterList(account, observation, settings, own);
    case 'tunnels':
      return yield* afterTunnels(account, observation, settings, own);
    case 'balance':
      return afterBalance(account, observation, settings, own);
    case 'failure':
      return afterFailure(account, observation, own);
    case 'part':
      return yield* afterEffect(account, observation, settings);
  }
}

/** Returns the account after an effect on a part. Judges it again if the judgement depends on the part. */
function* afterEffect(
  account: Account,
  observation: PartObservation,
  { mutedSinceOf, problems, parts }: StepSettings,
): Steps<Account> {
  const { fleet, tunnels, at } = account;
  const prepared = withPrepared(parts, { observation, before: account, after: account });
  if (fleet === undefined || prepared === account) return prepared;
  const mutedSince = mutedSinceOf(prepared, at ?? fleet.apiTime);
  const judgement = yield* judgeDevices(fleet, tunnels, account.judgement, problems, mutedSince);
  return { ...prepared, judgement };
}

/** Updates the parts that the judgement depends on. */
function withPrepared(
  parts: StepSettings['parts'],
  { observation, before, after }: Parameters<BoundPart['prepare']>[0],
): Account {
  return parts.reduce((account, part) => part.prepare({ observation, before, after: account }), after);
}

/** Returns the account after a poll that succeeded. */
function withoutFailure(account: Account, collector: Collector, changes: Partial<Account>): Account {
  const { [collector]: _, ...failing } = account.failing;
  return { ...account, ...changes, failing };
}

function afterBalance(
  account: Account,
  { balance, apiTime, elapsed }: BalanceObservation,
  { balanceLowCents, currency }: StepSettings,
  own: OwnClocks | undefined,
): Account {
  const at = timeOf(account, apiTime, own);
  const agreedAt = agreedAfter(account, at, own);
  const { availableCents } = balance;
  const isLow = availableCents !== undefined && availableCents < (balanceLowCents ?? Number.NaN);
  const holds = { balance_unreadable: availableCents === undefined, balance_low: isLow };
  const conditions = conditionsAfter(account.conditions, holds, at, elapsed);
  const money = moneyAfter(account.money, balance, currency);
  return withoutFailure(account, 'balance', { at, agreedAt, money, conditions });
}

function afterFailure(
  account: Account,
  { collector, reason, elapsed, at: failedAt }: FailureObservation,
  own: OwnClocks | undefined,
): Account {
  const { failing } = account;
  const at = timeOf(account, failedAt, own);
  const known = failing[collector];
  // A refused key is a different failure from an unavailable API.
  const goesOn = (known?.reason === 'unauthorized') === (reason === 'unauthorized') ? known : undefined;
  const isCounted = collector === 'devices' || failing.devices === undefined;
  const lasted = goesOn === undefined ? 0 : goesOn.lasted + (isCounted ? (elapsed ?? 0) : 0);
  return {
    ...account,
    at,
    agreedAt: agreedAfter(account, at, own),
    failing: { ...failing, [collector]: { since: goesOn?.since ?? at, reason, lasted } },
  };
}

function* afterList(
  account: Account,
  list: ListObservation,
  settings: StepSettings,
  own: OwnClocks | undefined,
): Steps<Account> {
  const { fleet: before } = account;
  const clock = chooseClock(before, list, own);
  const apiTime = list.apiTime + clock.clockShift;
  const agreedAt = agreedAfter(account, apiTime, own);
  const { dueIn, slack } = list.times;
  const { absent, left } = yield* findAbsences(
    before,
    list,
    [apiTime, agreedAt],
    settings.staleAfterMilliseconds,
  );
  const mutedBefore = settings.mutedSinceOf(account, apiTime);
  const context = {
    ...listContextOf(account, list, { ...settings, ...clock, apiTime }),
    mutedSince: mutedBefore,
    withMoreTime:
      settings.offlineAfterSeconds === undefined ? yield* phonesWithMoreTime(account, list, apiTime) : NOBODY,
  };
  const listed = yield* mergeDevices(account, list, absent, context);
  const fleet: Fleet = {
    ...listed,
    absent,
    left,
    departed: departedAfter(before, { listed: list.devices, left, agreedAt }),
    reported: list.reported,
    apiTime,
    ...clock,
    dueIn,
    slack,
    listing: { ...list.listing, suspect: [...absent.values()].some(({ suspect }) => suspect) },
    unseen: unseenAfter(
      before?.unseen ?? [],
      context.elapsed === undefined ? before?.apiTime : undefined,
      agreedAt,
    ),
  };
  const isSame = before === undefined || left === before.left || account.tunnels === undefined;
  const tunnels = isSame
    ? account.tunnels
    : new Map([...account.tunnels].filter(([id]) => fleet.devices.has(id)));
  const prepared = withPrepared(settings.parts, {
    observation: list,
    before: account,
    after: { ...account, at: apiTime, agreedAt, fleet, tunnels },
  });
  const mutedSince =
    prepared.parts === account.parts ? mutedBefore : settings.mutedSinceOf(prepared, apiTime);
  const judgement = yield* judgeDevices(fleet, tunnels, account.judgement, settings.problems, mutedSince);
  const holds = {
    list_incomplete: !list.listing.complete,
    devices_rejected: list.listing.rejected > 0,
    fields_unreadable: list.listing.faulty,
    heartbeats_unreadable: areUnreadable(fleet, judgement),
  };
  const conditions = conditionsAfter(account.conditions, holds, apiTime, list.times.elapsed);
  return withoutFailure(prepared, 'devices', { judgement, conditions });
}

/**
 * Reports whether heartbeats are unreadable because of the API: that of a rented device, or many of them. For an unrented
 * device, it is the device's own problem.
 */
function areUnreadable({ devices }: Fleet, { counts, problems }: Judgement): boolean {
  const unreadable = counts.heartbeat_unreadable;
  if (unreadable === 0 || unreadable > massOutageThreshold(devices.size)) return unreadable > 0;
  return [...problems].some(([id, { problem }]) => {
    const status = devices.get(id)?.device.rentalStatus;
    return problem === 'heartbeat_unreadable' && (status === 'sold' || status === 'self_rented');
  });
}

function* afterTunnels(
  account: Account,
  { results, round, apiTime: latestAt }: TunnelsObservation,
  settings: StepSettings,
  own: OwnClocks | undefined,
): Steps<Account> {
  const { fleet } = account;
  if (fleet === undefined) return account;
  const apiTime = latestAt === undefined ? fleet.apiTime : timeOf(account, latestAt, own);
  const shift = apiTime - (latestAt ?? apiTime);
  const shifted = new Map(
    Array.from(results, ([id, answer]) => [id, { ...answer, apiTime: answer.apiTime + shift }] as const),
  );
  const lifetime = round && staleFor(round, settings.staleAfterMilliseconds);
  const tunnels =
    lifetime === undefined
      ? withResults(account.tunnels, shifted)
      : tunnelsAfterRound(account.tunnels, fleet.liveSelfRents, shifted, apiTime, lifetime);
  const mutedSince = settings.mutedSinceOf(account, apiTime);
  const judgement = yield* judgeDevices(fleet, tunnels, account.judgement, settings.problems, mutedSince);
  const holds = round ? { tunnels_unanswered: results.size < fleet.liveSelfRents.length } : {};
  const conditions = conditionsAfter(account.conditions, holds, apiTime, round?.elapsed);
  const agreedAt = agreedAfter(account, apiTime, own);
  return withoutFailure(account, 'tunnels', { at: apiTime, agreedAt, tunnels, judgement, conditions });
}

function listContextOf(
  account: Account,
  { times, apiTime: listedAt }: ListObservation,
  {
    groups,
    propertiesOf,
    offlineAfterSeconds,
    apiTime,
    clockShift,
    isClockReset,
    ...settings
  }: StepSettings & Pick<Fleet, 'apiTime' | 'clockShift' | 'isClockReset'>,
): Omit<ListContext, 'mutedSince' | 'withMoreTime'> {
  const { fleet: before } = account;
  const outage = outageBefore(account, times.elapsed, listedAt + clockShift);
  const lifetime = staleFor(before ?? times, settings.staleAfterMilliseconds);
  const passed = before === undefined || !isClockReset ? apiTime : before.apiTime + (times.elapsed ?? 0);
  const isKnown = times.elapsed !== undefined && outage === 0 && times.elapsed <= lifetime;
  return {
    groups,
    propertiesOf,
    offlineAfterSeconds,
    apiTime,
    clockShift,
    outage: outage / 1000,
    clockJump: Math.max(0, apiTime - passed) / 1000,
    elapsed: isKnown ? times.elapsed : undefined,
    lifetime,
  };
}

/**
 * Returns for how many milliseconds the API was down before a list; 0 if it was not. While the exporter is stopped there is no
 * outage, unless polls failed.
 */
function outageBefore({ fleet, failing }: Account, elapsed: number | undefined, apiTime: number): number {
  if (failing.devices === undefined && (elapsed === undefined || fleet === undefined)) return 0;
  if (fleet === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, (elapsed ?? apiTime - fleet.apiTime) - toleratedFor(fleet));
}

/** Returns the devices after a list, with their counts. New ones come last. */
function* mergeDevices(
  { fleet: before, causes }: Account,
  list: ListObservation,
  absent: Fleet['absent'],
  context: ListContext,
): Steps<Pick<Fleet, 'devices' | 'counts' | 'liveSelfRents'>> {
  const explained = new Map(causes.flatMap(({ deviceIds }) => deviceIds.map((id) => [id, 'cause' as const])));
  const devices = new Map<string, FleetDevice>();
  yield* lookAtEach(before?.devices ?? [], ([id, entry]) => {
    const listed = list.devices.get(id);
    if (listed === undefined) {
      if (absent.has(id)) devices.set(id, afterAbsence(entry, context.apiTime));
      return;
    }
    // The state of a device is unknown while lists do not show it.
    const elapsed = before?.absent.has(id) === true ? undefined : context.elapsed;
    const excuse = elapsed === undefined ? 'unseen' : explained.get(id);
    devices.set(id, afterListing(entry, listed, context, { elapsed, excuse }));
  });
  yield* lookAtEach(list.devices, ([id, listed]) => {
    if (devices.has(id)) return;
    const departed = before?.departed.get(id);
    const own = { elapsed: undefined, excuse: 'unseen' } as const;
    devices.set(id, afterListing(undefined, listed, context, own, departed));
  });
  return { devices, ...(yield* countDevices(devices)) };
}

type MutableCounts = { -readonly [Rental in keyof DeviceCounts]: Record<keyof DeviceCounts[Rental], number> };

/** Counts devices by status, and lists those whose tunnels can be fetched. */
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
  yield* lookAtEach(devices.values(), ({ device }) => {
    counts[device.rentalStatus ?? OTHER][device.marketplaceStatus ?? OTHER] += 1;
    if (hasLiveSelfRent(device)) liveSelfRents.push(device.id);
  });
  return { counts, liveSelfRents };
}
