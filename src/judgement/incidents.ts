import type { Account, NamedAccount } from '../model/account.ts';
import type { Causes } from '../model/cause.ts';
import type { Fleet } from '../model/fleet.ts';
import type { Incident, IncidentProblem, Incidents } from '../model/incident.ts';
import { SILENT_PROBLEMS } from '../model/problem.ts';
import { DAY } from '../model/time.ts';
import {
  type Draft,
  type End,
  endIncident,
  type Listed,
  type Opening,
  type Outcome,
  openIncident,
} from './incident.ts';
import { endOfAccount, wrongOfAccount } from './incident-accounts.ts';
import { afterTogether, floodLimit, isTogether, openingOfCause, remainingOf } from './incident-groups.ts';
import { afterPhone, isEvent, isOfSilence, openingOf, textsOf, toldBy } from './incident-phones.ts';
import { openSilences } from './incident-silences.ts';
import type { StepSettings } from './step.ts';
import type { Steps } from './steps.ts';

/*
 * What a hoster is told. It is decided after the judgement, because it takes a memory: of what was told, of labels as they
 * were, of how fast it grows. docs/ALERTING.md has each kind of incident with when it opens and why it ends.
 */

/** Time for which an incident that ended is remembered, and the maximum number of them. */
const ENDED_MILLISECONDS = DAY;
const MAX_ENDED = 1_000;

/**
 * Returns the incidents of an account after an observation, of what was judged of it and the causes of all accounts.
 *
 * @param fleetBefore the fleet before the observation
 */
export function* incidentsAfter(
  { name, account }: NamedAccount,
  fleetBefore: Fleet | undefined,
  causes: Causes,
  { balanceLowCents }: Pick<StepSettings, 'balanceLowCents'>,
): Steps<Incidents> {
  const { at, fleet, judgement, incidents: before } = account;
  if (at === undefined) return before;
  const listed = fleet && judgement && { name, account, fleetBefore, fleet, judgement, causes, at };
  const draft: Draft = { open: [], ended: [], atOnce: new Set() };
  for (const incident of before.open) {
    const outcome =
      afterAccount(incident, account, balanceLowCents, at) ?? (listed && afterPhones(incident, listed));
    takeOutcome(draft, incident, outcome ?? { goesOn: incident }, at, listed);
  }
  openOfAccount(draft, wrongOfAccount(account, balanceLowCents), at);
  const waiting = listed === undefined ? before.waiting : yield* openOfPhones(draft, listed);
  // What is wrong again with the same heartbeat, such as of a phone that left and returned, goes on as what it was.
  const open = new Set(draft.open.map(({ id }) => id));
  const kept = before.ended.filter(
    ({ id, closedAt }) => at - closedAt <= ENDED_MILLISECONDS && !open.has(id),
  );
  const isSame = kept.length === before.ended.length && draft.ended.length === 0;
  return {
    open: isSameList(draft.open, before.open) ? before.open : draft.open,
    ended: isSame ? before.ended : [...kept, ...draft.ended].slice(-MAX_ENDED),
    waiting,
  };
}

function isSameList<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Returns what became of an incident of an account; undefined for one of phones. */
function afterAccount(
  incident: Incident,
  account: Account,
  balanceLowCents: number | undefined,
  at: number,
): Outcome | undefined {
  const reason = endOfAccount(incident, account, balanceLowCents);
  return reason === undefined ? undefined : { end: { reason, endedAt: at } };
}

function afterPhones(incident: Incident, { name, fleet, judgement, causes, at }: Listed): Outcome {
  if (isTogether(incident)) return afterTogether(incident, name, causes.shown, { fleet, judgement }, at);
  if (incident.problem === 'many_left') return afterManyLeft(incident, fleet, at);
  if (incident.deviceId === '') return { goesOn: incident };
  return afterPhone(incident, fleet, judgement.problems.get(incident.deviceId), at);
}

function afterManyLeft(incident: Incident, { devices }: Fleet, at: number): Outcome {
  const returned = incident.deviceIds.filter((id) => devices.has(id)).length;
  const reason = 2 * returned > incident.deviceIds.length ? 'returned' : toldBy(incident, at);
  return reason === undefined ? { goesOn: incident } : { end: { reason, endedAt: at } };
}

