import { type Device, isSetUp } from '../model/device.ts';
import type { FleetDevice } from '../model/fleet.ts';
import type { Rhythm } from '../model/rhythm.ts';
import { DAY, HOUR } from '../model/time.ts';

/*
 * Why is this phone called offline? Because its last heartbeat is older than its threshold, which is learned from the
 * gaps between its heartbeats: a failure detector in the sense of Chen, Toueg and Aguilera, "On the quality of service of
 * failure detectors" (2002). Two things make a gap long, and the limit covers the longer of both:
 *
 * - Beats in a row are lost. So many may be missed as are lost in a row less than once in a thousand days, four at most:
 *   longer runs have been seen within two weeks, and count as pauses.
 * - The phone pauses: it dozes, restarts, or is busy. Of each day of heartbeats the longest gap is kept, for two weeks. The
 *   longest of these is set aside, since one odd day proves nothing. The next one, and a margin, is what it may take.
 */

const HOUR_SECONDS = HOUR / 1000;
const DAY_SECONDS = DAY / 1000;

/** Least limit while too little is known, and the bounds of the learned one, in seconds. */
const UNKNOWN_LIMIT = 600;
const MIN_LIMIT = 180;
const MAX_LIMIT = 1_800;

/** Heartbeats of this time, in seconds, are enough to judge by; a new phone that dozes has shown it by then. */
const ENOUGH_SECONDS = 6 * HOUR_SECONDS;

/** Number of days whose longest gap is kept: a weekly habit is seen twice. Costs two weeks until a habit is forgotten. */
const DAYS = 14;

/** From this number of days on the longest gap is set aside. Before, it may be half of what is known. */
const DAYS_TO_SET_ASIDE = 10;

/** Margin on the longest gap, as a share and in seconds: a pause is never twice as long as before. */
const MARGIN_SHARE = 0.15;
const MARGIN_SECONDS = 10;

/** What is added to the share, divided by the number of known days: after one day, the next may be half as long again. */
const YOUNG_SHARE = 0.5;

/** A longer gap is an outage, of which no habit follows. In seconds. */
const MAX_TAUGHT = HOUR_SECONDS;

/** A gap that was called silence teaches at most this multiple of the limit: a habit raises it in steps, an outage once. */
const MAX_RISE = 1.5;

/** Number of gaps in a row beyond the limit after which it is no outage but another rhythm, which is learned anew. */
const NEW_RHYTHM_AFTER = 3;

/** A gap of more than this multiple of the usual one is late: a beat was lost. */
const LATE = 1.5;

/** Assumed share of lost beats where fewer are seen: a thousand beats without a loss do not prove that none is lost. */
const MIN_LOST = 0.005;

/** Numbers of gaps over which the share of late ones is averaged at most, and as many as which the assumption counts. */
const LATE_GAPS = 1_000;
const ASSUMED_GAPS = 100;

/** Days in which so many beats in a row may be lost once. */
const RARE_DAYS = 1_000;

/** Maximum number of gaps that losses explain: three beats in a row. */
const MAX_LOST_GAPS = 4;

/** Rhythm of a device of which no gap is known. */
export const NEW_RHYTHM: Rhythm = { usual: 0, lateShare: MIN_LOST, over: 0, elapsed: 0, longest: [] };

/** Learns the gap between the last heartbeat and the one that was shown before it. */
export function learnGap(rhythm: Rhythm, gapSeconds: number): Rhythm {
  if (!(gapSeconds > 0 && gapSeconds <= MAX_TAUGHT)) return rhythm;
  const { limitSeconds, learned } = explainLimit(rhythm);
  const over = learned !== undefined && gapSeconds > limitSeconds ? rhythm.over + 1 : 0;
  if (over === NEW_RHYTHM_AFTER) return learnGap(NEW_RHYTHM, gapSeconds);
  const taught = Math.ceil(
    gapSeconds > limitSeconds ? Math.min(gapSeconds, MAX_RISE * limitSeconds) : gapSeconds,
  );
  const isNewDay = rhythm.longest.length === 0 || rhythm.elapsed + gapSeconds > DAY_SECONDS;
  return {
    usual: round(usualAfter(rhythm.usual, gapSeconds), 10),
    lateShare: round(lateAfter(rhythm, gapSeconds), 1e5),
    over,
    elapsed: Math.round(isNewDay ? 0 : rhythm.elapsed + gapSeconds),
    longest: isNewDay ? [taught, ...rhythm.longest].slice(0, DAYS) : withGap(rhythm.longest, taught),
  };
}

