import { lookAtEach, type Steps } from '../base/steps.ts';
import { dueSeconds } from '../judge/offline.ts';
import type { Account, NamedAccount } from '../model/account.ts';
import { CAUSE_KINDS, type Cause, type CauseKind } from '../model/cause.ts';
import { isSetUp } from '../model/device.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { isMuted, offlineProblemOf, type Problem } from '../model/problem.ts';

/** A device that stopped reporting. Instants are milliseconds since 1970. */
export type Stopped = {
  readonly account: string;
  readonly id: string;
  readonly entry: FleetDevice;
  /** Beyond its threshold; else it is only late. */
  readonly isOffline: boolean;
  /** It stopped between its last heartbeat and the next one that was due. */
  readonly from: number;
  readonly until: number;
  readonly readValue: ValueReader;
};

/** Returns the value of a kind of a device; {@link NONE} where it has none. */
type ValueReader = (kind: CauseKind, entry: FleetDevice) => string;

/** The devices that have a vote in the search of causes. */
export type Votes = {
  /** The kinds of causes: those of each fleet, and the properties of devices that stopped. */
  readonly kinds: readonly CauseKind[];
  /** Stopped devices, by `from`. */
  readonly stops: readonly Stopped[];
  /** Devices that report in time, by account. */
  readonly reporting: readonly {
    readonly devices: readonly FleetDevice[];
    readonly readValue: ValueReader;
  }[];
};

/** No value of a kind. */
export const NONE = '';

/** Adds an item to the list of a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** A device is not late before this age, in seconds: a list may show its heartbeat a little later. */
const MIN_DUE_SECONDS = 90;

/**
 * Lists the stopped and the reporting devices of all accounts.
 *
 * @param over ended causes, whose remaining offline devices have no vote
 */
export function* readVotes(
  accounts: readonly NamedAccount[],
  over: readonly Pick<Cause, 'deviceIds'>[],
): Steps<Votes> {
  const stops: Stopped[] = [];
  const reporting: Votes['reporting'][number][] = [];
  for (const { name, account } of accounts) {
    yield;
    const readValue = valueReader(name, account);
    const devices: FleetDevice[] = [];
    const problems = account.judgement?.problems;
    const ignored = new Set(over.flatMap(({ deviceIds }) => deviceIds.get(name) ?? []));
    yield* lookAtEach(account.fleet?.devices ?? [], ([id, entry]) => {
      if (ignored.has(id) || !hasVote(entry, problems?.get(id)?.problem)) return;
      if (entry.offline || isLate(entry)) stops.push(stopOf(name, entry, readValue));
      else devices.push(entry);
    });
    reporting.push({ devices, readValue });
  }
  yield;
  stops.sort((one, other) => one.from - other.from);
  const own = new Set(stops.flatMap(({ entry }) => [...entry.properties.keys()]));
  return { kinds: [...CAUSE_KINDS, ...[...own].sort()], stops, reporting };
}

/** Returns the value of a kind of a stopped device. */
export function valueOfKind({ readValue, entry }: Stopped, kind: CauseKind): string {
  return readValue(kind, entry);
}

/** Reports whether a device counts for or against causes: not if it is given up, in maintenance or not set up. */
export function hasVote(
  { device, heartbeatAgeSeconds, offline }: FleetDevice,
  problem: Problem | undefined,
): boolean {
  if (heartbeatAgeSeconds === undefined || !isSetUp(device.setupStatus)) return false;
  return offline ? offlineProblemOf(problem) !== undefined : !isMuted(problem);
}

/** Reports whether a heartbeat is overdue. Time in which the API was down does not count. */
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

/** Returns a function that reads the values of the devices of an account. */
export function valueReader(name: string, { tunnels }: Account): ValueReader {
  return (kind, { device, group, properties }) => {
    switch (kind) {
      case 'group':
        return group;
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
