import { lookAtEach, type Steps } from '../base/steps.ts';
import type { Account, NamedAccount } from '../model/account.ts';
import type { Causes } from '../model/cause.ts';
import type { Fleet } from '../model/fleet.ts';
import {
  type EndedIncident,
  type Incident,
  type IncidentProblem,
  type Incidents,
  NO_INCIDENTS,
} from '../model/incident.ts';
import { isMuted, massOutageThreshold, offlineProblemOf } from '../model/problem.ts';
import { DAY } from '../model/time.ts';
import { coverOffline } from './coverage.ts';
import { type Context, type IncidentUpdate, type NewIncident, openIncident, textsOf } from './incident.ts';
import { accountProblems, endOfAccount } from './incident-accounts.ts';
import { groupIncident, isGroupOutage, type UncoveredDevice, updateGroupIncident } from './incident-many.ts';
import { isEvent, problemIncident, updatePhoneIncident } from './incident-phones.ts';

/*
 * Incidents open and end after the judgement, because they depend on earlier incidents,
 * their labels and their growth. docs/ALERTING.md lists when each kind opens and why it ends.
 */

/** Time for which resolved incidents are remembered, and their maximum number. */
const ENDED_MILLISECONDS = DAY;
const MAX_ENDED = 1_000;

/**
 * Returns the incidents of an account after an observation, from its judgement and the causes of all accounts. First, open
 * incidents continue or end. Then a new incident opens for each problem without one.
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
  const { at, agreedAt = at, fleet, judgement, incidents: before } = account;
  if (at === undefined || agreedAt === undefined) return before;
  const context = fleet && judgement && { name, account, fleetBefore, fleet, judgement, causes, at };
  const open: Incident[] = [];
  const ended: EndedIncident[] = [];
  for (const incident of before.open) {
    const update = updateIncident(incident, account, context, balanceLowCents, at);
    if ('continues' in update) open.push(update.continues);
    else {
      const { reason, endedAt, next = [] } = update;
      ended.push({ ...incident, reason, endedAt: Math.max(incident.since, endedAt), closedAt: at });
      for (const each of next) open.push(openIncident(each, at));
    }
  }
  openAccountIncidents(open, accountProblems(account, balanceLowCents), at);
  if (context === undefined)
    return combineIncidents(before, { open, waiting: before.waiting }, ended, agreedAt);
  const allEnded = [...before.ended, ...ended];
  yield* openDepartures(open, ended, context);
  openChangedLogins(open, allEnded, context);
  yield;
  openProblems(open, context);
  return combineIncidents(before, yield* coverOffline(open, allEnded, context), ended, agreedAt);
}

/** Returns an account that is no longer configured, without its open incidents. */
export function withoutOpenIncidents(account: Account): Account {
  const { at = 0, incidents } = account;
  if (incidents.open.length === 0) return account;
  const ended = incidents.open.map((incident) => ({
    ...incident,
    reason: 'account_removed' as const,
    ...{ endedAt: Math.max(incident.since, at), closedAt: at },
  }));
  return { ...account, incidents: { ...NO_INCIDENTS, ended: [...incidents.ended, ...ended] } };
}

/** Continues or ends an incident after an observation. */
function updateIncident(
  incident: Incident,
  account: Account,
  context: Context | undefined,
  balanceLowCents: number | undefined,
  at: number,
): IncidentUpdate {
  const reason = endOfAccount(incident, account, balanceLowCents);
  if (reason !== undefined) return { reason, endedAt: at };
  if (context === undefined) return { continues: incident };
  if (incident.deviceId !== '') return updatePhoneIncident(incident, context);
  return incident.members.size > 0 ? updateGroupIncident(incident, context) : { continues: incident };
}

