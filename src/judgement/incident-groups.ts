import { type ExplainedCause, shownValue } from '../model/cause.ts';
import type { Fleet } from '../model/fleet.ts';
import type { EndReason, Incident, IncidentDevices } from '../model/incident.ts';
import { type Judgement, SILENT_PROBLEMS } from '../model/problem.ts';
import type { Opening, Outcome } from './incident.ts';

/*
 * Incidents of phones that are silent together: a common cause, or a flood of which none is known.
 */

/** Phones that fall silent within this time of each other may have fallen silent together. */
const WINDOW_MILLISECONDS = 5 * 60_000;

/**
 * An incident of phones together lasts until so few of them are left that each is told by itself: a quarter, two at most, or
 * ten where none has returned for some time, so that the rest will not return with the others.
 */
const MAX_LEFT = 2;
const MAX_SETTLED = 10;
const MAX_LEFT_SHARE = 0.25;
const SETTLED_MILLISECONDS = 15 * 60_000;

/** An incident is told again when it has grown by this factor. */
const TOLD_AGAIN = 2;

/** Returns the number of phones that may fall silent or leave together and are told one by one. */
export function floodLimit(devices: number): number {
  return Math.min(10, Math.max(2, devices / 10)) + devices / 1_000;
}

/** Tells whether an incident is one of phones that are silent together. */
export function isTogether({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'common_cause' || isFlood({ problem });
}

function isFlood({ problem }: Pick<Incident, 'problem'>): boolean {
  return problem === 'many_sold_silent' || problem === 'many_silent';
}

/** What is known of the phones of an account. */
type Phones = { readonly fleet: Fleet; readonly judgement: Judgement };

/** Returns since when a phone is silent; undefined if it is not. */
function silentSince(judgement: Judgement, id: string): number | undefined {
  const judged = judgement.problems.get(id);
  return judged !== undefined && SILENT_PROBLEMS.has(judged.problem) ? judged.since : undefined;
}

/** Lists the phones of an incident that are silent still. One that came back and fell silent again is not. */
export function remainingOf({ deviceIds, until }: Incident, judgement: Judgement): readonly string[] {
  return deviceIds.filter((id) => (silentSince(judgement, id) ?? Number.POSITIVE_INFINITY) <= until);
}

/** Returns the incident of a common cause, as far as it explains phones of this account. */
export function openingOfCause(
  { id, cause }: ExplainedCause,
  deviceIds: readonly string[],
  phones: Phones,
): Opening {
  return {
    problem: 'common_cause',
    kind: cause.kind,
    value: shownValue(cause),
    since: Math.round(cause.startAt),
    until: Math.round(cause.endAt),
    causeId: id,
    deviceIds,
    devices: countSold(deviceIds, phones),
  };
}

/**
 * Returns what became of an incident of phones that are silent together.
 *
 * @param causes the causes that are shown
 */
export function afterTogether(
  incident: Incident,
  account: string,
  causes: readonly ExplainedCause[],
  phones: Phones,
  at: number,
): Outcome {
  const own = causes.find(({ id }) => id === incident.causeId);
  const grown =
    own === undefined ? incident : withDevices(incident, own.deviceIds.get(account) ?? [], own.cause.endAt);
  const remaining = remainingOf(grown, phones.judgement);
  const explained = new Set(
    causes.flatMap(({ id, deviceIds }) => (id === incident.causeId ? [] : (deviceIds.get(account) ?? []))),
  );
  const rest = remaining.filter((id) => !explained.has(id));
  const maxLeft = isReturning(grown, phones.fleet) ? MAX_LEFT : MAX_SETTLED;
  if (rest.length <= Math.min(maxLeft, MAX_LEFT_SHARE * grown.deviceIds.length)) {
    const reason = rest.length < remaining.length ? 'explained' : reasonOfMost(incident, phones);
    return { end: { reason, endedAt: at } };
  }
  return { goesOn: withCounts(grown, countSold(remaining, phones)) };
}

/** Tells whether a phone of an incident has returned a short time ago, so that others may follow. */
function isReturning({ deviceIds }: Incident, { devices, apiTime }: Fleet): boolean {
  const recently = apiTime - SETTLED_MILLISECONDS;
  return deviceIds.some((id) => (devices.get(id)?.backAt ?? Number.NEGATIVE_INFINITY) > recently);
}

function withDevices(incident: Incident, ids: readonly string[], endAt: number): Incident {
  const known = new Set(incident.deviceIds);
  const more = ids.filter((id) => !known.has(id));
  if (more.length === 0) return incident;
  const until = Math.max(incident.until, Math.round(endAt));
  return { ...incident, deviceIds: [...incident.deviceIds, ...more], until };
}

function withCounts(incident: Incident, devices: IncidentDevices): Incident {
  const { sold, others } = incident.devices;
  return sold === devices.sold && others === devices.others ? incident : { ...incident, devices };
}

export function countSold(ids: readonly string[], { fleet }: Pick<Phones, 'fleet'>): IncidentDevices {
  const sold = ids.filter((id) => fleet.devices.get(id)?.device.rentalStatus === 'sold').length;
  return { sold, others: ids.length - sold };
}

/** Returns why most phones of an incident are not silent any more. */
function reasonOfMost({ deviceIds }: Incident, { fleet, judgement }: Phones): EndReason {
  const reasons = deviceIds.map((id): EndReason => {
    if (!fleet.devices.has(id)) return 'left';
    const problem = judgement.problems.get(id)?.problem;
    if (problem === 'in_maintenance') return 'maintenance';
    return problem === 'given_up' ? 'given_up' : 'back';
  });
  const count = (reason: EndReason): number => reasons.filter((each) => each === reason).length;
  return (
    (['left', 'given_up', 'maintenance'] as const).find((reason) => 2 * count(reason) > reasons.length) ??
    'back'
  );
}

/** A phone that fell silent, or may be about to. */
export type Fallen = {
  readonly id: string;
  /** Its last heartbeat, in milliseconds since 1970. */
  readonly since: number;
  readonly isSold: boolean;
  /** It is to be told now, waits for a cause, is told by itself already and stays so, or is late and not silent yet. */
  readonly role: 'due' | 'waiting' | 'told' | 'late';
};

/** Phones that are told one by one, and floods that open, or grow. */
type Floods = {
  readonly alone: readonly Fallen[];
  readonly opened: readonly Opening[];
  /** By the id of the incident. */
  readonly grown: ReadonlyMap<string, Incident>;
};

/**
 * Finds the floods among phones. A phone that falls silent while a flood lasts is part of it; a sold one never of a flood
 * without any.
 *
 * @param open the floods that last
 */
export function findFloods(
  fallen: readonly Fallen[],
  open: readonly Incident[],
  { fleet }: Pick<Phones, 'fleet'>,
): Floods {
  const grown = new Map<string, Incident>();
  const left = fallen.filter((phone) => {
    if (phone.role !== 'due') return true;
    const flood = open
      .map((incident) => grown.get(incident.id) ?? incident)
      .find((incident) => isFlood(incident) && isPartOf(phone, incident));
    if (flood !== undefined) grown.set(flood.id, withMember(flood, phone));
    return flood === undefined;
  });
  const runs = crowdedRuns(left, floodLimit(fleet.devices.size)).filter((run) => run.some(isDue));
  const flooded = new Set(runs.flat());
  return {
    alone: left.filter((phone) => isDue(phone) && !flooded.has(phone)),
    opened: runs.map((run) => openingOfFlood(run, fleet)),
    grown: new Map([...grown].map(([id, incident]) => [id, toldAgain(incident, fleet)])),
  };
}

function isDue({ role }: Fallen): boolean {
  return role === 'due';
}

function isPartOf({ since, isSold }: Fallen, { problem, since: begin, until }: Incident): boolean {
  if (isSold && problem === 'many_silent') return false;
  return since >= begin - WINDOW_MILLISECONDS && since <= until + WINDOW_MILLISECONDS;
}

function withMember(flood: Incident, { id, since }: Fallen): Incident {
  const deviceIds = flood.deviceIds.includes(id) ? flood.deviceIds : [...flood.deviceIds, id];
  return { ...flood, deviceIds, until: Math.max(flood.until, since) };
}

function toldAgain(flood: Incident, fleet: Fleet): Incident {
  const size = flood.deviceIds.length;
  const toldSize = size >= TOLD_AGAIN * flood.toldSize ? size : flood.toldSize;
  return { ...flood, toldSize, devices: countSold(flood.deviceIds, { fleet }) };
}

/** Returns the runs of phones that fell silent with more others within the window than are told one by one. */
function crowdedRuns(phones: readonly Fallen[], limit: number): readonly (readonly Fallen[])[] {
  const sorted = phones.toSorted((one, other) => one.since - other.since);
  const crowded = new Set<Fallen>();
  let [first, next] = [0, 0];
  for (const [index, { since }] of sorted.entries()) {
    while ((sorted[first]?.since ?? since) < since - WINDOW_MILLISECONDS) first += 1;
    if (index - first + 1 <= limit) continue;
    for (const phone of sorted.slice(Math.max(first, next), index + 1)) crowded.add(phone);
    next = index + 1;
  }
  const runs: Fallen[][] = [];
  for (const phone of sorted.filter((each) => crowded.has(each))) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || phone.since - last.since > WINDOW_MILLISECONDS)
      runs.push([phone]);
    else run.push(phone);
  }
  return runs;
}

function openingOfFlood(run: readonly Fallen[], fleet: Fleet): Opening {
  const silent = run.filter(({ role }) => role !== 'late');
  const deviceIds = silent.map(({ id }) => id);
  const instants = silent.map(({ since }) => since);
  const isOfSold = silent.some(({ isSold, role }) => isSold && role !== 'told');
  return {
    problem: isOfSold ? 'many_sold_silent' : 'many_silent',
    toldSize: deviceIds.length,
    since: Math.min(...instants),
    until: Math.max(...instants),
    deviceIds,
    devices: countSold(deviceIds, { fleet }),
  };
}
