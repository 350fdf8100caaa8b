import { type Device, isSetUp } from '../model/device.ts';
import type { FleetDevice } from '../model/fleet.ts';
import type { Rhythm } from '../model/rhythm.ts';
import { DAY, HOUR } from '../model/time.ts';

/*
 * A phone is offline when its last heartbeat is older than its threshold, which is learned from the gaps between its
 * heartbeats: a failure detector as in Chen, Toueg and Aguilera, "On the quality of service of failure detectors" (2002). Gaps
 * are long for two reasons, and the threshold allows for whichever is longer:
 *
 * - Several heartbeats in a row are lost. The threshold allows for the run that occurs once in a thousand days, at most four:
 *   longer runs have been seen within two weeks, and count as pauses.
 * - The phone pauses: it dozes, restarts, or is busy. The longest gap of every day is kept for two weeks. The longest of these
 *   is set aside, since one odd day proves nothing. The threshold allows for the next one and a margin.
 */

const HOUR_SECONDS = HOUR / 1000;
const DAY_SECONDS = DAY / 1000;

/**
 * Minimum threshold while nothing is known, in seconds: a phone that reports every five minutes may lose a heartbeat.
 */
const UNKNOWN_LIMIT = 600;

/**
 * Minimum thresholds by how long heartbeats have been known, in seconds. After twenty minutes the usual gap is known, but not
 * whether the phone pauses: five minutes allow for a restart. After six hours a phone that dozes has shown it, but with two
 * polls a minute, heartbeats may be missed for three minutes.
 */
const MIN_LIMITS = [
  { known: 6 * HOUR_SECONDS, limit: 180 },
  { known: HOUR_SECONDS / 3, limit: 300 },
] as const;
const MAX_LIMIT = 1_800;

/** Number of days whose longest gap is kept. A weekly habit is then seen twice. */
const DAYS = 14;

/** Number of known days from which on the longest gap is set aside. */
const DAYS_TO_SET_ASIDE = 10;

/** Margin on the longest gap, as a share and in seconds. */
const MARGIN_SHARE = 0.15;
const MARGIN_SECONDS = 10;

/** Extra margin while few days are known: this share divided by their number. */
const YOUNG_SHARE = 0.5;

/** Longest gap that is learned, in seconds; a longer one is an outage. */
const MAX_TAUGHT = HOUR_SECONDS;

/**
 * Longest gap that is learned, as a multiple of the threshold: a habit raises it step by step, an outage only once. On the
 * first day, when the margin is large, the threshold itself rises at most by this factor.
 */
const MAX_RISE = 1.5;

/** Number of consecutive gaps beyond the threshold after which the rhythm is learned again from scratch. */
const NEW_RHYTHM_AFTER = 3;

/** Multiple of the usual gap beyond which a gap is late: a heartbeat was lost. */
const LATE = 1.5;

/** Minimum share of lost heartbeats: a thousand without a loss do not prove that none are ever lost. */
const MIN_LOST = 0.005;

/** The share of late gaps is a mean over the last 1,000. The assumed share weighs as much as 100 gaps. */
const LATE_GAPS = 1_000;
const ASSUMED_GAPS = 100;

/** Number of days in which lost heartbeats may exceed the threshold once. */
const RARE_DAYS = 1_000;

/** Maximum number of gaps that losses explain: three heartbeats lost in a row. */
const MAX_LOST_GAPS = 4;

/** Rhythm of a device without any known gaps. */
export const NEW_RHYTHM: Rhythm = { usual: 0, lateShare: MIN_LOST, over: 0, elapsed: 0, longest: [] };

/**
 * Learns the gap between the last heartbeat and the one that was shown before it.
 *
 * @param least the device's minimum threshold during the gap, in seconds
 */
