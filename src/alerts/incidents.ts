import { lookAtEach, type Steps } from '../base/steps.ts';
import type { Account, NamedAccount } from '../model/account.ts';
import type { Causes } from '../model/cause.ts';
import type { Fleet } from '../model/fleet.ts';
import type { EndedIncident, Incident, IncidentProblem, Incidents } from '../model/incident.ts';
import { floodLimit, isWorkedOn, offlineProblemOf } from '../model/problem.ts';
import { DAY } from '../model/time.ts';
import { coverDevices } from './coverage.ts';
import { endIncident, type Opening, type Outcome, openIncident, textsOf, type View } from './incident.ts';
import { endOfAccount, wrongOfAccount } from './incident-accounts.ts';
import { afterMany, isTogether, openingOfMany, type UncoveredDevice } from './incident-many.ts';
import { afterPhone, isEvent, openingOfFact } from './incident-phones.ts';

/*
 * What a hoster is told. It is decided after the judgement, because it takes a memory: of what was told, of labels as they
 * were, of how fast it grows. docs/ALERTING.md has each kind of incident with when it opens and why it ends.
 */

/** Time for which an incident that ended is remembered, and the maximum number of them. */
const ENDED_MILLISECONDS = DAY;
const MAX_ENDED = 1_000;

/**
 * Returns the incidents of an account after an observation, of what was judged of it and the causes of all accounts. Open
 * incidents go on or end first; then what is wrong and that none of them tells opens.
 *
 * @param fleetBefore the fleet before the observation
 * @param balanceLowCents balance below which it is low; undefined without a limit
 */
export function* incidentsAfter(
  { name, account }: NamedAccount,
  fleetBefore: Fleet | undefined,
  causes: Causes,
  balanceLowCents: number | undefined,
): Steps<Incidents> {
  const { at, fleet, judgement, incidents: before } = account;
  if (at === undefined) return before;
  const view = fleet && judgement && { name, account, fleetBefore, fleet, judgement, causes, at };
  const open: Incident[] = [];
  const ended: EndedIncident[] = [];
  for (const incident of before.open) {
    const outcome = becomes(incident, account, view, balanceLowCents, at);
    if ('goesOn' in outcome) open.push(outcome.goesOn);
    else {
      ended.push(endIncident(incident, outcome, at));
      for (const next of outcome.next ?? []) open.push(openIncident(next, at));
    }
  }
  tellAccount(open, wrongOfAccount(account, balanceLowCents), at);
  if (view === undefined) return joined(before, { open, waiting: before.waiting }, ended, at);
  const allEnded = [...before.ended, ...ended];
  yield* tellDepartures(open, ended, view);
  tellChangedLogins(open, allEnded, view);
  yield;
  tellFacts(open, view);
  return joined(before, yield* coverDevices(open, allEnded, view), ended, at);
}

/** Returns what becomes of an incident after an observation. */
function becomes(
  incident: Incident,
  account: Account,
  view: View | undefined,
  balanceLowCents: number | undefined,
  at: number,
): Outcome {
  const reason = endOfAccount(incident, account, balanceLowCents);
  if (reason !== undefined) return { reason, endedAt: at };
  if (view === undefined) return { goesOn: incident };
  if (incident.deviceId !== '') return afterPhone(incident, view);
  return incident.members.size > 0 ? afterMany(incident, view) : { goesOn: incident };
}

/** Returns the incidents after an observation, with the same lists as before where they are the same. */
function joined(
  before: Incidents,
  { open, waiting }: Pick<Incidents, 'open' | 'waiting'>,
  ended: readonly EndedIncident[],
  at: number,
): Incidents {
  // What is wrong again with the same heartbeat goes on as what it was, such as a silence after the owner's word.
  const openIds = new Set(open.map(({ id }) => id));
  const kept = before.ended.filter(
    ({ id, closedAt }) => at - closedAt <= ENDED_MILLISECONDS && !openIds.has(id),
  );
  const isSameOpen =
    open.length === before.open.length && open.every((each, index) => each === before.open[index]);
  const isSame = kept.length === before.ended.length && ended.length === 0;
  return {
    open: isSameOpen ? before.open : open,
    ended: isSame ? before.ended : [...kept, ...ended].slice(-MAX_ENDED),
    waiting,
  };
}

