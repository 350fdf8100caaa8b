import type { ListedDevice } from './observation.ts';

/*
 * Heartbeats show which clock is right: a fleet that works has reported just now, and never in the future.
 */

/** Tolerated difference in milliseconds: dates have whole seconds, and responses take time. */
export const CLOCK_TOLERANCE = 10_000;

/** Number of heartbeats to check, and the percentile that a few wrong ones cannot reach. */
const SAMPLE = 500;
const SHARE = 0.9;

/** Reports whether the first clock fits heartbeats better: not behind them, and less far ahead. */
export function fitsBetter(one: number, other: number, newest: number): boolean {
  const isPossible = (clock: number): boolean => clock >= newest - CLOCK_TOLERANCE;
  return isPossible(one) && (one < other || !isPossible(other));
}

/** Returns the 90th percentile of heartbeats; undefined without any. */
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
