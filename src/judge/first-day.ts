import { lookAtEach, type Steps } from '../base/steps.ts';
import type { Account } from '../model/account.ts';
import { isSetUp } from '../model/device.ts';
import type { Fleet } from '../model/fleet.ts';
import type { ListObservation } from '../model/observation.ts';
import { HOUR, MINUTE, SECOND } from '../model/time.ts';
import { explainLimit, isYoung } from './offline.ts';

/*
 * The first night: Android puts phones that have reported every minute to sleep, one after the other, and from then on they
 * report every 7 to 15 minutes. A threshold cannot know that on the first day. So once a few such phones have gone offline,
 * the next ones get more time, unless they stop together, as phones do in a power cut.
 */

/** Threshold of a phone with more time, in seconds: Android lets phones report at least every 15 minutes. */
export const PATIENT_LIMIT = 1_200;

/** Number of phones that go offline before others get more time. */
const MAX_AT_ONCE = 2;

/** Shortest period in which a fleet's phones fall asleep, in milliseconds. */
const FALLING_ASLEEP = 30 * MINUTE;

/** Share that stops together: of a large group if its power fails, and of all late phones if something else does. */
const TOGETHER_SHARE = 0.8;

/** In a group with fewer phones than this, all have to stop together. */
const LARGE_GROUP = 8;

/** Minimum number of phones that stop together: in a group, and in the fleet. */
const MIN_OF_GROUP = 3;
const MIN_OF_ALL = 6;

/** Number of neighbouring intervals that count as one time. */
const SPAN = 5;

/** Minimum threshold of a phone, in seconds. For a phone that has just reported, none is computed. */
const LEAST = 120;

/** A phone that stopped or came back, at an instant, in milliseconds. */
type Turn = {
  readonly id: string;
  readonly group: string;
  readonly at: number;
  readonly usual: number;
  /** A heartbeat is missing, but not for long. */
  readonly isSilent: boolean;
  /** It is late, or will be soon. */
  readonly isLate: boolean;
};

export const NOBODY: ReadonlySet<string> = new Set();

/**
 * Returns the phones that get more time before they are offline.
 *
 * @param before the account before the list
 * @param apiTime the API's clock at the list, in milliseconds since 1970
 */
export function* phonesWithMoreTime(
  { fleet: before, causes, incidents }: Pick<Account, 'fleet' | 'causes' | 'incidents'>,
  list: ListObservation,
  apiTime: number,
): Steps<ReadonlySet<string>> {
  const offline: Turn[] = [];
  const back: Turn[] = [];
  const late: Turn[] = [];
  const explained = new Set([
    ...causes.flatMap(({ deviceIds }) => [...deviceIds]),
    ...incidents.open.flatMap(({ members }) => [...members.keys()]),
  ]);
  yield* lookAtEach(before?.devices ?? [], ([id, { device, group, rhythm, ...entry }]) => {
    if (!isYoung(rhythm)) return;
    const at = list.devices.get(id)?.device.lastHeartbeatAt;
    if (at === undefined || !isSetUp(device.setupStatus)) return;
    const seconds = (apiTime - at) / SECOND - entry.outageSeconds;
    const turn = { id, group, at, usual: rhythm.usual * SECOND, isSilent: true, isLate: true };
    const isLate = seconds > LEAST && seconds > explainLimit(rhythm).limitSeconds;
    if (!entry.offline && isLate) late.push(turn);
    if (explained.has(id)) return;
    if (entry.offline && isLate && seconds <= PATIENT_LIMIT) offline.push(turn);
    else if (entry.offline && !isLate) back.push(turn);
    if (entry.backAt !== undefined) back.push({ ...turn, at: entry.backAt });
  });
  if (before === undefined || offline.length + back.length + late.length <= MAX_AT_ONCE) return NOBODY;
  const all = yield* turnsOf(before, list, apiTime);
  const isAlone = yield* companyOf(all, explained);
  // Phones that come back together stopped together.
  const isBackAlone = yield* companyOf(back, explained);
  const asleep = offline.filter(isAlone).length + back.filter(isBackAlone).length;
  const alone = late.filter(isAlone).toSorted((one, other) => one.at - other.at);
  return new Set(alone.slice(Math.max(0, MAX_AT_ONCE - asleep)).map(({ id }) => id));
}

