import type { Rhythm } from '../model/rhythm.ts';

/*
 * The silence limit of a device, learned from the gaps between its heartbeats: a failure detector in the sense of Chen,
 * Toueg and Aguilera, "On the quality of service of failure detectors" (2002).
 *
 * Lost heartbeats make gaps of several typical ones. A run that is long enough for a wrong suspicion is too rare to be
 * seen in days, so its length is extrapolated from the share of gaps with one loss. Longer gaps are pauses. They
 * cannot be extrapolated, and count as they were seen: the more of them in one or two days, the more.
 */

/** Limit until enough gaps are known, and bounds of the learned one, in seconds. */
const DEFAULT_LIMIT = 600;
const MIN_LIMIT = 180;
const MAX_LIMIT = 1_800;

/** Number of gaps that are enough. */
const ENOUGH = 12;

/** Number of first gaps whose median is the usual one: any of them may be the end of an outage. */
const FIRST_GAPS = 3;

/** Wrong suspicions a day that lost heartbeats may cause. The promise is 1 in 1,000 days, jitter included. */
const WRONG_PER_DAY = 5e-4;

/** Number of gaps over which `late` is averaged, and of late gaps over which `repeated` is. */
const GAPS = 1_000;
const LATE_GAPS = 100;

/** Shares of lost heartbeats, and of further losses after one, that are assumed at first, as if seen in this many gaps. */
const ASSUMED_LOSS = 0.008;
const ASSUMED_REPEATED = 0.03;
const ASSUMED_GAPS = 50;

/** Bounds of the probability of a loss. Even a thousand gaps without any do not prove that it is below the first. */
const MIN_LOSS = 0.005;
const MAX_LOSS = 0.5;

const DAY = 86_400;

/** Maximum that a pause adds to the limit, in seconds, by its rank in one or two days. The fourth is a habit. */
const MAX_RAISES = [60, 120, 240, MAX_LIMIT] as const;

/** Rhythm of a device of which no gap is known. */
export const NEW_RHYTHM: Rhythm = {
  count: 0,
  typical: 0,
  jitter: 0,
  late: ASSUMED_LOSS,
  repeated: ASSUMED_REPEATED,
  wasLate: false,
  elapsed: 0,
  today: [],
  yesterday: [],
};

/**
 * Learns the gap between the last heartbeat and the one that was shown before it. Ignores gaps above the longest limit,
 * such as outages: no limit can cover them.
 */
export function learnHeartbeat(rhythm: Rhythm, gapSeconds: number): Rhythm {
  if (!(gapSeconds > 0 && gapSeconds <= MAX_LIMIT)) return rhythm;
  const count = Math.min(rhythm.count + 1, GAPS);
  const center = rhythm.count === 0 ? gapSeconds : rhythm.typical;
  const deviation = gapSeconds - center;
  const isLate = gapSeconds > 1.5 * center;
  // Most gaps are late when a device has changed its interval: only those after one that is not late tell of losses.
  const tellsLosses = !rhythm.wasLate && (!isLate || gapSeconds <= lossLimit(rhythm));
  const isNewDay = rhythm.elapsed + gapSeconds > DAY;
  // A mean of clipped deviations (Huber): as exact as the mean for small ones, as robust as the median for large ones.
  const clip = center * Math.max(0.05, 3 / count);
  const step = Math.max(0.1, 1 / count) * Math.min(Math.max(deviation, -clip), clip);
  const today = withGap(isNewDay ? [] : rhythm.today, Math.ceil(gapSeconds));
  const isFirst = count <= FIRST_GAPS;
  return {
    count,
    typical: isFirst ? (today[count >> 1] ?? center) : round(Math.max(1, center + step), 1e3),
    jitter:
      isLate || isFirst
        ? rhythm.jitter
        : round(moved(rhythm.jitter, Math.abs(deviation), Math.max(0.02, 1 / count)), 1e3),
    late: tellsLosses
      ? round(moved(rhythm.late, Number(isLate), 1 / Math.min(count + ASSUMED_GAPS, GAPS)), 1e6)
      : rhythm.late,
    repeated:
      tellsLosses && isLate
        ? round(moved(rhythm.repeated, Number(gapSeconds > 2.5 * center), 1 / LATE_GAPS), 1e4)
        : rhythm.repeated,
    wasLate: isLate,
    elapsed: isNewDay ? 0 : round(rhythm.elapsed + gapSeconds, 10),
    today,
    yesterday: isNewDay ? rhythm.today : rhythm.yesterday,
  };
}

/** Returns the heartbeat age, in seconds, above which a device is silent. */
export function silenceLimitSeconds(rhythm: Rhythm): number {
  const base = lossLimit(rhythm);
  const { count, typical, today, yesterday } = rhythm;
  if (count < ENOUGH) return DEFAULT_LIMIT;
  let limit = base;
  if ((today[0] ?? 0) > base || (yesterday[0] ?? 0) > base) {
    const longest = [...today, ...yesterday].sort(descending);
    for (const [rank, maxRaise] of MAX_RAISES.entries()) {
      const pause = longest[rank] ?? 0;
      if (pause <= base) break;
      // Heartbeats may be lost after a pause too, and the next pause may be longer.
      const covering = pause + Math.max(base - typical, pause / 3);
      limit = Math.max(limit, Math.min(covering, base + maxRaise));
    }
  }
  return Math.min(Math.max(limit, MIN_LIMIT), MAX_LIMIT);
}

/** Returns the longest gap, in seconds, that lost heartbeats explain: a longer run is as rare as `WRONG_PER_DAY`. */
function lossLimit({ count, typical, jitter, late, repeated }: Rhythm): number {
  if (count < ENOUGH) return DEFAULT_LIMIT;
  const loss = Math.min(Math.max(late, MIN_LOSS), MAX_LOSS);
  // Losses in bursts repeat more often than they begin. Less what chance adds to a share of few gaps.
  const next = Math.min(Math.max(repeated - 0.03, loss), MAX_LOSS);
  const lossesPerDay = (DAY / typical) * loss;
  const gaps = 1 + Math.ceil(Math.log(lossesPerDay / WRONG_PER_DAY) / -Math.log(next));
  return gaps * typical + margin(typical, jitter);
}

/**
 * Returns the margin for delays, in seconds. Polls seldom meet the few seconds by which small jitter exceeds a limit.
 * Quick and slow rhythms get some seconds more; at two minutes, where each second of the limit counts, it gets a few less.
 */
function margin(typical: number, jitter: number): number {
  return Math.max(3 * jitter - 8, (110 - typical) / 4, (typical - 140) / 10);
}

/** Inserts a gap if it is one of the longest. */
function withGap(longest: readonly number[], gap: number): readonly number[] {
  const isFull = longest.length === MAX_RAISES.length;
  if (isFull && gap <= (longest.at(-1) ?? 0)) return longest;
  return [...longest, gap].sort(descending).slice(0, MAX_RAISES.length);
}

function descending(one: number, other: number): number {
  return other - one;
}

function moved(average: number, value: number, weight: number): number {
  return average + (value - average) * weight;
}

function round(value: number, precision: number): number {
  return Math.round(value * precision) / precision;
}
