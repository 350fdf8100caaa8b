import { ownKind } from '../model/cause.ts';
import { offlineProblemOf } from '../model/problem.ts';
import { say, translated } from '../text/say.ts';
import type { CoreDocument, FleetCause, FleetIncident, FleetPhone } from './document.ts';
import { durationText, parseTime, type TimeText } from './freshness.ts';
import { amountsText, partOf } from './money.ts';
import { isOffline, isReporting, type PhoneEntry } from './phones.ts';
import { openIncidentsOf, type Visit } from './visits.ts';
import { incidentTitle, personOf, phonesText, problemAdvice, problemTitle, spanText } from './words.ts';

/*
 * Describes a phone, an outage, an incident and a group for people, wherever they are shown. A surface lays out a description
 * and composes no sentences of its own about the subject.
 */

export type Description = {
  /** Its kind: `Outage`, `Sold, offline`. */
  readonly title: string;
  /** Its subject, with the account if there are several: `rack-03 of main`. Text by others; '' if there is nothing to name. */
  readonly name: string;
  /** `9 of 12 phones offline, 3 sold`; '' without phones. */
  readonly counts: string;
  /** Milliseconds since 1970; undefined if unknown. */
  readonly since: number | undefined;
  /** Its end; undefined while it lasts. */
  readonly until: number | undefined;
  /** `12 min`; '' if the start is unknown. */
  readonly lasted: string;
  /** Why it ended: `back online`; '' while it lasts. */
  readonly end: string;
  /** `Olena has been on it since 12:20`; '' for nobody. */
  readonly who: string;
  /** Its cost at the configured prices; '' without prices. */
  readonly cost: string;
  /** The facts about its cause, and advice. */
  readonly advice: string;
};

const NOTHING: Description = {
  ...{ title: '', name: '', counts: '', since: undefined, until: undefined },
  ...{ lasted: '', end: '', who: '', cost: '', advice: '' },
};

/** The accounts that a name has to tell apart, and the phones of a group if they are known. */
export type NamedAccounts = {
  readonly accounts: readonly { readonly name: string }[];
  readonly phones?: readonly FleetPhone[];
};

/** Adds the account to a name if there are several accounts. */
export function nameIn({ accounts }: NamedAccounts, name: string, account: string): string {
  return accounts.length > 1 ? say('name-of', { name, account }) : name;
}

/** Returns how long something has lasted; '' if its start is unknown. */
function lastedOf(since: number | undefined, until: number): string {
  return since === undefined ? '' : durationText((until - since) / 1000);
}

/** Names the subject of an incident: a phone, what its phones share, how many there are, or one of several accounts. */
export function incidentName(
  { label, phone, value, kind, allPhones, account }: FleetIncident,
  fleet: NamedAccounts,
): string {
  if (phone !== undefined) return nameIn(fleet, label?.trim() || phone, account);
  if (kind !== undefined && value !== undefined) return placeName({ kind, value }, account, fleet);
  if (allPhones !== undefined) return nameIn(fleet, phonesText(allPhones), account);
  return fleet.accounts.length > 1 ? account : '';
}

export function describeIncident(
  incident: FleetIncident,
  fleet: NamedAccounts,
  now: number,
  time: TimeText,
): Description {
  const { phones, allPhones = phones, mostSoldPhones = 0, endedAt } = incident;
  const since = parseTime(incident.since);
  const until = parseTime(endedAt);
  const counts =
    allPhones === undefined
      ? ''
      : until === undefined
        ? openCounts(incident, fleet)
        : soldText(phonesText(allPhones), mostSoldPhones);
  return {
    ...NOTHING,
    title: incidentTitle(incident),
    name: incidentName(incident, fleet),
    ...{ counts, since, until, lasted: lastedOf(since, until ?? now) },
    end: endText(incident),
    who: whoText(incident, time),
  };
}

/** Returns the reason why an incident ended; '' while it is open. */
export function reasonOf({ reason, reasonText = '' }: FleetIncident): string {
  return (reason && translated(`end-${reason}`)) ?? reasonText;
}

/** Says why an incident ended. When a rental ends, an offline phone is not back: it then has another incident. */
function endText(incident: FleetIncident): string {
  const { problem, reason } = incident;
  const goesOn =
    (reason === 'rented' || reason === 'rental_ended') && offlineProblemOf(problem) !== undefined;
  const text = reasonOf(incident);
  return goesOn ? say('end-still-offline', { reason: text }) : text;
}

/** Describes a place that needs attention: an outage, or a phone. */
export function describeVisit(
  visit: Visit,
  fleet: Pick<CoreDocument, 'accounts' | 'incidents'> & NamedAccounts,
  asOf: number,
  time: TimeText,
): Description {
  const { cause, entries, since, costs } = visit;
  const [first] = entries;
  if (first === undefined) return NOTHING;
  const incidents = openIncidentsOf(visit, fleet.incidents);
  const accounts = new Set(entries.map(({ phone }) => phone.account));
  const people = incidents.map((incident) => whoText(incident, time));
  // Somebody is on an outage of two accounts once both of its incidents are acknowledged.
  const who = people.includes('') ? '' : [...new Set(people)].join('; ');
  if (cause === undefined) return { ...describePhone(first, fleet, asOf), who, cost: costText(costs) };
  return {
    ...NOTHING,
    title: say('incident-common_cause'),
    name: placeName(cause, accounts.size === 1 ? first.phone.account : undefined, fleet),
    counts: outageCounts(visit, fleet),
    since: since || undefined,
    lasted: lastedOf(since || undefined, asOf),
    who,
    cost: costText(costs),
    advice: adviceOf(cause),
  };
}

