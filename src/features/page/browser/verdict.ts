import {
  costText,
  type Description,
  describeIncident,
  describeVisit,
  headText,
  nameIn,
  placeName,
} from '../../../fleet/describe.ts';
import type { FleetDocument, FleetIncident } from '../../../fleet/document.ts';
import {
  type AgeBasis,
  ageBasisOf,
  type ConnectionState,
  connectionAt,
  emptyPlaces,
  type Freshness,
  freshnessOf,
  lateAccounts,
  type Notice,
  type TimeText,
  withoutSeconds,
  withStale,
} from '../../../fleet/freshness.ts';
import { sumAmounts } from '../../../fleet/money.ts';
import { hasNumbers, type PhoneEntry, sumTotals } from '../../../fleet/phones.ts';
import { type Visit, visitsOf } from '../../../fleet/visits.ts';
import {
  emptyText,
  isUrgent,
  listText,
  outOfServiceText,
  PROBLEM_FACTS,
  type Tone,
} from '../../../fleet/words.ts';
import { PROBLEMS, type Problem } from '../../../model/problem.ts';
import { say } from '../../../text/say.ts';

/* The headline at the top of the page: what is wrong, or that all is well. */

export type Verdict = {
  readonly tone: Tone;
  readonly title: string;
  /** Its cost, or the last known state while there is no new data. */
  readonly note: string;
  /** The last outage that was resolved within a day, or while all is well the last alert; '' if there is none. */
  readonly past: string;
  /** The notices that the headline does not replace. */
  readonly notices: Freshness['notices'];
};

type VerdictInputs = {
  readonly fleet: FleetDocument | undefined;
  /** The places that need attention; undefined if the document has no phones. */
  readonly visits: readonly Visit[] | undefined;
  readonly freshness: Freshness;
  /** By account name. */
  readonly bases: ReadonlyMap<string, AgeBasis>;
  /** By the exporter's clock, in milliseconds since 1970. */
  readonly now: number;
  readonly time: TimeText;
};

/** Returns the places that need attention now, costliest first. */
export function urgentVisits(fleet: FleetDocument, entries: readonly PhoneEntry[]): readonly Visit[] {
  return visitsOf(
    fleet,
    entries.filter(({ phone }) => isUrgent(phone.problem)),
  );
}

/**
 * Returns the headline, which names the place. While no account has new data, it says so, and the last known state is a
 * note: out-of-date data is never fine. A refused key comes before what the other accounts show.
 *
 * Example: `Outage: rack-01, 2 more phones need attention`, with the note `rack-01: 9 of 12 phones offline, 3 sold, since
 * 12:17. 5 sold phones are offline, about €0.90 an hour (estimated).`
 */
export function verdictOf(inputs: VerdictInputs): Verdict {
  const { fleet, freshness, bases, now, time } = inputs;
  const { tone, word } = freshness;
  const short: TimeText = (instant) => withoutSeconds(time(instant));
  const notices = freshness.notices.map((each) => withStart(each, fleet, short));
  const first = notices.find((each) => each.tone !== 'info');
  if (fleet === undefined || bases.size === 0 || !hasNumbers(fleet.accounts)) {
    if (first === undefined) return { tone: 'wait', title: word, note: '', past: '', notices: [] };
    return { ...headOf(first, notices), note: first.text, past: '' };
  }
  const present = presentOf(inputs, fleet, short);
  const isOld = [...bases.values()].every(({ state }) => state !== 'fresh');
  const past = pastOf(fleet, now, short, present.tone === 'good' && !isOld);
  const refused = notices.find(({ about }) => about === 'key');
  if (isOld && first !== undefined) {
    const known = present.isCalm
      ? say('page-nothing-then')
      : say('page-last-known', { title: present.title });
    // Without a connection, it is unknown whether the key is still refused.
    const main = first.about === undefined ? first : (refused ?? first);
    const head = headOf(main, notices);
    return { ...head, tone: worse(tone, main.tone), note: `${main.text} ${known}`, past };
  }
  if (refused === undefined) {
    const { isCalm: _, ...shown } = present;
    return { ...shown, past, notices };
  }
  const head = headOf(refused, notices);
  const others = present.isCalm ? '' : `. ${present.title}`;
  return { ...head, title: head.title + others, note: `${refused.text} ${present.note}`.trim(), past };
}

