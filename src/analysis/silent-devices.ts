import type { CauseKind } from '../model/cause.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { SILENT_PROBLEMS } from '../model/problem.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { isSetUp } from './problems.ts';
import { DEVICES_PER_YIELD, type Steps } from './steps.ts';

/** Minimum length of the interval in which a device may have fallen silent. */
const MIN_WINDOW_SECONDS = 90;

/** A device fell silent at most this many times the usual time between its heartbeats after the last one. */
const WINDOW_GAPS = 1.25;

/** Usual time between heartbeats where that of no device is known. */
const DEFAULT_GAP_SECONDS = 300;

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
export function* listSilentDevices(accounts: readonly AccountSnapshot[]): Steps<SilentDevices> {
  const silent: SilentDevice[] = [];
  for (const { name: account, devices, judgement } of accounts) {
    let looked = 0;
    for (const [id, { problem }] of judgement?.problems ?? []) {
      looked += 1;
      if (looked % DEVICES_PER_YIELD === 0) yield;
      const entry = SILENT_PROBLEMS.has(problem) ? devices.data?.devices.get(id) : undefined;
      if (entry !== undefined) silent.push({ account, id, entry });
    }
  }
  const usual = silent.some(({ entry }) => entry.rhythm.count === 0) ? usualGapSeconds(accounts) : 0;
  const from = new Float64Array(silent.length);
  const until = new Float64Array(silent.length);
  const latest = new Float64Array(silent.length);
  for (const [index, { entry }] of silent.entries()) {
    const at = entry.device.lastHeartbeatAt ?? 0;
    const gap = entry.rhythm.count === 0 ? usual : entry.rhythm.typical;
    from[index] = at;
    const becameSilentAt = at + (entry.outageSeconds + entry.silenceLimitSeconds) * 1000;
    until[index] = Math.min(at + Math.max(MIN_WINDOW_SECONDS, WINDOW_GAPS * gap) * 1000, becameSilentAt);
    latest[index] = becameSilentAt;
  }
  return { silent, from, until, latest };
}

/** Returns the median of the usual times between the heartbeats of some devices of each account. */
function usualGapSeconds(accounts: readonly AccountSnapshot[]): number {
  const gaps: number[] = [];
  for (const { devices } of accounts) {
    let left = SAMPLE;
    for (const { rhythm } of devices.data?.devices.values() ?? []) {
      if (rhythm.count > 0) gaps.push(rhythm.typical);
      left -= 1;
      if (left === 0) break;
    }
  }
  gaps.sort((one, other) => one - other);
  return gaps[gaps.length >> 1] ?? DEFAULT_GAP_SECONDS;
}

/** Tells whether a device is in use and not silent. */
export function isReporting({ silent, heartbeatAgeSeconds, device }: FleetDevice): boolean {
  return !silent && heartbeatAgeSeconds !== undefined && isSetUp(device.setupStatus);
}

/** No value of a kind. */
export const NONE = '';

/** Functions that return the value of each kind of a device. */
export type ValueReaders = Readonly<Record<CauseKind, (entry: FleetDevice, account: string) => string>>;

export function valueReaders(accounts: readonly AccountSnapshot[]): ValueReaders {
  const tunnelsOf = new Map(accounts.map(({ name, tunnels }) => [name, tunnels.data]));
  return {
    group: ({ group }) => group,
    tunnel_host: ({ device }, account) => tunnelsOf.get(account)?.get(device.id)?.tunnel?.host ?? NONE,
    account: (_, account) => account,
    app_version: ({ device }) => device.appVersion,
    model: ({ device }) => device.model,
  };
}