/** Combines the incidents after an observation. Unchanged lists stay the same objects. */
function combineIncidents(
  before: Incidents,
  { open, waiting }: Pick<Incidents, 'open' | 'waiting'>,
  ended: readonly EndedIncident[],
  agreedAt: number,
): Incidents {
  // When a device is no longer muted, an incident with the same heartbeat continues the resolved one.
  const openIds = new Set(open.map(({ id }) => id));
  const kept = before.ended.filter(
    ({ id, closedAt }) => agreedAt - closedAt <= ENDED_MILLISECONDS && !openIds.has(id),
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

/** Opens an incident for each of an account's problems that has none. */
function openAccountIncidents(open: Incident[], wrong: readonly NewIncident[], at: number): void {
  const isOpen = (problem: IncidentProblem, value: string): boolean =>
    open.some((each) => each.problem === problem && (problem !== 'api_degraded' || each.value === value));
  for (const newIncident of wrong) {
    if (isOpen(newIncident.problem, newIncident.value ?? '')) continue;
    // A refused key explains why there is no list, until there is one.
    if (newIncident.problem === 'api_unavailable' && isOpen('key_refused', '')) continue;
    open.push(openIncident(newIncident, at));
  }
}

/** Opens an incident for each device, or a single incident for many. */
function openForEach(
  open: Incident[],
  problem: IncidentProblem,
  devices: readonly UncoveredDevice[],
  { fleet, at }: Context,
  makeOne: (device: UncoveredDevice) => NewIncident,
): void {
  if (devices.length > massOutageThreshold(fleet.devices.size)) {
    const value = String(devices.length);
    open.push(openIncident({ ...groupIncident(problem, devices), value }, at));
  } else for (const device of devices) open.push(openIncident(makeOne(device), at));
}

/** Opens incidents for the devices that left, unless another incident ended for that reason. */
function* openDepartures(open: Incident[], ended: readonly EndedIncident[], context: Context): Steps<void> {
  const { account, fleetBefore, fleet } = context;
  if (fleetBefore === undefined || fleetBefore.left === fleet.left) return;
  const departedNow = new Set(
    ended.flatMap(({ reason, deviceId, members }) =>
      reason === 'left' ? [deviceId, ...members.keys()] : [],
    ),
  );
  const departed: UncoveredDevice[] = [];
  yield* lookAtEach(fleetBefore.devices, ([id, entry]) => {
    if (fleet.devices.has(id) || departedNow.has(id)) return;
    const since = fleetBefore.absent.get(id)?.seenAt ?? fleetBefore.apiTime;
    departed.push({ entry, since, isSold: false });
  });
  openForEach(open, 'many_left', departed, context, ({ entry, since }) => {
    const { id } = entry.device;
    const before = account.incidents.ended.filter((each) => each.problem === 'left' && each.deviceId === id);
    const value = before.length === 0 ? '' : String(before.length + 1);
    return { problem: 'left', since, ...textsOf(entry), value };
  });
}

/** Opens incidents for the devices whose logins changed, except muted ones. */
function openChangedLogins(open: Incident[], ended: readonly EndedIncident[], context: Context): void {
  const { account, fleet, judgement } = context;
  const changed: UncoveredDevice[] = [];
  const alerted = new Set<string>();
  for (const { problem, deviceId, since, members } of [...open, ...ended]) {
    if (problem === 'credential_changed') alerted.add(`${deviceId} ${since}`);
    if (problem === 'many_credentials_changed')
      for (const [id, changedAt] of members) alerted.add(`${id} ${changedAt}`);
  }
  for (const [id, { loginsChangedAt: since }] of account.tunnels ?? []) {
    const entry = since === undefined ? undefined : fleet.devices.get(id);
    if (since === undefined || entry === undefined || alerted.has(`${id} ${since}`)) continue;
    if (isMuted(judgement.problems.get(id)?.problem)) continue;
    changed.push({ entry, since, isSold: false });
  }
  openForEach(open, 'many_credentials_changed', changed, context, ({ entry, since }) => ({
    problem: 'credential_changed',
    since,
    ...textsOf(entry),
  }));
}

/** Opens incidents for problems of online devices. A device has at most one such incident. */
function openProblems(open: Incident[], { fleet, judgement, at }: Context): void {
  const alerted = new Set(
    open.flatMap((each) =>
      isEvent(each) || each.problem === 'flapping' || offlineProblemOf(each.problem) !== undefined
        ? []
        : each.deviceId,
    ),
  );
  const offline = new Set(
    open.flatMap((each) => {
      if (offlineProblemOf(each.problem) !== undefined) return [each.deviceId];
      return isGroupOutage(each) ? [...each.members.keys()] : [];
    }),
  );
  // Many unreadable heartbeats are an API fault, which has an incident of its own.
  const areMany = judgement.counts.heartbeat_unreadable > massOutageThreshold(fleet.devices.size);
  for (const [id, judged] of judgement.problems) {
    if (offlineProblemOf(judged.problem) !== undefined || alerted.has(id)) continue;
    if (judged.problem === 'heartbeat_unreadable' && (areMany || offline.has(id))) continue;
    const entry = fleet.devices.get(id);
    const newIncident = entry && problemIncident(entry, judged, at);
    if (newIncident !== undefined) open.push(openIncident(newIncident, at));
  }
}
