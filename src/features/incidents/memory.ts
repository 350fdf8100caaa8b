import { definePart } from '../../judge/part.ts';
import type { Account } from '../../model/account.ts';
import type { Fleet, FleetDevice } from '../../model/fleet.ts';
import { INCIDENTS, type Incident } from '../../model/incident.ts';
import { type Price, priceOf } from '../../model/money.ts';
import { DAY } from '../../model/time.ts';

/*
 * What the account knows of incidents besides the incidents themselves: who is on it, notes, and the sold time that they cost.
 */

/** A person, and the instant by the clock of the API, in milliseconds since 1970. */
export type Signature = { readonly by: string; readonly at: number };

export type Note = Signature & { readonly text: string };

/** Maximum length of a note in characters, and number of notes of a subject: the last ones. */
export const MAX_NOTE = 500;
const MAX_NOTES = 10;

/** Facts about an incident that the judgement does not need. */
export type IncidentFacts = {
  readonly acknowledged?: Signature;
  /** Nobody acknowledged it in time. */
  readonly isEscalated?: true;
  readonly notes: readonly Note[];
  /** Time for which its phones were sold and offline, all of them together. */
  readonly soldMilliseconds: number;
  /** The price of that time, for phones with one (`prices`). */
  readonly cents: number;
};

const NO_FACTS: IncidentFacts = { notes: [], soldMilliseconds: 0, cents: 0 };

export type Logbook = {
  /** By id, of open incidents and of those that ended within a day. */
  readonly incidents: ReadonlyMap<string, IncidentFacts>;
  /** Notes on phones, by id. */
  readonly phones: ReadonlyMap<string, readonly Note[]>;
  readonly report?: Report;
};

/** The report of a week. */
export type Report = {
  /** Its local Monday. */
  readonly date: string;
  readonly text: string;
  /** End of its alert, by the clock of the API. */
  readonly until: number;
};

/** A change by a person, or a report. */
export type LogbookEffect =
  | { readonly incident: string; readonly acknowledged: Signature }
  | { readonly incident: string; readonly note: Note }
  | { readonly phone: string; readonly note: Note }
  | { readonly report: Report };

export type LogbookSettings = {
  /** Milliseconds after which an incident that nobody acknowledges is escalated; undefined for never. */
  readonly escalateAfter: number | undefined;
  readonly prices: readonly Price[];
};

/** The part of the memory. */
export const LOGBOOK = definePart<Logbook, LogbookEffect, LogbookSettings>({
  name: 'logbook',
  create: () => ({ incidents: new Map(), phones: new Map() }),
  *update(memory, { observation, before, after, effect }, settings) {
    if (effect !== undefined) return logbookWith(memory, effect);
    const { open, ended } = after.incidents;
    const phones = observation.kind === 'list' ? notesOfKnown(memory.phones, after) : memory.phones;
    if (open.length === 0 && memory.incidents.size === 0)
      return phones === memory.phones ? memory : { ...memory, phones };
    const incidents = new Map<string, IncidentFacts>();
    for (const { id } of ended) {
      const facts = memory.incidents.get(id);
      if (facts !== undefined) incidents.set(id, facts);
    }
    for (const incident of open) {
      const known = memory.incidents.get(incident.id);
      const lost =
        observation.kind === 'list' ? lostTime(incident, before, after, settings.prices) : NO_FACTS;
      const facts = withTime(known ?? NO_FACTS, incident, lost, after, settings);
      if (facts !== NO_FACTS) incidents.set(incident.id, facts);
      yield;
    }
    return { ...memory, incidents, phones };
  },
});

/** Returns the notes without those of phones that left before last month. */
function notesOfKnown(notes: Logbook['phones'], { fleet }: Account): Logbook['phones'] {
  const isKnown = (id: string): boolean =>
    fleet === undefined || fleet.devices.has(id) || fleet.departed.has(id);
  return [...notes.keys()].every(isKnown) ? notes : new Map([...notes].filter(([id]) => isKnown(id)));
}

type Lost = Pick<IncidentFacts, 'soldMilliseconds' | 'cents'>;

