import type { ListedDevice } from './observation.ts';

/* Heartbeats show which clock is right: a working fleet has just reported, and never in the future. */

/** Tolerated difference in milliseconds: dates are in whole seconds, and responses take time. */
export const CLOCK_TOLERANCE = 10_000;

/** Number of heartbeats to check, and the percentile that a few wrong ones do not affect. */
const SAMPLE = 500;
const SHARE = 0.9;

/** Reports whether the first clock fits the heartbeats better: not behind them, and less far ahead. */
export function fitsBetter(one: number, other: number, newest: number): boolean {
  const isPossible = (clock: number): boolean => clock >= newest - CLOCK_TOLERANCE;
  return isPossible(one) && (one < other || !isPossible(other));
}

/** Returns the 90th percentile of heartbeats; undefined if there are none. */
export function newestHeartbeat(
  devices: Iterable<Pick<ListedDevice, 'device'>>,
  counts: (device: ListedDevice['device']) => boolean = () => true,
): number | undefined {
  const heartbeats: number[] = [];
  for (const { device } of devices) {
    const { lastHeartbeatAt } = device;
    if (lastHeartbeatAt !== undefined && counts(device)) heartbeats.push(lastHeartbeatAt);
    if (heartbeats.length === SAMPLE) break;
  }
  heartbeats.sort((one, other) => one - other);
  return heartbeats[Math.ceil(SHARE * heartbeats.length) - 1];
}
