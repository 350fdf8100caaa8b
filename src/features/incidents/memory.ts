import { definePart } from '../../judge/part.ts';
import type { Account } from '../../model/account.ts';
import type { FleetDevice } from '../../model/fleet.ts';
import type { EndedIncident, Incident } from '../../model/incident.ts';
import { type Price, priceOf } from '../../model/money.ts';
import { DAY } from '../../model/time.ts';

/*
 * What the account knows about incidents apart from the incidents themselves: who is on them, notes, and their lost sold
 * time.
 */

/** A person, and the instant by the API's clock, in milliseconds since 1970. */
export type Signature = { readonly by: string; readonly at: number };

export type Note = Signature & { readonly text: string };

/** Maximum length of a note, in characters, and maximum number of notes per subject. The last ones are kept. */
export const MAX_NOTE = 500;
const MAX_NOTES = 10;

/** Maximum number of resolved incidents that wait for a file. The newest are kept. */
const MAX_UNWRITTEN = 10_000;

/** Facts about an incident that the judgement does not need. */
export type IncidentFacts = {
  readonly acknowledged?: Signature | undefined;
  /** Nobody acknowledged it in time. */
  readonly isEscalated?: true | undefined;
  readonly notes: readonly Note[];
  /** Time for which its phones were sold and offline, added up. */
  readonly soldMilliseconds: number;
  /** The price of that time, for phones that have a price (`prices`). */
  readonly cents: number;
  /** The currency of the price; undefined if none was configured. */
  readonly currency?: string | undefined;
};

const NO_FACTS: IncidentFacts = { notes: [], soldMilliseconds: 0, cents: 0 };

export type Logbook = {
  /** By id, for open incidents and those that ended within a day. */
  readonly incidents: ReadonlyMap<string, IncidentFacts>;
  readonly phones: ReadonlyMap<string, readonly Note[]>;
  /** Resolved incidents that could not yet be written to their file. */
  readonly unwritten?: readonly EndedIncident[] | undefined;
  /** Time sold but offline of phones that no incident covers yet, by id. */
  readonly waiting?: ReadonlyMap<string, Lost> | undefined;
};

/** A note that is added or replaces an earlier one. Without a note, the earlier one is removed. */
export type NoteChange =
  | { readonly note: Note; readonly replaces?: undefined }
  | { readonly note: Note | undefined; readonly replaces: Pick<Note, 'at'> };

/** A change by a person. An acknowledgement without a signature takes back an earlier one. */
export type LogbookEffect =
  | { readonly incident: string; readonly acknowledged: Signature | undefined }
  | { readonly incident: string; readonly isEscalated: boolean }
  | { readonly unwritten: readonly EndedIncident[] }
  | ({ readonly incident: string } & NoteChange)
  | ({ readonly phone: string } & NoteChange);

export type LogbookSettings = {
  readonly prices: readonly Price[];
  /** The configured currency of the account. */
  readonly currency?: string | undefined;
};

/** The part of the memory. */
export const LOGBOOK = definePart<Logbook, LogbookEffect, LogbookSettings>({
  name: 'logbook',
  create: () => ({ incidents: new Map(), phones: new Map(), waiting: new Map() }),
  *update(memory, { observation, before, after, effect }, { prices, currency }) {
    if (effect !== undefined) return logbookWith(memory, effect);
    const { open, ended } = after.incidents;
    const isList = observation.kind === 'list';
    const phones = isList ? notesOfKnown(memory.phones, after) : memory.phones;
    const { lost, waiting } = isList
      ? lostTime(memory.waiting ?? NONE_WAITING, before, after, prices)
      : { lost: NONE_WAITING, waiting: memory.waiting };
    if (open.length === 0 && memory.incidents.size === 0 && lost.size === 0)
      return phones === memory.phones && waiting === memory.waiting ? memory : { ...memory, phones, waiting };
    const incidents = new Map<string, IncidentFacts>();
    for (const { id } of [...(memory.unwritten ?? []), ...ended, ...open]) {
      const facts = withLost(memory.incidents.get(id) ?? NO_FACTS, lost.get(id), currency);
      if (facts !== NO_FACTS) incidents.set(id, facts);
      yield;
    }
    return { ...memory, incidents, phones, waiting };
  },
});

/** Returns the notes, except those on phones that left before last month. */
function notesOfKnown(notes: Logbook['phones'], { fleet }: Account): Logbook['phones'] {
  const isKnown = (id: string): boolean =>
    fleet === undefined || fleet.devices.has(id) || fleet.departed.has(id);
  return [...notes.keys()].every(isKnown) ? notes : new Map([...notes].filter(([id]) => isKnown(id)));
}

/** Time sold but offline, and its price. */
type Lost = Pick<IncidentFacts, 'soldMilliseconds' | 'cents'>;

const NONE_WAITING: ReadonlyMap<string, Lost> = new Map();

function sumOf(one: Lost | undefined, other: Lost): Lost {
  if (one === undefined) return other;
  return {
    soldMilliseconds: one.soldMilliseconds + other.soldMilliseconds,
    cents: one.cents + other.cents,
  };
}

/** Adds sold time. In another currency, the price starts again at 0. Unchanged facts stay the same object. */
function withLost(facts: IncidentFacts, lost: Lost | undefined, currency: string | undefined): IncidentFacts {
  if (lost === undefined) return facts;
  const { soldMilliseconds, currency: before = currency } = facts;
  const known = before === (currency ?? before) ? facts : { soldMilliseconds, cents: 0 };
  return { ...facts, ...sumOf(known, lost), currency: currency ?? before };
}

