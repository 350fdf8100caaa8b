import type { NamedAccount } from '../model/account.ts';
import type { Cause, CauseKind } from '../model/cause.ts';
import { isSetUp } from '../model/device.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { type Problem, SILENT_PROBLEMS } from '../model/problem.ts';
import { dueSeconds } from './silence.ts';
import type { Steps } from './steps.ts';

/** A device that has a vote in the search of causes. */
export type Voter = { readonly account: string; readonly id: string; readonly entry: FleetDevice };

/** A device that stopped reporting. */
export type Stop = Voter & {
  /** Beyond its limit; else it is only late. */
  readonly isSilent: boolean;
  /** It stopped between its last heartbeat and the next one that was due. Milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  /** Its value of each kind; {@link NONE} where it has none. */
  readonly values: Readonly<Record<CauseKind, string>>;
};

/** The devices of all accounts that have a vote. */
export type Votes = {
  /** Those that stopped, by `from`. */
  readonly stops: readonly Stop[];
  /** Those that report in time. */
  readonly reporting: readonly Voter[];
  readonly readValue: ValueReader;
};

/** Returns the value of a kind that a device has. */
export type ValueReader = (kind: CauseKind, voter: Voter) => string;

/** No value of a kind. */
export const NONE = '';

/** A device is not late before this age, in seconds: a list may show its heartbeat a little later. */
const MIN_DUE_SECONDS = 90;

/**
 * Lists the devices of all accounts that stopped reporting, and those that report.
 *
 * @param over causes that are over, whose last silent devices have no vote
 */
export function* readVotes(
  accounts: readonly NamedAccount[],
  over: readonly Pick<Cause, 'deviceIds'>[],
): Steps<Votes> {
  const readValue = valueReader(accounts);
  const stops: Stop[] = [];
  const reporting: Voter[] = [];
  for (const { name, account } of accounts) {
    yield;
    const problems = account.judgement?.problems;
    const ignored = new Set(over.flatMap(({ deviceIds }) => deviceIds.get(name) ?? []));
    for (const [id, entry] of account.fleet?.devices ?? []) {
      if (ignored.has(id) || !hasVote(entry, problems?.get(id)?.problem)) continue;
      const voter = { account: name, id, entry };
      if (entry.silent || isLate(entry)) stops.push(stopOf(voter, readValue));
      else reporting.push(voter);
    }
  }
  yield;
  stops.sort((one, other) => one.from - other.from);
  return { stops, reporting, readValue };
}

/** Tells whether a device counts for or against causes: not if it is given up, in maintenance, or was never set up. */
function hasVote(
  { device, heartbeatAgeSeconds, silent }: FleetDevice,
  problem: Problem | undefined,
): boolean {
  if (heartbeatAgeSeconds === undefined || !isSetUp(device.setupStatus)) return false;
  return silent ? problem !== undefined && SILENT_PROBLEMS.has(problem) : problem !== 'in_maintenance';
}

/** Tells whether a device should have reported. The time in which the API was down does not count. */
function isLate({ heartbeatAgeSeconds = 0, outageSeconds, rhythm }: FleetDevice): boolean {
  const age = heartbeatAgeSeconds - outageSeconds;
  return age > MIN_DUE_SECONDS && age > dueSeconds(rhythm);
}

function stopOf(voter: Voter, readValue: ValueReader): Stop {
  const { account, id, entry } = voter;
  const { silent, outageSeconds, silenceLimitSeconds, rhythm, device } = entry;
  const due = Math.min(Math.max(MIN_DUE_SECONDS, dueSeconds(rhythm)), silenceLimitSeconds);
  const from = device.lastHeartbeatAt ?? 0;
  return {
    account,
    id,
    entry,
    isSilent: silent,
    from,
    until: from + (outageSeconds + due) * 1000,
    values: {
      group: readValue('group', voter),
      tunnel_host: readValue('tunnel_host', voter),
      account: readValue('account', voter),
      app_version: readValue('app_version', voter),
      model: readValue('model', voter),
    },
  };
}

/** Returns a function that reads the values of the devices of some accounts. */
export function valueReader(accounts: readonly NamedAccount[]): ValueReader {
  const tunnels = new Map(accounts.map(({ name, account }) => [name, account.tunnels]));
  return (kind, { account, id, entry }) => {
    switch (kind) {
      case 'group':
        return entry.group;
      case 'tunnel_host':
        return tunnels.get(account)?.get(id)?.tunnel?.host ?? NONE;
      case 'account':
        return account;
      case 'app_version':
        return entry.device.appVersion;
      case 'model':
        return entry.device.model;
    }
  };
}
