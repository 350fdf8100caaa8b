import type { NamedAccount } from '../model/account.ts';
import type { CauseKind } from '../model/cause.ts';
import { isSetUp } from '../model/device.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { SILENT_PROBLEMS } from '../model/problem.ts';
import type { Rhythm } from '../model/rhythm.ts';
import { dueSeconds, NEW_RHYTHM } from './silence.ts';
import { DEVICES_PER_YIELD, type Steps } from './steps.ts';

/** Minimum length of the interval in which a device may have fallen silent: from its last heartbeat until the next was due. */
const MIN_WINDOW_SECONDS = 90;

/** Number of devices from which the usual time between heartbeats is taken where that of a device is unknown. */
const SAMPLE = 500;

/** A silent device. */
type SilentDevice = { readonly account: string; readonly id: string; readonly entry: FleetDevice };

/** The silent devices of all accounts. Other lists refer to them by their indexes. */
export type SilentDevices = {
  readonly silent: readonly SilentDevice[];
  /** Each of them fell silent between these two instants, in milliseconds since 1970. */
  readonly from: Float64Array;
  readonly until: Float64Array;
  /** It may have rested at first, and have failed until this instant, at which it became silent. */
  readonly latest: Float64Array;
};

/** Lists the silent devices of all accounts. */
export function* listSilentDevices(accounts: readonly NamedAccount[]): Steps<SilentDevices> {
  const silent: SilentDevice[] = [];
  for (const { name, account } of accounts) {
    let looked = 0;
    for (const [id, { problem }] of account.judgement?.problems ?? []) {
      looked += 1;
      if (looked % DEVICES_PER_YIELD === 0) yield;
      const entry = SILENT_PROBLEMS.has(problem) ? account.fleet?.devices.get(id) : undefined;
      if (entry !== undefined) silent.push({ account: name, id, entry });
    }
  }
  const usual = silent.some(({ entry }) => isUnknown(entry.rhythm)) ? usualDueSeconds(accounts) : 0;
  const from = new Float64Array(silent.length);
  const until = new Float64Array(silent.length);
  const latest = new Float64Array(silent.length);
  for (const [index, { entry }] of silent.entries()) {
    const at = entry.device.lastHeartbeatAt ?? 0;
    const due = isUnknown(entry.rhythm) ? usual : dueSeconds(entry.rhythm);
    from[index] = at;
    const becameSilentAt = at + (entry.outageSeconds + entry.silenceLimitSeconds) * 1000;
    until[index] = Math.min(at + Math.max(MIN_WINDOW_SECONDS, due) * 1000, becameSilentAt);
    latest[index] = becameSilentAt;
  }
  return { silent, from, until, latest };
}

function isUnknown({ longest }: Rhythm): boolean {
  return longest.length === 0;
}

/** Returns the median of the times within which some devices of each account report again. */
function usualDueSeconds(accounts: readonly NamedAccount[]): number {
  const gaps: number[] = [];
  for (const { account } of accounts) {
    let left = SAMPLE;
    for (const { rhythm } of account.fleet?.devices.values() ?? []) {
      if (!isUnknown(rhythm)) gaps.push(dueSeconds(rhythm));
      left -= 1;
      if (left === 0) break;
    }
  }
  gaps.sort((one, other) => one - other);
  return gaps[gaps.length >> 1] ?? dueSeconds(NEW_RHYTHM);
}

/** Tells whether a device is in use and not silent. */
export function isReporting({ silent, heartbeatAgeSeconds, device }: FleetDevice): boolean {
  return !silent && heartbeatAgeSeconds !== undefined && isSetUp(device.setupStatus);
}

/** No value of a kind. */
export const NONE = '';

/** Functions that return the value of each kind of a device. */
export type ValueReaders = Readonly<Record<CauseKind, (entry: FleetDevice, account: string) => string>>;

export function valueReaders(accounts: readonly NamedAccount[]): ValueReaders {
  const tunnelsOf = new Map(accounts.map(({ name, account }) => [name, account.tunnels]));
  return {
    group: ({ group }) => group,
    tunnel_host: ({ device }, account) => tunnelsOf.get(account)?.get(device.id)?.tunnel?.host ?? NONE,
    account: (_, account) => account,
    app_version: ({ device }) => device.appVersion,
    model: ({ device }) => device.model,
  };
}