/** Adds the time since the last list, and escalates an incident that is due. Unchanged facts stay the same object. */
function withTime(
  facts: IncidentFacts,
  incident: Incident,
  { soldMilliseconds, cents }: Lost,
  { at }: Account,
  { escalateAfter = Number.POSITIVE_INFINITY }: LogbookSettings,
): IncidentFacts {
  const isCritical = INCIDENTS[incident.problem].severity === 'critical';
  const isDue = isCritical && (at ?? 0) - incident.openedAt >= escalateAfter;
  const isEscalated = isDue && acknowledgementOf(facts, incident.openedAt) === undefined;
  if (soldMilliseconds === 0 && isEscalated === (facts.isEscalated ?? false)) return facts;
  const { isEscalated: _, ...rest } = facts;
  return {
    ...rest,
    ...(isEscalated && { isEscalated }),
    soldMilliseconds: facts.soldMilliseconds + soldMilliseconds,
    cents: facts.cents + cents,
  };
}

/**
 * Returns the sold time that phones of an incident lost since the last list, as the month counts it. An incident opens after
 * its first list: the time until then is added with the next one.
 */
function lostTime(
  { deviceId, members, openedAt, problem }: Incident,
  { fleet: fleetBefore }: Account,
  { fleet }: Account,
  prices: readonly Price[],
): Lost {
  if (fleet === undefined || fleetBefore === undefined) return NO_FACTS;
  const isFirst = openedAt >= fleetBefore.apiTime;
  const ids = members.size > 0 ? members.keys() : problem === 'sold_offline' ? [deviceId] : [];
  let [soldMilliseconds, cents] = [0, 0];
  for (const id of ids) {
    const [entry, entryBefore] = [fleet.devices.get(id), fleetBefore.devices.get(id)];
    if (entry === undefined || entryBefore === undefined) continue;
    const lost = lostBy(entry) - lostBy(entryBefore) + (isFirst ? lostUntil(entryBefore, fleetBefore) : 0);
    const perDay = priceOf(prices, { group: entry.group, model: entry.device.model })?.centsPerDay ?? 0;
    soldMilliseconds += lost;
    cents += (lost / DAY) * perDay;
  }
  return { soldMilliseconds, cents };
}

function lostBy({ times }: FleetDevice): number {
  return times.milliseconds.sold_offline ?? 0;
}

/** Returns for how long lists have shown a phone sold, offline and not in maintenance. */
function lostUntil(entry: FleetDevice, { apiTime, unseen }: Fleet): number {
  const { device, offline, listedAt, rentalStatusSince = 0, maintainedAt = 0 } = entry;
  if (!offline || device.rentalStatus !== 'sold') return 0;
  const { lastHeartbeatAt = apiTime } = device;
  const offlineAt = lastHeartbeatAt + (entry.outageSeconds + entry.offlineAfterSeconds) * 1000;
  const from = Math.max(offlineAt, rentalStatusSince, maintainedAt, unseen.at(-1)?.to ?? 0);
  return Math.max(0, listedAt - from);
}

/** Returns the logbook after a change. The same change again changes nothing. */
export function logbookWith(memory: Logbook, effect: LogbookEffect): Logbook {
  if ('report' in effect) return { ...memory, report: effect.report };
  if ('phone' in effect) {
    const notes = withNote(memory.phones.get(effect.phone) ?? [], effect.note);
    return { ...memory, phones: new Map(memory.phones).set(effect.phone, notes) };
  }
  const { isEscalated, ...facts } = memory.incidents.get(effect.incident) ?? NO_FACTS;
  const after: IncidentFacts =
    'note' in effect
      ? { ...facts, ...(isEscalated && { isEscalated }), notes: withNote(facts.notes, effect.note) }
      : { ...facts, acknowledged: effect.acknowledged };
  return { ...memory, incidents: new Map(memory.incidents).set(effect.incident, after) };
}

/** Adds a note, without the oldest one if there are too many. A request that is sent twice adds it once. */
export function withNote<Written extends Pick<Note, 'text' | 'by'>>(
  notes: readonly Written[],
  ...added: readonly Written[]
): readonly Written[] {
  const last = notes[notes.length - 1];
  const others = added.filter(({ text, by }) => text !== last?.text || by !== last.by);
  return [...notes, ...others].slice(-MAX_NOTES);
}

/** Returns who acknowledged an incident since it opened. One that opens again has to be acknowledged again. */
export function acknowledgementOf({ acknowledged }: IncidentFacts, openedAt: number): Signature | undefined {
  return acknowledged !== undefined && acknowledged.at >= openedAt ? acknowledged : undefined;
}

/** Returns what is known of an incident of an account. */
export function factsOf(account: Account, id: string): IncidentFacts {
  return LOGBOOK.of(account).incidents.get(id) ?? NO_FACTS;
}