/** Returns the last heartbeats of all phones that are set up and reported within the last hour. */
function* turnsOf(before: Fleet, list: ListObservation, apiTime: number): Steps<readonly Turn[]> {
  const all: Turn[] = [];
  yield* lookAtEach(before.devices, ([id, { device, group, rhythm }]) => {
    const at = list.devices.get(id)?.device.lastHeartbeatAt;
    if (at === undefined || apiTime - at > HOUR || !isSetUp(device.setupStatus)) return;
    const seconds = (apiTime - at) / SECOND;
    const isSilent = seconds > 2 * rhythm.usual + 20 && seconds <= PATIENT_LIMIT;
    const isLate = isSilent && seconds + rhythm.usual + 10 > explainLimit(rhythm).limitSeconds;
    all.push({ id, group, at, usual: rhythm.usual * SECOND, isSilent, isLate });
  });
  return all;
}

/**
 * Returns a function that reports whether a phone turned alone: not with most of its group, and not with more phones than
 * usually fall asleep at once or with most of the unexplained ones.
 */
function* companyOf(all: readonly Turn[], explained: ReadonlySet<string>): Steps<(turn: Turn) => boolean> {
  // The last heartbeats of phones that stop at the same time are at most one usual gap apart.
  const usual = all.reduce((sum, each) => sum + each.usual, 0) / Math.max(1, all.length);
  const part = (usual + 10 * SECOND) / (SPAN - 1);
  const ofAll = createCounts(part);
  const ofGroups = new Map<string, Counts>();
  const sizes = new Map<string, number>();
  yield* lookAtEach(all, ({ group, at, isLate }) => {
    sizes.set(group, (sizes.get(group) ?? 0) + 1);
    if (!isLate) return;
    ofAll.add(at);
    const own = ofGroups.get(group) ?? createCounts(part);
    own.add(at);
    ofGroups.set(group, own);
  });
  const isOfGroup = ({ group, at }: Turn): boolean => {
    const size = sizes.get(group) ?? 0;
    const most = size * (size < LARGE_GROUP ? 1 : TOGETHER_SHARE);
    return (ofGroups.get(group)?.around(at) ?? 0) >= Math.max(MIN_OF_GROUP, most);
  };
  let unexplained = 0;
  yield* lookAtEach(all, (turn) => {
    if (turn.isSilent && !explained.has(turn.id) && !isOfGroup(turn)) unexplained += 1;
  });
  const usually = (all.length * SPAN * part) / FALLING_ASLEEP;
  const many = Math.max(MIN_OF_ALL, usually + Math.sqrt(usually), TOGETHER_SHARE * unexplained);
  return (turn) => !isOfGroup(turn) && ofAll.around(turn.at) < many;
}

type Counts = ReturnType<typeof createCounts>;

/** Counts instants by intervals of a length in milliseconds. */
function createCounts(length: number) {
  const counts = new Map<number, number>();
  const countOf = (interval: number): number => counts.get(interval) ?? 0;
  return {
    add: (instant: number): void => {
      const interval = Math.floor(instant / length);
      counts.set(interval, countOf(interval) + 1);
    },
    /** Returns the largest count in any {@link SPAN} consecutive intervals that contain an instant. */
    around: (instant: number): number => {
      const last = Math.floor(instant / length);
      const near = Array.from({ length: 2 * SPAN - 1 }, (_, index) => countOf(last - SPAN + 1 + index));
      const sums = near.slice(SPAN - 1).map((_, first) => sumOf(near.slice(first, first + SPAN)));
      return Math.max(...sums);
    },
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
