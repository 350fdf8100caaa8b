import { createInstantFormat, durationText, freshnessOf, parseTime } from '../fleet-page/freshness.ts';
import {
  causeTitle,
  countText,
  incidentTitle,
  moneyText,
  numberText,
  PROBLEM_WORDS,
  statusText,
} from '../fleet-page/words.ts';
import type { FleetDocument, FleetIncident, FleetPhone } from '../http/fleet-document.ts';
import { isSilent, type Target } from './targets.ts';

/*
 * The answers as texts. They are functions of the document and the time, and send nothing.
 */

/** The fleet as the exporter has just answered, and how to write instants for its owner. */
export type View = {
  readonly fleet: FleetDocument;
  /** By the clock of the exporter, in milliseconds since 1970. */
  readonly now: number;
  /** Writes an instant in the owner's zone: `04:12` today, else `20 Nov 04:12`. */
  readonly time: (instant: number | string | undefined) => string;
};

/** The owner's word before it holds. */
export type Word = {
  readonly target: Target;
  /** In milliseconds; undefined if it is not said. */
  readonly lasts: number | 'back' | undefined;
  readonly reason: string;
};

/** What a tap on a button does. Only `start` and `end` change anything. */
export type Action =
  | { readonly does: 'phone'; readonly id: string }
  | { readonly does: 'rack'; readonly group: string }
  | { readonly does: 'askStart'; readonly word: Word }
  | { readonly does: 'start'; readonly word: Word; readonly until: number | 'back' }
  | { readonly does: 'askEnd' | 'end'; readonly id: string }
  | { readonly does: 'nothing' };

export type Button = { readonly label: string; readonly action: Action };
export type Answer = { readonly text: string; readonly buttons?: readonly Button[] };

/** Entries of a list, and buttons, that an answer has at most. */
const MAX_ENTRIES = 20;
export const MAX_BUTTONS = 8;

export function timeIn(timeZone: string, now: number): View['time'] {
  const { brief } = createInstantFormat(timeZone);
  return (instant) => {
    const at = typeof instant === 'string' ? parseTime(instant) : instant;
    return at === undefined ? 'an unknown time' : brief(at, now).replace(/^(\d\d:\d\d):\d\d$/, '$1');
  };
}

/** Marks a text of others, such as a label, which is then shown as it is: see `entitiesOf`. */
export function quote(text: string): string {
  return `\uE000${text.replace(/[\uE000\uE001\s]/g, ' ').trim() || 'without a name'}\uE001`;
}

export const nameOf = ({ label, id }: FleetPhone): string => label || id;

/** Writes the first entries, and how many more there are. */
export function listText(entries: readonly string[], most = MAX_ENTRIES, separator = '\n'): string {
  const rest = entries.length - most;
  return [...entries.slice(0, most), ...(rest > 0 ? [`and ${numberText(rest)} more`] : [])].join(separator);
}

/** What the age of the data allows to say: all of it, what held at an earlier time, or nothing. */
type Trust = { readonly state: 'fresh' | 'held' | 'expired'; readonly text: string; readonly asOf: string };

function trustOf({ fleet, now, time }: View): Trust {
  const connection = { lastResponseAt: now, failure: undefined, failingSince: undefined };
  const format = { brief: time, full: time, zone: () => '' };
  const { learnedAt, notices } = freshnessOf(fleet, connection, now, format);
  const states = fleet.accounts.map(({ readings }) => readings.devices.state);
  const failures = fleet.accounts.flatMap(({ readings: { devices } }) => devices.failureText ?? []);
  const age = learnedAt === undefined ? Number.POSITIVE_INFINITY : now - learnedAt;
  const isLate = age > (3 * fleet.exporter.pollIntervalSeconds + 60) * 1000;
  const old = learnedAt === undefined ? 'none yet' : `${durationText(age / 1000)} old`;
  const titles = notices.map(({ title }) => title);
  const text = `Data: ${[old, ...titles, ...new Set(failures)].join('. ').replace(/\.$/, '')}.`;
  const isExpired = learnedAt === undefined || states.includes('expired');
  const isFresh = states.every((state) => state === 'fresh') && notices.length === 0 && !isLate;
  const state = isExpired ? 'expired' : isFresh ? 'fresh' : 'held';
  return { state, text, asOf: state === 'fresh' ? '' : `At ${time(learnedAt)}: ` };
}