function lateAfter(rhythm: Rhythm, gapSeconds: number): number {
  const { usual, lateShare } = rhythm;
  if (usual === 0) return lateShare;
  const known = ASSUMED_GAPS + knownSeconds(rhythm) / usual;
  return lateShare + (Number(gapSeconds > LATE * usual) - lateShare) / Math.min(known, LATE_GAPS);
}

/** Returns the time of all gaps that are known, in seconds. */
function knownSeconds({ elapsed, longest }: Rhythm): number {
  return Math.max(0, longest.length - 1) * DAY_SECONDS + elapsed;
}

/**
 * Returns the usual gap after one more: a mean of deviations that are clipped, as robust as the median for large ones
 * (Huber). Of two rhythms the quicker one is found at once, because the first gap may be the end of an outage.
 */
function usualAfter(usual: number, gapSeconds: number): number {
  if (usual === 0) return gapSeconds;
  if (gapSeconds < usual / 2) return (usual + gapSeconds) / 2;
  const clip = 0.05 * usual;
  return usual + 0.2 * Math.min(Math.max(gapSeconds - usual, -clip), clip);
}

function withGap(longest: readonly number[], gap: number): readonly number[] {
  const [today = 0, ...before] = longest;
  return gap > today ? [gap, ...before] : longest;
}

/** What a learned limit follows from. */
export type LimitReason = {
  readonly limitSeconds: number;
  /** Undefined while too little is known. */
  readonly learned:
    | {
        readonly usualSeconds: number;
        /** Number of beats in a row that may be lost. */
        readonly lostBeats: number;
        /** Number of days of heartbeats that are known, and the gap that all of them kept to, but for those set aside. */
        readonly days: number;
        readonly setAside: number;
        readonly longestSeconds: number;
      }
    | undefined;
};

/** Returns the learned limit of a rhythm, and what it follows from, for people who ask why a phone is called offline. */
export function explainLimit(rhythm: Rhythm): LimitReason {
  const { usual, lateShare, longest } = rhythm;
  const days = longest.length;
  if (days === 0) return { limitSeconds: UNKNOWN_LIMIT, learned: undefined };
  const lostGaps = Math.min(
    MAX_LOST_GAPS,
    Math.ceil(Math.log((DAY_SECONDS * RARE_DAYS) / usual) / -Math.log(Math.max(lateShare, MIN_LOST))),
  );
  const known = knownSeconds(rhythm);
  const setAside = days >= DAYS_TO_SET_ASIDE ? 1 : 0;
  const longestSeconds = nthLargest(longest, setAside);
  const young = YOUNG_SHARE / Math.max(1, known / DAY_SECONDS);
  const pause = longestSeconds * (1 + MARGIN_SHARE + young) + MARGIN_SECONDS;
  const isKnown = known >= ENOUGH_SECONDS;
  const least = isKnown ? Math.max(MIN_LIMIT, lostGaps * usual) : UNKNOWN_LIMIT;
  return {
    limitSeconds: Math.round(Math.min(Math.max(pause, least), MAX_LIMIT)),
    learned: isKnown
      ? { usualSeconds: usual, lostBeats: lostGaps - 1, days, setAside, longestSeconds }
      : undefined,
  };
}

/** Returns the heartbeat age, in whole seconds, above which a device is offline. */
export function learnedLimitSeconds(rhythm: Rhythm): number {
  return explainLimit(rhythm).limitSeconds;
}

/** Longest time between two heartbeats of a phone of which nothing is known, in seconds. */
const UNKNOWN_GAP = 300;

/**
 * Returns the time, in seconds, within which a phone that works reports again: the longest gap of its quietest whole day.
 * One that takes longer is late, and may have failed since its last heartbeat.
 */
export function dueSeconds({ longest: [today, ...before] }: Rhythm): number {
  return before.length === 0 ? (today ?? UNKNOWN_GAP) : Math.min(...before);
}

/** Returns the largest of some numbers, or the second largest. */
function nthLargest(numbers: readonly number[], skipped: number): number {
  let [first, second] = [0, 0];
  for (const each of numbers) {
    if (each > first) [first, second] = [each, first];
    else if (each > second) second = each;
  }
  return skipped === 0 ? first : second;
}

