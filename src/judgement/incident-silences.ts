import type { Causes } from '../model/cause.ts';
import type { EndedIncident, Incidents } from '../model/incident.ts';
import { SILENT_PROBLEMS } from '../model/problem.ts';
import { HOUR } from '../model/time.ts';
import { type Draft, type Listed, openIncident } from './incident.ts';
import { type Fallen, findFloods, floodLimit, isTogether, remainingOf } from './incident-groups.ts';
import { isOfSilence, openingOfSilence, staysAway } from './incident-phones.ts';
import { type LateDevice, lateDevices, withLateNeighbours } from './neighbours.ts';
import type { Steps } from './steps.ts';

/*
 * Which silent phones are told, and how: each by itself, or many as a flood. Those that a common cause explains are told by
 * that, so a phone waits for a list or two where a cause may be about to show itself.
 */

/** Number of further lists for which a silent phone waits for a common cause. */
const MAX_WAITED = 2;

/** A phone that falls silent for so many times within this time comes and goes. */
const FLAPPING_SILENCES = 3;
const FLAPPING_MILLISECONDS = 2 * HOUR;

function idsOf(causes: Causes['shown'], account: string): readonly string[] {
  return causes.flatMap(({ deviceIds }) => deviceIds.get(account) ?? []);
}

/**
 * Opens what tells the silence of phones: of each, or of many together. Returns the phones that wait for a common cause, as
 * is decided when a list comes.
 */
export function* openSilences(draft: Draft, listed: Listed): Steps<Incidents['waiting']> {
  const { account, fleetBefore, fleet, judgement, at } = listed;
  const { waiting: before } = account.incidents;
  const silent = untoldSilences(draft, listed);
  const isNewList = fleet !== fleetBefore;
  const isAtOnce = ({ id }: Fallen): boolean => draft.atOnce.has(id);
  if (!isNewList && !silent.some(isAtOnce)) return onlyOf(before, silent);
  const late = isNewList && silent.length > 0 ? yield* lateDevices(fleet, judgement) : [];
  const toCome = lateOnly(late, listed);
  const mayWait = silent.filter((phone) => !isAtOnce(phone));
  const isMany = mayWait.length + toCome.length > floodLimit(fleet.devices.size);
  const waiting = isNewList ? yield* waitingAfter(mayWait, isMany, late, listed) : before;
  const told = draft.open.filter(isOfSilence).map((incident): Fallen => {
    const { deviceId: id, until: since, problem } = incident;
    return { id, since, isSold: problem === 'sold_silent', role: 'told' };
  });
  const others = mayWait.map((phone): Fallen => {
    return { ...phone, role: waiting.has(phone.id) || !isNewList ? 'waiting' : 'due' };
  });
  const { alone, opened, grown } = findFloods(
    [...others, ...told, ...toCome],
    draft.open.filter(isTogether),
    { fleet },
  );
  for (const [index, incident] of draft.open.entries())
    draft.open[index] = grown.get(incident.id) ?? incident;
  for (const phone of [...silent.filter(isAtOnce), ...alone]) openSilence(draft, phone, listed);
  const flooded = new Set(opened.flatMap(({ deviceIds = [] }) => deviceIds));
  for (const opening of opened) draft.open.push(openIncident(opening, at));
  return onlyOf(
    waiting,
    mayWait.filter(({ id }) => !flooded.has(id)),
  );
}

/** Lists the silent phones that neither an incident of their own nor one of many phones tells. */
function untoldSilences(draft: Draft, { name, fleet, judgement, causes }: Listed): readonly Fallen[] {
  const told = new Set(idsOf(causes.shown, name));
  for (const incident of draft.open) {
    if (isOfSilence(incident)) {
      const entry = fleet.devices.get(incident.deviceId);
      const isBeside = incident.problem === 'flapping' && entry !== undefined && staysAway(entry);
      if (!isBeside) told.add(incident.deviceId);
    } else if (isTogether(incident)) for (const id of remainingOf(incident, judgement)) told.add(id);
  }
  return [...judgement.problems].flatMap(([id, { problem, since }]) =>
    SILENT_PROBLEMS.has(problem) && !told.has(id) && fleet.devices.has(id)
      ? [{ id, since, isSold: problem === 'sold_silent', role: 'due' }]
      : [],
  );
}

/** Returns those that are late and not silent yet, and of which no cause is known or searched. */
function lateOnly(late: readonly LateDevice[], { name, fleet, causes }: Listed): readonly Fallen[] {
  const known = new Set([...idsOf(causes.shown, name), ...idsOf(causes.candidates, name)]);
  return late.flatMap(({ id, lastHeartbeatAt: since }): readonly Fallen[] =>
    known.has(id) || fleet.devices.get(id)?.silent === true
      ? []
      : [{ id, since, isSold: false, role: 'late' }],
  );
}

/** Returns the phones that wait after a list: what is beside them, or the last search, says that a cause may show itself. */
function* waitingAfter(
  silent: readonly Fallen[],
  isMany: boolean,
  late: readonly LateDevice[],
  { name, account, causes }: Listed,
): Steps<Incidents['waiting']> {
  const { waiting } = account.incidents;
  const ids = silent.flatMap(({ id }) => ((waiting.get(id) ?? 0) < MAX_WAITED ? [id] : []));
  const candidates = new Set(idsOf(causes.candidates, name));
  const beside = isMany ? new Set(ids) : yield* withLateNeighbours({ name, account }, ids, late);
  return new Map(
    ids.flatMap((id) =>
      beside.has(id) || candidates.has(id) ? [[id, (waiting.get(id) ?? 0) + 1] as const] : [],
    ),
  );
}

function openSilence(draft: Draft, { id, since }: Fallen, { account, fleet, judgement, at }: Listed): void {
  const entry = fleet.devices.get(id);
  const problem = judgement.problems.get(id)?.problem;
  if (entry === undefined || !isSilence(problem)) return;
  const ended = [...account.incidents.ended, ...draft.ended];
  const isKnown = draft.open.some((each) => each.problem === 'flapping' && each.deviceId === id);
  const flapping = draft.atOnce.has(id) || isKnown ? undefined : flappingSince(ended, id, at);
  const opening =
    flapping === undefined
      ? openingOfSilence(entry, problem, since)
      : { ...openingOfSilence(entry, 'flapping', flapping), until: at };
  draft.open.push(openIncident(opening, at));
}

type Silence = 'sold_silent' | 'self_rented_silent' | 'silent';

function isSilence(problem: string | undefined): problem is Silence {
  return problem === 'sold_silent' || problem === 'self_rented_silent' || problem === 'silent';
}

/** Returns since when a phone comes and goes, with the silence that begins now; undefined if it does not. */
function flappingSince(ended: readonly EndedIncident[], deviceId: string, at: number): number | undefined {
  const silences = ended.filter(
    (each) =>
      each.deviceId === deviceId &&
      isOfSilence(each) &&
      each.reason === 'back' &&
      at - each.endedAt <= FLAPPING_MILLISECONDS,
  );
  return silences.length >= FLAPPING_SILENCES - 1
    ? Math.min(...silences.map(({ since }) => since))
    : undefined;
}

function onlyOf(waiting: Incidents['waiting'], silent: readonly Fallen[]): Incidents['waiting'] {
  const ids = new Set(silent.map(({ id }) => id));
  return [...waiting.keys()].every((id) => ids.has(id))
    ? waiting
    : new Map([...waiting].filter(([id]) => ids.has(id)));
}