function takeOutcome(
  draft: Draft,
  incident: Incident,
  outcome: Outcome,
  at: number,
  listed: Listed | undefined,
): void {
  if ('goesOn' in outcome) {
    draft.open.push(outcome.goesOn);
    return;
  }
  draft.ended.push(endIncident(incident, outcome.end, at));
  if (listed === undefined) return;
  // What was told goes on as something else: the same silence of another rental, or the last phones of many.
  if (isTogether(incident)) for (const id of remainingOf(incident, listed.judgement)) draft.atOnce.add(id);
  else if (isOfSilence(incident) && goesOnAsAnother(outcome.end)) draft.atOnce.add(incident.deviceId);
}

function goesOnAsAnother({ reason }: End): boolean {
  return reason === 'rented' || reason === 'rental_ended';
}

function openOfAccount(draft: Draft, wrong: readonly Opening[], at: number): void {
  const isOpen = (problem: IncidentProblem, value: string): boolean =>
    draft.open.some(
      (each) => each.problem === problem && (problem !== 'api_degraded' || each.value === value),
    );
  for (const opening of wrong) {
    if (isOpen(opening.problem, opening.value ?? '')) continue;
    // A key that was refused explains why there is no list, until there is one.
    if (opening.problem === 'api_unavailable' && isOpen('key_refused', '')) continue;
    draft.open.push(openIncident(opening, at));
  }
}

/** Opens what is to be told of phones, and returns the silent ones that wait for a common cause. */
function* openOfPhones(draft: Draft, listed: Listed): Steps<Incidents['waiting']> {
  openDepartures(draft, listed);
  openChangedLogins(draft, listed);
  openCauses(draft, listed);
  yield;
  openFacts(draft, listed);
  return yield* openSilences(draft, listed);
}

/** Opens an incident for each phone that left, or one for many, unless the end of another one tells it. */
function openDepartures(draft: Draft, { account, fleetBefore, fleet, at }: Listed): void {
  if (fleetBefore === undefined) return;
  const { ended } = account.incidents;
  const toldNow = new Set(
    draft.ended.flatMap((each) => (each.reason === 'left' ? [each.deviceId, ...each.deviceIds] : [])),
  );
  const left = [...fleet.left].filter(
    ([id, leaving]) => fleetBefore.left.get(id) !== leaving && !toldNow.has(id),
  );
  if (left.length > floodLimit(fleet.devices.size + left.length)) {
    const deviceIds = left.map(([id]) => id);
    const since = Math.min(...left.map(([, { lastListedAt }]) => lastListedAt));
    const toldSize = left.length;
    const value = String(toldSize);
    const devices = { sold: 0, others: toldSize };
    draft.open.push(openIncident({ problem: 'many_left', since, value, deviceIds, devices, toldSize }, at));
    return;
  }
  for (const [deviceId, { label, group, lastListedAt: since }] of left) {
    const before = ended.filter((each) => each.problem === 'left' && each.deviceId === deviceId).length;
    const value = before === 0 ? '' : String(before + 1);
    draft.open.push(openIncident({ problem: 'left', since, deviceId, label, group, value }, at));
  }
}

function openChangedLogins(draft: Draft, { account, fleet, at }: Listed): void {
  for (const [deviceId, { loginsChangedAt: since }] of account.tunnels ?? []) {
    const entry = since === undefined ? undefined : fleet.devices.get(deviceId);
    if (since === undefined || entry === undefined) continue;
    const incident = openIncident({ problem: 'credential_changed', since, ...textsOf(entry) }, at);
    const isKnown = [...draft.open, ...draft.ended, ...account.incidents.ended].some(
      ({ id }) => id === incident.id,
    );
    if (!isKnown) draft.open.push(incident);
  }
}

function openCauses(draft: Draft, { name, account, fleet, judgement, causes, at }: Listed): void {
  const known = new Set(
    [...draft.open, ...draft.ended, ...account.incidents.ended].map(({ causeId }) => causeId),
  );
  for (const cause of causes.shown) {
    const own = cause.deviceIds.get(name);
    if (own === undefined || known.has(cause.id)) continue;
    draft.open.push(openIncident(openingOfCause(cause, own, { fleet, judgement }), at));
  }
}

/** Opens what is wrong with a phone beside silence. A phone has at most one such incident. */
function openFacts(draft: Draft, { fleet, judgement, at }: Listed): void {
  const told = new Set(
    draft.open.filter((each) => !isOfSilence(each) && !isEvent(each)).map(({ deviceId }) => deviceId),
  );
  for (const [id, judged] of judgement.problems) {
    if (SILENT_PROBLEMS.has(judged.problem) || told.has(id)) continue;
    const entry = fleet.devices.get(id);
    const opening = entry && openingOf(entry, judged, at);
    if (opening !== undefined) draft.open.push(openIncident(opening, at));
  }
}