/** Says what an incident is about. */
function incidentText({ time }: View, incident: FleetIncident): string {
  const { account, phone, label, kind, value, phones, soldPhones = 0, since } = incident;
  const subject = quote(phone === undefined ? ((kind && value) ?? account) : label || phone);
  const sold = soldPhones === 0 ? '' : `, ${numberText(soldPhones)} sold`;
  const many = phones === undefined ? '' : ` (${countText(phones, 'phone', 'phones')}${sold})`;
  return `${incidentTitle(incident)}: ${subject}${many} since ${time(since)}`;
}

const SEVERITIES = ['critical', 'warning', 'info'];

/** Lists what is open and to be done, the worst first. */
function openIncidents({ fleet }: View): readonly FleetIncident[] {
  const rank = ({ severity, phones = 1 }: FleetIncident) => SEVERITIES.indexOf(severity) * 1e6 - phones;
  return fleet.incidents
    .filter(({ endedAt, severity }) => endedAt === undefined && severity !== 'info')
    .toSorted((one, other) => rank(one) - rank(other));
}

/** Says what needs the owner. Without an incident, only fresh data says that nothing does. */
function needText(view: View, { state, asOf }: Trust): string {
  const open = openIncidents(view).map((incident) => incidentText(view, incident));
  if (open.length > 0) return `${asOf}${listText(open, 3, '; ')}`;
  if (state === 'expired') return 'unknown, because the data is too old';
  return state === 'held' ? `${asOf}nothing was open. Since then nobody knows` : 'nothing';
}

/** Adds up the numbers of all accounts; undefined if an account has none. */
function totalsOf({ fleet }: View) {
  const all = fleet.accounts.map(({ totals }) => totals);
  const known = all.filter((totals) => totals !== undefined);
  if (known.length < all.length || all.length === 0) return undefined;
  const sum = (count: (totals: (typeof known)[number]) => number): number =>
    known.reduce((total, each) => total + count(each), 0);
  return {
    phones: sum(({ phones }) => phones),
    online: sum(({ online }) => online),
    sold: sum(({ sold }) => sold),
    soldSilent: sum(({ problems }) => problems.sold_silent),
    worked: sum(({ problems }) => problems.in_maintenance),
  };
}

function awayText(view: View, { asOf }: Trust): string {
  const totals = totalsOf(view);
  if (totals === undefined) return 'unknown, because the data is too old';
  const { phones, online, soldSilent, worked } = totals;
  const parts = [
    `${numberText(phones - online)} of ${countText(phones, 'phone', 'phones')}`,
    ...(soldSilent > 0 ? [`${numberText(soldSilent)} sold and silent`] : []),
    ...(worked > 0 ? [`${numberText(worked)} in maintenance`] : []),
  ];
  return asOf + parts.join(', ');
}

/** Answers /status in three lines. */
export function statusAnswer(view: View): Answer {
  const trust = trustOf(view);
  return { text: `Needs you: ${needText(view, trust)}.\nAway: ${awayText(view, trust)}.\n${trust.text}` };
}

function problemText({ time, now }: View, { problem, problemSince }: FleetPhone): string {
  if (problem === undefined) return 'Nothing is wrong';
  const age = problemSince === undefined ? '' : ` (${durationText((now - Date.parse(problemSince)) / 1000)})`;
  return `${PROBLEM_WORDS[problem].title} since ${time(problemSince)}${age}`;
}