/**
 * Divides the time sold but offline since the last list, as the month counts it, among the incidents. A phone's time goes to
 * the incident that covered it before, or that covers it now, and to no other. While a phone waits for its incident, its time
 * waits too.
 *
 * Example: a rack of 40 ends as an outage while 2 phones are still offline. Their time until then goes to the outage, and
 * from then on to their own incidents.
 */
function lostTime(
  waitingBefore: ReadonlyMap<string, Lost>,
  before: Account,
  after: Account,
  prices: readonly Price[],
): { readonly lost: ReadonlyMap<string, Lost>; readonly waiting: ReadonlyMap<string, Lost> } {
  const lost = new Map<string, Lost>();
  const waiting = new Map<string, Lost>();
  const [coverBefore, coverNow] = [before, after].map(({ incidents }) => coverOf(incidents.open));
  // Muting ends an incident between two lists. Its time runs on until the second one, as in the month.
  const lastList = before.fleet?.apiTime ?? Number.POSITIVE_INFINITY;
  const coverEnded = coverOf(before.incidents.ended.filter(({ endedAt }) => endedAt >= lastList));
  for (const id of new Set([
    ...soldOfflineIn(before),
    ...soldOfflineIn(after),
    ...coverEnded.keys(),
    ...waitingBefore.keys(),
  ])) {
    const entry = after.fleet?.devices.get(id);
    if (entry === undefined) continue;
    const entryBefore = before.fleet?.devices.get(id);
    const milliseconds = lostBy(entry) - (entryBefore === undefined ? 0 : lostBy(entryBefore));
    const perDay = priceOf(prices, { group: entry.group, model: entry.device.model })?.centsPerDay ?? 0;
    const own = { soldMilliseconds: milliseconds, cents: (milliseconds / DAY) * perDay };
    const all = sumOf(waitingBefore.get(id), own);
    const incident = coverBefore?.get(id) ?? coverNow?.get(id) ?? coverEnded.get(id);
    if (all.soldMilliseconds === 0) continue;
    if (incident !== undefined) lost.set(incident, sumOf(lost.get(incident), all));
    else if (entry.offline) waiting.set(id, all);
  }
  return { lost, waiting: waiting.size + waitingBefore.size === 0 ? waitingBefore : waiting };
}

/** Lists the phones that are sold and offline. */
function soldOfflineIn({ judgement }: Account): readonly string[] {
  return [...(judgement?.problems ?? [])].flatMap(([id, { problem }]) =>
    problem === 'sold_offline' ? [id] : [],
  );
}

/** Returns the incident that each phone's time belongs to: its own, or otherwise one of many phones. */
function coverOf(open: readonly Incident[]): ReadonlyMap<string, string> {
  const cover = new Map(open.flatMap(({ id, members }) => Array.from(members.keys(), (each) => [each, id])));
  for (const { id, problem, deviceId } of open) if (problem === 'sold_offline') cover.set(deviceId, id);
  return cover;
}

function lostBy({ times }: FleetDevice): number {
  return times.milliseconds.sold_offline ?? 0;
}

/** Returns the logbook after a change. Repeating a change has no effect. */
export function logbookWith(memory: Logbook, effect: LogbookEffect): Logbook {
  if ('phone' in effect) {
    const phones = new Map(memory.phones);
    const notes = notesAfter(phones.get(effect.phone) ?? [], effect);
    if (notes.length === 0) phones.delete(effect.phone);
    else phones.set(effect.phone, notes);
    return { ...memory, phones };
  }
  if ('unwritten' in effect) return { ...memory, unwritten: effect.unwritten.slice(-MAX_UNWRITTEN) };
  const { incident } = effect;
  const known = memory.incidents.get(incident) ?? NO_FACTS;
  const changed = (facts: Partial<IncidentFacts>): Logbook => {
    return { ...memory, incidents: new Map(memory.incidents).set(incident, { ...known, ...facts }) };
  };
  if ('note' in effect) return changed({ notes: notesAfter(known.notes, effect) });
  if ('isEscalated' in effect) return changed({ isEscalated: effect.isEscalated || undefined });
  // Without an acknowledgement, the time until escalation counts from the incident's opening.
  return changed({ isEscalated: undefined, acknowledged: effect.acknowledged });
}

/**
 * Returns notes after a change, without the oldest one if there are too many. A corrected note keeps its time, which
 * identifies it. A request that is sent twice adds its note once.
 */
export function notesAfter(notes: readonly Note[], { note, replaces }: NoteChange): readonly Note[] {
  if (replaces === undefined) {
    const last = notes.at(-1);
    return last?.text === note.text && last.by === note.by ? notes : [...notes, note].slice(-MAX_NOTES);
  }
  const index = notes.findLastIndex(({ at }) => at === replaces.at);
  return index === -1 ? notes : notes.toSpliced(index, 1, ...(note ? [{ ...note, at: replaces.at }] : []));
}

/** Returns who has acknowledged an incident since it opened. If it opens again, it has to be acknowledged again. */
export function acknowledgementOf({ acknowledged }: IncidentFacts, openedAt: number): Signature | undefined {
  return acknowledged !== undefined && acknowledged.at >= openedAt ? acknowledged : undefined;
}

/** Returns what is known about an account's incident. */
export function factsOf(account: Account, id: string): IncidentFacts {
  return LOGBOOK.of(account).incidents.get(id) ?? NO_FACTS;
}