export function learnGap(rhythm: Rhythm, gapSeconds: number, least = 0): Rhythm {
  if (!(gapSeconds > 0 && gapSeconds <= MAX_TAUGHT)) return rhythm;
  const { limitSeconds: own, learned } = explainLimit(rhythm);
  const limitSeconds = Math.max(own, least);
  const over = learned !== undefined && gapSeconds > limitSeconds ? rhythm.over + 1 : 0;
  if (over === NEW_RHYTHM_AFTER) return learnGap(NEW_RHYTHM, gapSeconds);
  const taught = Math.ceil(
    gapSeconds > limitSeconds ? Math.min(gapSeconds, longestTaught(limitSeconds, rhythm)) : gapSeconds,
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

/** Returns the longest gap that is learned at a threshold, in seconds. */
function longestTaught(limitSeconds: number, rhythm: Rhythm): number {
  const most = MAX_RISE * limitSeconds;
  return isYoung(rhythm) ? (most - MARGIN_SECONDS) / (1 + marginShare(rhythm)) : most;
}

/** Returns the margin on the longest gap, as a share. */
function marginShare(rhythm: Rhythm): number {
  return MARGIN_SHARE + YOUNG_SHARE / Math.max(1, knownSeconds(rhythm) / DAY_SECONDS);
}

function lateAfter(rhythm: Rhythm, gapSeconds: number): number {
  const { usual, lateShare } = rhythm;
  if (usual === 0) return lateShare;
  const known = ASSUMED_GAPS + knownSeconds(rhythm) / usual;
  return lateShare + (Number(gapSeconds > LATE * usual) - lateShare) / Math.min(known, LATE_GAPS);
}

/** Returns the sum of all known gaps, in seconds. */
function knownSeconds({ elapsed, longest }: Rhythm): number {
  return Math.max(0, longest.length - 1) * DAY_SECONDS + elapsed;
}

/**
 * Returns the usual gap after one more: a mean of clipped deviations (Huber), robust against large ones. A gap of less than
 * half the usual one halves the distance at once, because the first gap may be the end of an outage.
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

/** A learned threshold with its reasons. */
export type LimitReason = {
  readonly limitSeconds: number;
  /** Undefined while too little is known. */
  readonly learned:
    | {
        readonly usualSeconds: number;
        /** Number of heartbeats in a row that may be lost. */
        readonly lostBeats: number;
        /** Number of known days, number of days set aside, and the longest gap of the others. */
        readonly days: number;
        readonly setAside: number;
        readonly longestSeconds: number;
      }
    | undefined;
};

/** Returns the learned threshold of a rhythm, with the reasons that explain to people why a phone is offline. */
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
  const pause = longestSeconds * (1 + marginShare(rhythm)) + MARGIN_SECONDS;
  const least = MIN_LIMITS.find((each) => known >= each.known)?.limit;
  const lost = least === undefined ? UNKNOWN_LIMIT : Math.max(least, lostGaps * usual);
  return {
    limitSeconds: Math.round(Math.min(Math.max(pause, lost), MAX_LIMIT)),
    learned: least && { usualSeconds: usual, lostBeats: lostGaps - 1, days, setAside, longestSeconds },
  };
}

/** Reports whether a phone is known to report, but for less than a whole day. */
export function isYoung({ longest }: Rhythm): boolean {
  return longest.length === 1;
}

/** Assumed longest gap of a phone without any known gaps, in seconds. */
const UNKNOWN_GAP = 300;

/**
 * Returns the time, in seconds, after which a heartbeat is late: the longest gap of the phone's quietest whole day. A late
 * phone may have failed right after its last heartbeat.
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

/** Maximum time by which a heartbeat may be ahead of the API's clock, in milliseconds. */
const FUTURE_LIMIT = 5 * 60 * 1000;

/**
 * Returns the seconds between a heartbeat and the page that showed it, at least 0; undefined without a usable
 * heartbeat.
 */
export function usableAge(lastHeartbeatAt: number | undefined, listedAt: number): number | undefined {
  if (lastHeartbeatAt === undefined || lastHeartbeatAt - listedAt > FUTURE_LIMIT) return undefined;
  return Math.max(0, listedAt - lastHeartbeatAt) / 1000;
}

/** Reasons why a device's rhythm is not learned from the time between two heartbeats. */
export type Excuse = 'unseen' | 'outage' | 'cause' | 'clock' | 'muted';

/** The time between two lists, as a device's heartbeats show it. */
export type Gap = {
  /** Heartbeat of the later list: the same as before, or new; unknown if one of them cannot be read. */
  readonly beat: 'same' | 'new' | 'unknown';
  /** Time between the two heartbeats, in seconds; 0 unless the later one is new. */
  readonly seconds: number;
  /** The part of it in which no device could report, in seconds. */
  readonly outageSeconds: number;
  /** Undefined if the gap is one of the device's habits. */
  readonly excuse: Excuse | undefined;
  /** The app was updated, and may now report in another rhythm. */
  readonly isNewVersion: boolean;
};

/** Facts about the heartbeats of a device. */
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
 * Returns the rhythm of a device after a gap. It is learned from habits only.
 *
 * Example: a device that reports every 60 s reports after 130 s. The gap is learned, unless the API was down in between.
 */
function rhythmAfter(
  known: Rhythm,
  { beat, seconds, excuse, isNewVersion }: Gap,
  least: number | undefined,
): Rhythm {
  const rhythm = isNewVersion ? NEW_RHYTHM : known;
  return beat === 'new' && excuse === undefined ? learnGap(rhythm, seconds, least) : rhythm;
}

/**
 * Returns the heartbeat facts of a device. It is offline if it is set up and its heartbeat age, not counting outages,
 * exceeds its threshold.
 *
 * Example: with a threshold of 180 s, it is offline at an age of 190 s, but not if the API was down for 20 s of that time.
 *
 * @param limits `fixed` is the threshold of all devices, in seconds, undefined if thresholds are learned; `least` is this
 *   device's minimum
 */
export function heartbeatStateAfter(
  known: Pick<HeartbeatState, 'outageSeconds' | 'rhythm' | 'offline'> &
    Partial<Pick<HeartbeatState, 'offlineAfterSeconds'>>,
  gap: Gap,
  { setupStatus }: Device,
  ageSeconds: number | undefined,
  { fixed, least }: { readonly fixed: number | undefined; readonly least: number },
): HeartbeatState {
  const rhythm = rhythmAfter(known.rhythm, gap, fixed === undefined ? known.offlineAfterSeconds : 0);
  const limit = fixed ?? Math.max(explainLimit(rhythm).limitSeconds, least);
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
 * threshold, a device that was online gets its whole threshold to come back, once.
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