function phoneLine(view: View, phone: FleetPhone): string {
  return `${quote(nameOf(phone))}: ${problemText(view, phone)}`;
}

const PROBLEM_ORDER = Object.keys(PROBLEM_WORDS);

/** Puts the costliest first, then what has lasted longest. */
function worstFirst(phones: readonly FleetPhone[]): readonly FleetPhone[] {
  const rank = ({ problem }: FleetPhone) => PROBLEM_ORDER.indexOf(problem ?? '') + (problem ? 0 : 100);
  const since = ({ problemSince = '' }: FleetPhone) => problemSince;
  return phones.toSorted((a, b) => rank(a) - rank(b) || (since(a) < since(b) ? -1 : 1));
}

/** Answers /silent: causes, then phones that none explains, with a button for each of the first ones. */
export function silentAnswer(view: View): Answer {
  const { fleet, time } = view;
  const { state, text: age, asOf } = trustOf(view);
  const silent = worstFirst(fleet.phones.filter(isSilent));
  const alone = silent.filter(({ cause }) => cause === undefined);
  const lines = [
    ...fleet.causes.map((cause) => causeTitle({ ...cause, value: quote(cause.value) }, time(cause.since))),
    ...alone.map((phone) => phoneLine(view, phone)),
  ];
  if (lines.length === 0 && state === 'expired') return { text: `Silent: unknown.\n${age}` };
  if (lines.length === 0) return { text: `${asOf}no phone is silent.\n${age}` };
  const targets: readonly Target[] = [
    ...fleet.causes.map(({ id, kind, value }): Target => {
      const devices = silent.filter(({ cause }) => cause === id).map((phone) => phone.id);
      return { name: value, scope: kind === 'group' ? { groups: [value] } : { devices } };
    }),
    ...alone.map((phone): Target => ({ name: nameOf(phone), scope: { devices: [phone.id] } })),
  ];
  const buttons = targets.map((target): Button => {
    const word: Word = { target, lasts: undefined, reason: '' };
    return { label: `I am on it: ${target.name}`, action: { does: 'askStart', word } };
  });
  return {
    text: `${asOf}${listText(lines)}\n${age}`,
    buttons: fleet.exporter.allowsMaintenance ? buttons.slice(0, MAX_BUTTONS) : [],
  };
}

/** Answers /phone with what is known of one phone. */
export function phoneAnswer(view: View, id: string, month = ''): Answer {
  const { fleet, time } = view;
  const phone = fleet.phones.find((each) => each.id === id);
  if (phone === undefined) return { text: `It is not in the device list.\n${trustOf(view).text}` };
  const { brand, model, problem, rentalStatus, rentalStatusBeginSeen, marketplaceStatus } = phone;
  const beat =
    phone.lastHeartbeatAt === undefined
      ? 'Last heartbeat: none'
      : `Last heartbeat ${time(phone.lastHeartbeatAt)}`;
  const lines = [
    `${quote(nameOf(phone))} ${[brand, model].some(Boolean) ? quote(`${brand} ${model}`) : ''}`.trim(),
    problemText(view, phone),
    `${beat}, silent after ${durationText(phone.silenceLimitSeconds)}`,
    `${statusText(rentalStatus)} ${rentalStatusBeginSeen ? 'since' : 'since before'} ${time(phone.rentalStatusSince)}, ${statusText(marketplaceStatus)}`,
    ...(phone.absent ? ['The last device list lacked it'] : []),
    ...(problem === undefined ? [] : [PROBLEM_WORDS[problem].advice]),
    ...(month === '' ? [] : [month]),
    trustOf(view).text,
  ];
  return { text: lines.join('\n') };
}

