import { lookAtEach, type Steps } from '../base/steps.ts';
import { dueSeconds } from '../judge/offline.ts';
import type { Account, NamedAccount } from '../model/account.ts';
import {
  CAUSE_KINDS,
  type Cause,
  type CauseKind,
  groupAccount,
  groupValue,
  isShown,
  shownValue,
} from '../model/cause.ts';
import { isSetUp } from '../model/device.ts';
import { addTo } from '../model/enums.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { isMuted, offlineProblemOf, type Problem } from '../model/problem.ts';
import { MINUTE } from '../model/time.ts';

/** A device that stopped reporting. Instants are milliseconds since 1970. */
export type Stopped = {
  readonly account: string;
  readonly id: string;
  readonly entry: FleetDevice;
  /** Past its threshold; otherwise it is only late. */
  readonly isOffline: boolean;
  /** It stopped between its last heartbeat and the next one that was due. */
  readonly from: number;
  readonly until: number;
  readonly readValue: ValueReader;
};

/** Returns a device's value of a kind; {@link NONE} if it has none. */
type ValueReader = (kind: CauseKind, entry: FleetDevice) => string;

/** The devices that have a vote in the search for causes. */
export type Votes = {
  /** The kinds of causes: those that every fleet has, and the properties of stopped devices. */
  readonly kinds: readonly CauseKind[];
  /** Stopped devices, by `from`. */
  readonly stops: readonly Stopped[];
  /** Devices that report on time, by account. */
  readonly reporting: readonly {
    readonly name: string;
    readonly devices: readonly FleetDevice[];
    readonly readValue: ValueReader;
  }[];
};

/** No value of a kind. */
export const NONE = '';

const NO_GROUPS: ReadonlySet<string> = new Set();

/** Minimum age of a late device's heartbeat, in seconds: a list may show the next one a little later. */
const MIN_DUE_SECONDS = 90;

/**
 * Lists the stopped and the reporting devices of all accounts.
 *
 * @param over ended causes: their remaining offline devices have no vote
 */
export function* readVotes(
  accounts: readonly NamedAccount[],
  over: readonly Pick<Cause, 'deviceIds'>[],
  before: readonly Cause[],
): Steps<Votes> {
  // Complete before any reader is called.
  const shared = new Set<string>();
  const stops: Stopped[] = [];
  const reporting: Votes['reporting'][number][] = [];
  for (const { name, account } of accounts) {
    yield;
    const readValue = valueReader(name, account, shared);
    const devices: FleetDevice[] = [];
    const problems = account.judgement?.problems;
    const ignored = new Set(over.flatMap(({ deviceIds }) => deviceIds.get(name) ?? []));
    yield* lookAtEach(account.fleet?.devices ?? [], ([id, entry]) => {
      if (ignored.has(id) || !hasVote(entry, problems?.get(id)?.problem)) return;
      if (entry.offline || isLate(entry)) stops.push(stopOf(name, entry, readValue));
      else devices.push(entry);
    });
    reporting.push({ name, devices, readValue });
  }
  yield;
  stops.sort((one, other) => one.from - other.from);
  for (const cause of before)
    if (cause.kind === 'group' && isShown(cause) && groupAccount(cause) === undefined)
      for (const account of cause.deviceIds.keys()) shared.add(groupValue(shownValue(cause), account));
  yield;
  for (const value of sharedGroups(stops, reporting)) shared.add(value);
  const own = new Set(stops.flatMap(({ entry }) => [...entry.properties.keys()]));
  return { kinds: [...CAUSE_KINDS, ...[...own].sort()], stops, reporting };
}

export function valueOfKind({ readValue, entry }: Stopped, kind: CauseKind): string {
  return readValue(kind, entry);
}

/** Reports whether a device counts for or against causes. One that is given up, muted or not set up does not. */
export function hasVote(
  { device, heartbeatAgeSeconds, offline }: FleetDevice,
  problem: Problem | undefined,
): boolean {
  if (heartbeatAgeSeconds === undefined || !isSetUp(device.setupStatus)) return false;
  return offline ? offlineProblemOf(problem) !== undefined : !isMuted(problem);
}