export function describePhone({ name, phone }: PhoneEntry, fleet: NamedAccounts, asOf: number): Description {
  const { problem, account } = phone;
  const since = parseTime(phone.problemSince);
  return {
    ...NOTHING,
    title: problem === undefined ? say('no-problems') : problemTitle(problem),
    name: nameIn(fleet, name, account),
    since,
    lasted: lastedOf(since, asOf),
    advice: problem === undefined ? '' : problemAdvice(problem),
  };
}

export function describeGroup(
  { account, group }: { readonly account: string; readonly group: string },
  phones: readonly FleetPhone[],
  fleet: NamedAccounts,
): Description {
  const online = phones.filter(isReporting).length;
  const sold = phones.filter(({ rentalStatus }) => rentalStatus === 'sold').length;
  return {
    ...NOTHING,
    title: say('group'),
    name: nameIn(fleet, group, account),
    counts: say('group-counts', { count: phones.length, online, sold }),
  };
}

/** Writes the cost of an hour of sold days: `about €0.90 an hour (estimated)`; '' without prices. */
export function costText(perDay: Visit['costs']): string {
  return perDay.length === 0 ? '' : say('cost-per-hour', { amount: amountsText(partOf(perDay, 1 / 24)) });
}

/** Writes the heading of a description: `Outage: rack-03`. */
export function headText({ title, name }: Description, quote = plain): string {
  return name === '' ? title : `${title}: ${quote(name)}`;
}

/** Writes the time of a description: `since 12:17 (12 min)`, or `12:17–12:29 (12 min)`. */
export function timesText({ since, until, lasted }: Description, time: TimeText): string {
  const duration = lasted === '' ? '' : ` (${lasted})`;
  return until === undefined
    ? say('since', { time: time(since) }) + duration
    : `${time(since)}–${time(until)}${duration}`;
}

/**
 * Writes a description on one line.
 *
 * Example: `Outage: rack-03 (9 of 12 phones offline, 3 sold), since 12:17 (12 min), Olena has been on it since 12:20`.
 *
 * @param quote marks text by others
 */
export function descriptionText(description: Description, time: TimeText, quote = plain): string {
  const { counts, end, who } = description;
  const head = `${headText(description, quote)}${counts === '' ? '' : ` (${counts})`}`;
  return [head, timesText(description, time), end, who && quote(who)].filter(Boolean).join(', ');
}

const plain = (text: string): string => text;

function soldText(phones: string, sold: number): string {
  return sold === 0 ? phones : `${phones}, ${say('count-sold', { count: sold })}`;
}

function offlineText(offline: number, all: number, sold: number): string {
  return soldText(say('count-offline-of', { offline, all }), sold);
}

/** Counts an open incident's offline phones, out of its group or of all that were offline, and the sold ones. */
function openCounts(incident: FleetIncident, { phones: all = [] }: NamedAccounts): string {
  const { account, kind = '', value, phones = 0, allPhones = 0, soldPhones = 0 } = incident;
  const inGroup = all.filter((phone) => phone.account === account && phone.group === value).length;
  const own = (kind === 'group' && (inGroup || incident.groupPhones)) || allPhones;
  return offlineText(phones, Math.max(phones, own), soldPhones);
}

/**
 * Counts the phones of an outage. In a group, all phones count as they are on the wall, even one that was already offline.
 */
function outageCounts({ cause, entries, sold }: Visit, { phones = [] }: NamedAccounts): string {
  const accounts = new Set(entries.map(({ phone }) => phone.account));
  const inGroup =
    cause?.kind === 'group'
      ? phones.filter(({ account, group }) => group === cause.value && accounts.has(account))
      : [];
  const offline = inGroup.filter(isOffline).length;
  if (offline < entries.length)
    return offlineText(entries.length, Math.max(entries.length, cause?.ownPhones ?? 0), sold);
  return offlineText(
    offline,
    inGroup.length,
    inGroup.filter(({ problem }) => problem === 'sold_offline').length,
  );
}

/** Says what points to the common cause, and what to check. */
function adviceOf({ kind, others, phones, withinSeconds }: FleetCause): string {
  return [
    ...(phones < 2 ? [] : [say('cause-within', { span: spanText(withinSeconds) })]),
    say('cause-others', { count: others }),
    say(`cause-advice-${ownKind(kind) ?? 'other'}`),
  ].join(' ');
}

/**
 * Names what phones share, with the account if there are several: `rack-03 of main`.
 *
 * @param account undefined if several accounts are affected
 */
export function placeName(
  { kind, value }: { readonly kind: string; readonly value: string },
  account: string | undefined,
  fleet: NamedAccounts,
): string {
  // Nobody chose the name of a single account.
  if (kind === 'account')
    return fleet.accounts.length > 1 ? say('place-account', { value }) : say('all-phones');
  const name = sharedName(kind, value);
  return account === undefined ? name : nameIn(fleet, name, account);
}

/** Names the value that phones share: `rack-03`, `model Pixel 7`, `carrier Kyivstar`. */
export function sharedName(kind: string, value: string): string {
  const own = ownKind(kind);
  if (own === 'group') return value;
  return own === undefined ? `${kind} ${value}` : say(`place-${own}`, { value });
}

/** An incident, with who acknowledged it if a feature says so. */
type Acknowledged = Pick<FleetIncident, 'id'> & {
  readonly acknowledgedBy?: string | undefined;
  readonly acknowledgedAt?: string | undefined;
};

/** Says who is on an incident, and since when; '' for nobody. */
function whoText({ acknowledgedBy, acknowledgedAt }: Acknowledged, time: TimeText): string {
  if (acknowledgedAt === undefined) return '';
  const at = time(acknowledgedAt);
  const person = personOf(acknowledgedBy);
  return person === '' ? say('acknowledged-at', { time: at }) : say('acknowledged-by', { person, time: at });
}