/** Answers /rack with the phones of a group, those with a problem first. */
export function rackAnswer(view: View, group: string): Answer {
  const { text: age, asOf } = trustOf(view);
  const phones = view.fleet.phones.filter((phone) => phone.group === group);
  const online = phones.filter((phone) => phone.online).length;
  const sold = phones.filter(({ rentalStatus }) => rentalStatus === 'sold').length;
  const wrong = worstFirst(phones.filter(({ problem }) => problem !== undefined));
  const head = `${asOf}${quote(group)}: ${countText(phones.length, 'phone', 'phones')}, ${online} online, ${sold} sold`;
  return {
    text: [head, listText(wrong.map((phone) => phoneLine(view, phone))), age].filter(Boolean).join('\n'),
  };
}

/** Writes the balance of each account, and what it did since an earlier document. */
function balanceLines({ fleet, time }: View, before?: View): readonly string[] {
  return fleet.accounts.map(({ name, currency, balance, readings }) => {
    const { availableCents, pendingCents = 0 } = balance ?? {};
    if (availableCents === undefined) return `${quote(name)}: unknown, because the data is too old`;
    const earlier = before?.fleet.accounts.find((each) => each.name === name)?.balance?.availableCents;
    const change = availableCents - (earlier ?? 0);
    const moved = `${change < 0 ? '' : '+'}${moneyText(change, undefined)} since ${time(before?.now)}`;
    return [
      `${quote(name)}: ${moneyText(availableCents, currency)}`,
      ...(pendingCents === 0 ? [] : [`${moneyText(pendingCents, currency)} pending`]),
      ...(earlier === undefined ? [] : [moved]),
      ...(readings.balance.state === 'fresh' ? [] : [`as of ${time(readings.balance.lastSuccessAt)}`]),
    ].join(', ');
  });
}

export function balanceAnswer(view: View): Answer {
  return { text: listText(balanceLines(view)) };
}

/** Answers /incidents: what is open, then what ended within a day. */
export function incidentsAnswer(view: View): Answer {
  const { text: age, asOf } = trustOf(view);
  const lines = (isOpen: boolean): readonly string[] =>
    view.fleet.incidents
      .filter(({ endedAt }) => (endedAt === undefined) === isOpen)
      .map((each) => {
        const over = `, ${each.reasonText} ${view.time(each.endedAt)}`;
        return `• ${incidentText(view, each)}${isOpen ? '' : over}`;
      });
  const [open, ended] = [lines(true), lines(false)];
  return {
    text: [
      `${asOf}open: ${open.length === 0 ? 'nothing' : numberText(open.length)}`,
      ...(open.length === 0 ? [] : [listText(open, 10)]),
      `Ended within a day: ${ended.length === 0 ? 'nothing' : numberText(ended.length)}`,
      ...(ended.length === 0 ? [] : [listText(ended, 10)]),
      age,
    ].join('\n'),
  };
}

const NIGHT_MILLISECONDS = 12 * 3_600_000;

/** The morning line: as long on a bad night as on a good one. */
export function morningAnswer(view: View, before: View | undefined): Answer {
  const { fleet, now } = view;
  const trust = trustOf(view);
  const told = fleet.incidents.filter(({ openedAt = '' }) => now - Date.parse(openedAt) < NIGHT_MILLISECONDS);
  const over = told.filter(({ endedAt }) => endedAt !== undefined).length;
  const [worst] = told.toSorted((one, other) => (other.phones ?? 1) - (one.phones ?? 1));
  const night = worst
    ? `${told.length} told, ${over} over. ${incidentText(view, worst)}`
    : 'nothing was told';
  const totals = totalsOf(view);
  const phones =
    totals && `${numberText(totals.sold)} of ${countText(totals.phones, 'phone', 'phones')} sold`;
  return {
    text: [
      `Good morning. In the night: ${night}.`,
      `Needs you: ${needText(view, trust)}.`,
      `Away: ${awayText(view, trust)}. ${phones ?? 'Sold: unknown'}.`,
      `Balance: ${listText(balanceLines(view, before), 3, '; ')}.`,
      trust.text,
    ].join('\n'),
  };
}