function round(value: number, precision: number): number {
  return Math.round(value * precision) / precision;
}

/** A heartbeat further ahead of the API's own clock than this is no usable instant. In milliseconds. */
const FUTURE_LIMIT = 5 * 60 * 1000;

/**
 * Returns the seconds between a heartbeat and the page that showed it, never below 0; undefined where the heartbeat is no
 * usable instant.
 */
export function usableAge(lastHeartbeatAt: number | undefined, listedAt: number): number | undefined {
  if (lastHeartbeatAt === undefined || lastHeartbeatAt - listedAt > FUTURE_LIMIT) return undefined;
  return Math.max(0, listedAt - lastHeartbeatAt) / 1000;
}

/** Reasons for which the time between two heartbeats tells nothing of the rhythm of a device. */
export type Excuse = 'unseen' | 'outage' | 'cause' | 'clock' | 'work';

/** The time between two lists, as the heartbeats of a device tell it. */
export type Gap = {
  /** The later list shows the same heartbeat, or a new one; unknown where one of both cannot be read. */
  readonly beat: 'same' | 'new' | 'unknown';
  /** Between the two heartbeats, in seconds; 0 unless the later one is new. */
  readonly seconds: number;
  /** Part of the time between the lists in which no device could report, in seconds. */
  readonly outageSeconds: number;
  /** Undefined where the gap is a habit of the device. */
  readonly excuse: Excuse | undefined;
  /** Another version of the app reports in a rhythm of its own. A version that cannot be read is unknown. */
  readonly isNewVersion: boolean;
};

/** The heartbeats of a device, as judged. */
export type HeartbeatState = Pick<
  FleetDevice,
  'heartbeatAgeSeconds' | 'outageSeconds' | 'rhythm' | 'offlineAfterSeconds' | 'offline'
>;

/** State of a device that was never listed. */
export const NEW_HEARTBEAT_STATE: Pick<HeartbeatState, 'outageSeconds' | 'rhythm' | 'offline'> = {
  outageSeconds: 0,
  rhythm: NEW_RHYTHM,
  offline: false,
};

/**
 * Returns the rhythm of a device after a gap. Only a habit teaches.
 *
 * Example: a device that reports each 60 s reports after 130 s. The gap is learned, unless the API was down in it.
 */
export function rhythmAfter(known: Rhythm, { beat, seconds, excuse, isNewVersion }: Gap): Rhythm {
  const rhythm = isNewVersion ? NEW_RHYTHM : known;
  return beat === 'new' && excuse === undefined ? learnGap(rhythm, seconds) : rhythm;
}

/**
 * Judges whether a device is offline: it is set up, and its heartbeat age, without outages, exceeds its limit.
 *
 * Example: its limit is 180 s. It is offline at an age of 190 s, and not if the API was down for 20 s of it.
 *
 * @param limits limit of all devices, in seconds; undefined where each has its learned one
 */
export function heartbeatStateAfter(
  known: Pick<HeartbeatState, 'outageSeconds' | 'rhythm' | 'offline'>,
  gap: Gap,
  { setupStatus }: Device,
  ageSeconds: number | undefined,
  limits: number | undefined,
): HeartbeatState {
  const rhythm = rhythmAfter(known.rhythm, gap);
  const limit = limits ?? learnedLimitSeconds(rhythm);
  const outage = outageAfter(known, gap, ageSeconds ?? 0, limit);
  return {
    heartbeatAgeSeconds: ageSeconds,
    outageSeconds: outage,
    rhythm,
    offlineAfterSeconds: limit,
    offline: ageSeconds !== undefined && ageSeconds - outage > limit && isSetUp(setupStatus),
  };
}

/**
 * Returns the part of a heartbeat age in which the device could not report, in seconds. After an outage as long as its
 * limit it has all of its limit to report again, once: where good polls stay rare, the time around them adds up. One that
 * was offline before needs no excuse.
 */
function outageAfter(
  { outageSeconds, offline }: Pick<HeartbeatState, 'outageSeconds' | 'offline'>,
  { beat, outageSeconds: outage }: Gap,
  age: number,
  limit: number,
): number {
  const known = beat === 'same' ? outageSeconds : 0;
  if (outage === 0 || (beat === 'same' && offline)) return known;
  return outage >= limit && known < limit ? age : Math.min(age, known + outage);
}