/** Opens what is wrong with an account and is not told yet. */
function tellAccount(open: Incident[], wrong: readonly Opening[], at: number): void {
  const isOpen = (problem: IncidentProblem, value: string): boolean =>
    open.some((each) => each.problem === problem && (problem !== 'api_degraded' || each.value === value));
  for (const opening of wrong) {
    if (isOpen(opening.problem, opening.value ?? '')) continue;
    // A key that was refused explains why there is no list, until there is one.
    if (opening.problem === 'api_unavailable' && isOpen('key_refused', '')) continue;
    open.push(openIncident(opening, at));
  }
}

/**
 * Opens an incident for each of some devices, or one for many of them.
 *
 * @param makeOne returns the incident of one device
 */
function tellEach(
  open: Incident[],
  problem: IncidentProblem,
  devices: readonly UncoveredDevice[],
  { fleet, at }: View,
  makeOne: (device: UncoveredDevice) => Opening,
): void {
  if (devices.length > floodLimit(fleet.devices.size)) {
    const value = String(devices.length);
    open.push(openIncident({ ...openingOfMany(problem, devices), value }, at));
  } else for (const device of devices) open.push(openIncident(makeOne(device), at));
}

/** Tells the devices that left, unless the end of another incident tells it. */
function* tellDepartures(open: Incident[], ended: readonly EndedIncident[], view: View): Steps<void> {
  const { account, fleetBefore, fleet } = view;
  if (fleetBefore === undefined || fleetBefore.left === fleet.left) return;
  const toldNow = new Set(
    ended.flatMap(({ reason, deviceId, members }) =>
      reason === 'left' ? [deviceId, ...members.keys()] : [],
    ),
  );
  const departed: UncoveredDevice[] = [];
  yield* lookAtEach(fleetBefore.devices, ([id, entry]) => {
    if (fleet.devices.has(id) || toldNow.has(id)) return;
    const since = fleetBefore.absent.get(id)?.seenAt ?? fleetBefore.apiTime;
    departed.push({ entry, since, isSold: false });
  });
  tellEach(open, 'many_left', departed, view, ({ entry, since }) => {
    const { id } = entry.device;
    const before = account.incidents.ended.filter((each) => each.problem === 'left' && each.deviceId === id);
    const value = before.length === 0 ? '' : String(before.length + 1);
    return { problem: 'left', since, ...textsOf(entry), value };
  });
}

/** Tells the devices whose logins changed, but for those that the owner works on. */
function tellChangedLogins(open: Incident[], ended: readonly EndedIncident[], view: View): void {
  const { account, fleet, judgement } = view;
  const changed: UncoveredDevice[] = [];
  const told = new Set<string>();
  for (const { problem, deviceId, since, members } of [...open, ...ended]) {
    if (problem === 'credential_changed') told.add(`${deviceId} ${since}`);
    if (problem === 'many_credentials_changed')
      for (const [id, changedAt] of members) told.add(`${id} ${changedAt}`);
  }
  for (const [id, { loginsChangedAt: since }] of account.tunnels ?? []) {
    const entry = since === undefined ? undefined : fleet.devices.get(id);
    if (since === undefined || entry === undefined || told.has(`${id} ${since}`)) continue;
    if (isWorkedOn(judgement.problems.get(id)?.problem)) continue;
    changed.push({ entry, since, isSold: false });
  }
  tellEach(open, 'many_credentials_changed', changed, view, ({ entry, since }) => ({
    problem: 'credential_changed',
    since,
    ...textsOf(entry),
  }));
}

/** Opens what is wrong with a device beside silence. A device has at most one such incident. */
function tellFacts(open: Incident[], { fleet, judgement, at }: View): void {
  const told = new Set(
    open.flatMap((each) =>
      isEvent(each) || each.problem === 'flapping' || offlineProblemOf(each.problem) !== undefined
        ? []
        : each.deviceId,
    ),
  );
  const offline = new Set(
    open.flatMap((each) => {
      if (offlineProblemOf(each.problem) !== undefined) return [each.deviceId];
      return isTogether(each) ? [...each.members.keys()] : [];
    }),
  );
  // Many heartbeats that cannot be read are a fault of the API, which is told as such.
  const areMany = judgement.counts.heartbeat_unreadable > floodLimit(fleet.devices.size);
  for (const [id, judged] of judgement.problems) {
    if (offlineProblemOf(judged.problem) !== undefined || told.has(id)) continue;
    if (judged.problem === 'heartbeat_unreadable' && (areMany || offline.has(id))) continue;
    const entry = fleet.devices.get(id);
    const opening = entry && openingOfFact(entry, judged, at);
    if (opening !== undefined) open.push(openIncident(opening, at));
  }
}