/** Says since when a key has been refused, unless several are. */
function withStart(notice: Notice, fleet: FleetDocument | undefined, short: TimeText): Notice {
  const [first, ...others] = (fleet?.incidents ?? []).filter(
    ({ problem, endedAt }) => problem === 'key_refused' && endedAt === undefined,
  );
  if (notice.about !== 'key' || first === undefined || others.length > 0) return notice;
  return { ...notice, title: `${notice.title} ${say('since', { time: short(first.since) })}` };
}

/** Returns the instant of the last response if the connection is lost. */
export function lostAtOf({ failure, lastResponseAt }: ConnectionState, now: number): number | undefined {
  return failure === undefined ? undefined : (lastResponseAt ?? now);
}

/** Returns what ages are counted from, by account. */
export function basesOf(
  fleet: FleetDocument | undefined,
  now: number,
  lostAt: number | undefined,
): ReadonlyMap<string, AgeBasis> {
  return new Map(
    fleet?.accounts.map(({ name, readings }) => [name, ageBasisOf(readings.devices, now, lostAt)]),
  );
}

/** Returns the headline of a hidden page, by the newest document, which may have no phones. */
export function hiddenVerdictOf(
  document: FleetDocument | undefined,
  known: ConnectionState,
  now: number,
  time: TimeText,
): Pick<Verdict, 'title' | 'tone'> {
  const connection = connectionAt(known, now);
  const lostAt = lostAtOf(connection, now);
  const fleet = document && withStale(document, lateAccounts(document, lostAt ?? now));
  const bases = basesOf(fleet, now, lostAt);
  const freshness = freshnessOf(fleet, connection, now, time);
  return verdictOf({ fleet, visits: undefined, freshness, bases, now, time });
}

/** Returns a headline that replaces a notice. */
function headOf(main: Notice, notices: readonly Notice[]): Pick<Verdict, 'tone' | 'title' | 'notices'> {
  // News about what is being learned can wait.
  const others = notices.filter((each) => each !== main && each.tone !== 'info');
  return { tone: main.tone, title: main.title, notices: others };
}

function worse(one: Tone, other: Tone): Tone {
  return one === 'bad' || other === 'bad' ? 'bad' : one === 'good' ? other : one;
}

type Present = Pick<Verdict, 'tone' | 'title' | 'note'> & { readonly isCalm: boolean };

/** Returns the headline as if all data were new. */
function presentOf(
  { visits, bases, now, time }: VerdictInputs,
  fleet: FleetDocument,
  short: TimeText,
): Present {
  const { outages, alone, where, paid } = visits === undefined ? wrongIn(fleet) : wrongAt(visits, fleet);
  if (outages.length + alone === 0) return calmOf(fleet, bases, time);
  return {
    tone: paid > 0 ? 'bad' : 'warn',
    title: headlineOf(outages, alone, where),
    note: visits === undefined ? '' : noteOf(visits, fleet, now, short),
    isCalm: false,
  };
}

/** The names of outages, and the phones with problems outside of them: how many, where, and how many cost money. */
type Wrong = {
  readonly outages: readonly string[];
  readonly alone: number;
  readonly where: string;
  readonly paid: number;
};

function wrongAt(visits: readonly Visit[], fleet: FleetDocument): Wrong {
  const alone = visits.filter(({ cause }) => cause === undefined).flatMap(({ entries }) => entries);
  const outages = visits.flatMap(({ cause, entries }) => {
    if (cause === undefined) return [];
    const accounts = new Set(entries.map(({ phone }) => phone.account));
    return placeName(cause, accounts.size === 1 ? [...accounts].join() : undefined, fleet);
  });
  const places = alone.map(({ name, phone: { account, group } }) => ({ name, account, group }));
  const paid = visits.reduce((sum, { sold, selfRented }) => sum + sold + selfRented, 0);
  return { outages, alone: alone.length, where: whereText(places, fleet), paid };
}