/** Reports whether a heartbeat is overdue. The time during which the API was down does not count. */
export function isLate({ heartbeatAgeSeconds = 0, outageSeconds, rhythm }: FleetDevice): boolean {
  const age = heartbeatAgeSeconds - outageSeconds;
  return age > MIN_DUE_SECONDS && age > dueSeconds(rhythm);
}

function stopOf(account: string, entry: FleetDevice, readValue: ValueReader): Stopped {
  const { offline, outageSeconds, offlineAfterSeconds, rhythm, device } = entry;
  const due = Math.min(Math.max(MIN_DUE_SECONDS, dueSeconds(rhythm)), offlineAfterSeconds);
  const from = device.lastHeartbeatAt ?? 0;
  return {
    account,
    id: device.id,
    entry,
    isOffline: offline,
    from,
    until: from + (outageSeconds + due) * 1000,
    readValue,
  };
}

/** Groups of several accounts that stop within this time of each other are one group, in milliseconds. */
const SHARED_WITHIN = 5 * MINUTE;

/**
 * Lists the groups of several accounts that are one group, because most devices of each stopped at the same time.
 *
 * Example: two accounts have a rack-01 of 20 devices each. If both go dark at noon, they are one. If one goes dark an hour
 * later, or not at all, each is a group of its own.
 */
function sharedGroups(stops: readonly Stopped[], reporting: Votes['reporting']): readonly string[] {
  const parts = new Map<string, Stopped[]>();
  for (const stop of stops)
    if (stop.entry.group !== NONE) addTo(parts, groupValue(stop.entry.group, stop.account), stop);
  const sameName = new Map<string, string[]>();
  for (const value of parts.keys()) addTo(sameName, shownValue({ kind: 'group', value }), value);
  const named = [...sameName.values()].filter(({ length }) => length > 1);
  if (named.length === 0) return [];
  const reported = new Map<string, number>();
  for (const { name, devices } of reporting) {
    const counts = new Map<string, number>();
    for (const { group } of devices) counts.set(group, (counts.get(group) ?? 0) + 1);
    for (const [group, count] of counts) reported.set(groupValue(group, name), count);
  }
  return named.flatMap((values) => {
    // When the middle half of them stopped. Some stopped long before, on their own.
    const failed = values.flatMap((value) => {
      const own = parts.get(value) ?? [];
      const at = (share: number): number => own[Math.floor(share * (own.length - 1))]?.from ?? 0;
      return own.length < (reported.get(value) ?? 0) ? [] : { value, from: at(0.25), until: at(0.75) };
    });
    return failed.flatMap(({ value, from, until }) => {
      const isTogether = (other: (typeof failed)[number]): boolean =>
        other.value !== value && Math.max(from, other.from) <= Math.min(until, other.until) + SHARED_WITHIN;
      return failed.some(isTogether) ? value : [];
    });
  });
}

/** Returns a function that reads the values of an account's devices. Groups in `shared` belong to no single account. */
export function valueReader(name: string, { tunnels }: Account, shared = NO_GROUPS): ValueReader {
  // A value is read for every device in every poll, but composed only once for its group.
  const values = new Map<string, string>([[NONE, NONE]]);
  const groupOf = (group: string): string => {
    const known = values.get(group);
    if (known !== undefined) return known;
    const value = groupValue(group, shared.has(groupValue(group, name)) ? '' : name);
    values.set(group, value);
    return value;
  };
  return (kind, { device, group, properties }) => {
    switch (kind) {
      case 'group':
        return groupOf(group);
      case 'tunnel_host':
        return tunnels?.get(device.id)?.tunnel?.host ?? NONE;
      case 'account':
        return name;
      case 'app_version':
        return device.appVersion;
      case 'model':
        return device.model;
      // No tag has the name of a kind above.
      default:
        return properties.get(kind) ?? NONE;
    }
  };
}