/** Returns what is wrong according to the totals and incidents of a document without phones. */
function wrongIn(fleet: FleetDocument): Wrong {
  const { accounts, causes, incidents } = fleet;
  const count = (of: (problem: Problem) => boolean): number =>
    accounts.reduce(
      (sum, { totals }) =>
        PROBLEMS.filter(of).reduce((all, each) => all + (totals?.problems[each] ?? 0), sum),
      0,
    );
  const together = causes.reduce((sum, { phones }) => sum + phones, 0);
  const alone = Math.max(0, count(isUrgent) - together);
  const open = incidents.flatMap(({ endedAt, problem, phone, label, account, group = '' }) => {
    if (endedAt !== undefined || phone === undefined || !PROBLEMS.some((each) => each === problem)) return [];
    return { name: label?.trim() || phone, account, group };
  });
  return {
    outages: causes.map((cause) => placeName(cause, cause.account, fleet)),
    alone,
    where: open.length === alone ? whereText(open, fleet) : '',
    paid: count((problem) => PROBLEM_FACTS[problem].tone === 'bad'),
  };
}

type Place = { readonly name: string; readonly account: string; readonly group: string };

/** Maximum number of phones that the headline names. */
const NAMED_PHONES = 2;

/** Names one or two phones, or the group of more: `: rack-01/slot-04`, ` in rack-01`; '' for several places. */
function whereText(places: readonly Place[], fleet: FleetDocument): string {
  const [first, ...others] = places;
  if (first === undefined) return '';
  if (places.length <= NAMED_PHONES)
    return `: ${places.map(({ name, account }) => nameIn(fleet, name, account)).join(', ')}`;
  const isOne = others.every(({ account, group }) => account === first.account && group === first.group);
  return isOne && first.group !== ''
    ? ` ${say('page-in', { group: nameIn(fleet, first.group, first.account) })}`
    : '';
}

/** Maximum number of outages that the headline names. */
const NAMED_OUTAGES = 3;

/**
 * Writes the headline about what is wrong.
 *
 * @param phones number of phones that need attention and are not part of an outage
 * @param where their names or their place; '' if there are several places
 */
export function headlineOf(outages: readonly string[], phones: number, where: string): string {
  if (outages.length === 0) return say('page-attention', { count: phones }) + where;
  const names = listText(outages, NAMED_OUTAGES, ', ');
  const rest = phones === 0 ? '' : `, ${say('page-attention-more', { count: phones })}`;
  return say('page-outages', { count: outages.length, names }) + rest;
}

/** Says how many phones of each outage are offline, since when, who is on it, and what all places cost. */
function noteOf(visits: readonly Visit[], fleet: FleetDocument, now: number, short: TimeText): string {
  const [only, ...others] = visits;
  if (only !== undefined && others.length === 0) {
    const { title, counts, since, cost, who } = describeVisit(only, fleet, now, short);
    const start = since === undefined ? '' : say('since', { time: short(since) });
    const head = counts === '' ? `${title} ${start}`.trim() : [counts, start].filter(Boolean).join(', ');
    return `${[head, cost, who].filter(Boolean).join(', ')}.`;
  }
  const outages = visits.filter(({ cause }) => cause !== undefined);
  const lines = outages.slice(0, NAMED_OUTAGES).map((visit) => {
    const { name, counts, since, who } = describeVisit(visit, fleet, now, short);
    return `${name}: ${[counts, since && say('since', { time: short(since) }), who].filter(Boolean).join(', ')}.`;
  });
  return [...lines, lossText(visits, short)].filter(Boolean).join(' ');
}

/** Says how many sold phones are offline, since when, and what they cost an hour at the configured prices. */
function lossText(visits: readonly Visit[], time: TimeText): string {
  const sold = visits.reduce((sum, visit) => sum + visit.sold, 0);
  if (sold === 0) return '';
  const phones = say('page-sold-offline', { count: sold });
  // Each outage has its own start before this.
  const starts = visits.every(({ cause }) => cause === undefined)
    ? visits.flatMap((visit) => (visit.sold > 0 && visit.since > 0 ? visit.since : []))
    : [];
  const since = starts.length === 0 ? '' : say('page-first-since', { time: time(Math.min(...starts)) });
  const cost = costText(sumAmounts(visits.flatMap(({ costs }) => costs)));
  return `${[phones, since, cost].filter(Boolean).join(', ')}.`;
}

/** Says that there are no problems, as far as is known. */
function calmOf({ accounts }: FleetDocument, bases: VerdictInputs['bases'], time: TimeText): Present {
  const doubt = (title: string): Present => ({ tone: 'info', title, note: '', isCalm: true });
  const empty = emptyText(accounts);
  const stale = accounts.filter(({ name }) => bases.get(name)?.state !== 'fresh');
  const [seenAt] = stale.flatMap(({ readings }) => readings.devices.lastSuccessAt ?? []).sort();
  if (accounts.some(({ totals }) => totals === undefined)) return doubt(say('page-no-data-yet'));
  if (stale.length > 0) return doubt(say('page-no-problems-at', { time: time(seenAt) }));
  if (empty !== '') return { ...doubt(empty), note: emptyPlaces(accounts) };
  if (accounts.some(({ gracePeriodEndsAt }) => gracePeriodEndsAt !== undefined))
    return doubt(say('page-no-problems-so-far'));
  const totals = sumTotals(accounts);
  const inService = totals.phones - totals.notSetUp - totals.muted;
  const others = outOfServiceText(totals);
  if (inService === 0) return { ...doubt(say('page-none-in-service')), note: `${others.join(', ')}.` };
  return {
    ...{ tone: 'good', isCalm: true },
    title:
      totals.online === inService
        ? say('page-all-online', { count: inService })
        : say('page-online', { online: totals.online, all: inService }),
    note: others.length === 0 ? '' : `${others.join(', ')}.`,
  };
}

/**
 * Says when the last outage was resolved, even below new problems. Without one, the last alert, while all is well.
 *
 * Example: `rack-03 was offline 12:17–12:29, 2 sold phones.`
 */
function pastOf(fleet: FleetDocument, now: number, short: TimeText, isCalm: boolean): string {
  const ended = fleet.incidents
    .filter(({ endedAt }) => endedAt !== undefined)
    .sort((one, other) => ((one.endedAt ?? '') < (other.endedAt ?? '') ? 1 : -1));
  const tell = (incident: FleetIncident) => describeIncident(incident, fleet, now, short);
  const spanOf = ({ since, until }: Description): string => `${short(since)}–${short(until)}`;
  const outages = ended.filter(
    ({ problem, reason }) => OUTAGES.has(problem) && (reason === 'back' || reason === 'rented'),
  );
  const [outage] = outages;
  if (outage !== undefined) {
    const description = tell(outage);
    const { name } = description;
    const span = spanOf(description);
    const [sold, others] = [outage.mostSoldPhones ?? 0, outages.length - 1];
    const parts = [
      outage.value === undefined
        ? say('page-were-offline', { name, span })
        : say('page-was-offline', { name, span }),
      ...(sold === 0 ? [] : [say('page-sold-phones', { count: sold })]),
      ...(others === 0 ? [] : [say('page-other-outages', { count: others })]),
    ];
    return `${parts.join(', ')}.`;
  }
  if (!isCalm) return '';
  const alert = ended.find(({ severity, reason }) => severity !== 'info' && reason !== 'clock_set');
  if (alert === undefined) return say('page-no-recent-alerts');
  const description = tell(alert);
  return say('page-last-alert', { what: headText(description), span: spanOf(description) });
}

/** Outages of several phones. */
const OUTAGES: ReadonlySet<string> = new Set(['common_cause', 'many_sold_offline', 'many_offline']);
