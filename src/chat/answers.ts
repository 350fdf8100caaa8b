import { createInstantFormat, durationText, freshnessOf, parseTime } from '../fleet-page/freshness.ts';
import { type GroupCount, indexPhones, isSilent, type PhoneEntry, sumTotals } from '../fleet-page/view.ts';
import { causeTarget, type MaintenanceTarget, phoneTarget, visitsOf } from '../fleet-page/visit.ts';
import {
  causeTitle,
  countText,
  incidentTitle,
  moneyText,
  numberText,
  PROBLEM_WORDS,
  statusText as wordsOf,
} from '../fleet-page/words.ts';
import type { FleetDocument, FleetIncident, FleetPhone } from '../http/fleet-document.ts';
import { isMonthDocument, MONTH_TIMES } from '../model/month.ts';
import { parseJson } from '../model/text.ts';
import type { ExporterAnswer } from './exporter.ts';
import { groupName } from './find.ts';

/*
 * The answers as texts. They are functions of the document and the time, and send nothing. What is wrong, and in which
 * order, the fleet page says as well: by the same functions.
 */

/** The fleet as the exporter has just answered, and how to write instants for its owner. */
export type View = {
  readonly fleet: FleetDocument;
  /** By the clock of the exporter, in milliseconds since 1970. */
  readonly now: number;
  /** Writes an instant in the owner's zone: `04:12` today, else `20 Nov 04:12`. */
  readonly time: (instant: number | string | undefined) => string;
};

export function timeIn(timeZone: string, now: number): View['time'] {
  const { brief } = createInstantFormat(timeZone);
  return (instant) => {
    const at = typeof instant === 'string' ? parseTime(instant) : instant;
    return at === undefined ? 'an unknown time' : brief(at, now).replace(/^(\d\d:\d\d):\d\d$/, '$1');
  };
}

/** Marks a text of others, such as a label, which is then shown as it is: see `messageOf`. */
export function quote(text: string): string {
  return `\uE000${text.replace(/[\uE000\uE001\s]/g, ' ').trim() || 'without a name'}\uE001`;
}

/** Writes the first entries, and how many more there are. */
function listText(entries: readonly string[], most = 20, separator = '\n'): string {
  const rest = entries.length - most;
  return [...entries.slice(0, most), ...(rest > 0 ? [`and ${numberText(rest)} more`] : [])].join(separator);
}

/** What the age of the data allows to say: all of it, what held at an earlier time, or nothing. */
type Trust = { readonly state: 'fresh' | 'held' | 'expired'; readonly text: string; readonly asOf: string };

function trustOf({ fleet, now, time }: View): Trust {
  const connection = { lastResponseAt: now, failure: undefined, failingSince: undefined };
  const format = { brief: time, full: time, zone: () => '' };
  const { learnedAt = Number.NEGATIVE_INFINITY, notices } = freshnessOf(fleet, connection, now, format);
  const devices = fleet.accounts.map(({ readings }) => readings.devices);
  const age = (now - learnedAt) / 1000;
  const isExpired = age === Number.POSITIVE_INFINITY || devices.some(({ state }) => state === 'expired');
  const isLate = age > 3 * fleet.exporter.pollIntervalSeconds + 60;
  const isFresh = devices.every(({ state }) => state === 'fresh') && notices.length === 0 && !isLate;
  const why = [
    ...notices.map(({ title }) => title),
    ...devices.flatMap(({ failureText }) => failureText ?? []),
  ];
  const old = learnedAt > 0 ? `${durationText(age)} old` : 'none yet';
  return {
    state: isExpired ? 'expired' : isFresh ? 'fresh' : 'held',
    text: `Data: ${[old, ...new Set(why)].join('. ').replace(/\.$/, '')}.`,
    asOf: isFresh ? '' : `At ${time(learnedAt > 0 ? learnedAt : undefined)}: `,
  };
}

/** Says what an incident is about. */
function incidentText({ time }: View, incident: FleetIncident): string {
  const { account, phone, label, kind, value, phones, soldPhones = 0, since } = incident;
  const subject = quote(phone === undefined ? ((kind && value) ?? account) : label || phone);
  const sold = soldPhones === 0 ? '' : `, ${numberText(soldPhones)} sold`;
  const many = phones === undefined ? '' : ` (${countText(phones, 'phone', 'phones')}${sold})`;
  return `${incidentTitle(incident)}: ${subject}${many} since ${time(since)}`;
}

/** Says what needs the owner, the worst first. Without an incident, only fresh data says that nothing does. */
function needText(view: View, { state, asOf }: Trust): string {
  const rank = ({ severity, phones = 1 }: FleetIncident) => phones + (severity === 'critical' ? 1e6 : 0);
  const open = view.fleet.incidents
    .filter(({ endedAt, severity }) => endedAt === undefined && severity !== 'info')
    .toSorted((one, other) => rank(other) - rank(one))
    .map((incident) => incidentText(view, incident));
  if (open.length > 0) return `${asOf}${listText(open, 3, '; ')}`;
  if (state === 'expired') return 'unknown, because the data is too old';
  return state === 'held' ? `${asOf}nothing was open. Since then nobody knows` : 'nothing';
}

function awayText({ fleet: { accounts } }: View, { asOf }: Trust): string {
  const { phones, online, inMaintenance, accounts: known } = sumTotals(accounts);
  if (known === 0 || known < accounts.length) return 'unknown, because the data is too old';
  const silent = accounts.reduce((sum, { totals }) => sum + (totals?.problems.sold_silent ?? 0), 0);
  const parts = [
    `${numberText(phones - online)} of ${countText(phones, 'phone', 'phones')}`,
    ...(silent > 0 ? [`${numberText(silent)} sold and silent`] : []),
    ...(inMaintenance > 0 ? [`${numberText(inMaintenance)} in maintenance`] : []),
  ];
  return asOf + parts.join(', ');
}

/** Answers /status in three lines. */
export function statusText(view: View): string {
  const trust = trustOf(view);
  return `Needs you: ${needText(view, trust)}.\nAway: ${awayText(view, trust)}.\n${trust.text}`;
}

function problemText({ time, now }: View, { phone: { problem, problemSince } }: PhoneEntry): string {
  if (problem === undefined) return 'Nothing is wrong';
  const since = parseTime(problemSince);
  const age = since === undefined ? '' : ` (${durationText((now - since) / 1000)})`;
  return `${PROBLEM_WORDS[problem].title} since ${time(since)}${age}`;
}

const phoneLine = (view: View, entry: PhoneEntry) => `${quote(entry.name)}: ${problemText(view, entry)}`;

/** Answers /silent with the places to go to: what silent phones have in common, and phones alone. */
export function silentAnswer(view: View): {
  readonly text: string;
  readonly targets: readonly MaintenanceTarget[];
} {
  const { fleet, time } = view;
  const { state, text: age, asOf } = trustOf(view);
  const places = visitsOf(fleet, indexPhones(fleet.phones.filter(isSilent)).entries).flatMap(
    ({ cause, entries }) =>
      cause === undefined
        ? entries.map((entry) => ({ line: phoneLine(view, entry), target: phoneTarget(entry) }))
        : {
            line: causeTitle({ ...cause, value: quote(cause.value) }, time(cause.since)),
            target: causeTarget(cause, fleet.phones),
          },
  );
  const none = state === 'expired' ? 'Silent: unknown.' : `${asOf}no phone is silent.`;
  const list = places.length === 0 ? none : asOf + listText(places.map(({ line }) => line));
  return { text: `${list}\n${age}`, targets: places.map(({ target }) => target) };
}

/** Answers /phone with what is known of one phone, and its month. */
export function phoneText(view: View, entry: PhoneEntry | undefined, month: string): string {
  const { text: age } = trustOf(view);
  if (entry === undefined) return `It is not in the device list.\n${age}`;
  const { phone, name } = entry;
  const { brand, model, problem, rentalStatusBeginSeen, lastHeartbeatAt } = phone;
  const { time } = view;
  const lines = [
    [name, `${brand} ${model}`]
      .filter((text) => text.trim() !== '')
      .map(quote)
      .join(' '),
    problemText(view, entry),
    `Last heartbeat${lastHeartbeatAt === undefined ? ': none' : ` ${time(lastHeartbeatAt)}`}, silent after ${durationText(phone.silenceLimitSeconds)}`,
    `${wordsOf(phone.rentalStatus)} ${rentalStatusBeginSeen ? 'since' : 'since before'} ${time(phone.rentalStatusSince)}, ${wordsOf(phone.marketplaceStatus)}`,
    phone.absent ? 'The last device list lacked it' : '',
    problem === undefined ? '' : PROBLEM_WORDS[problem].advice,
    month,
    age,
  ];
  return lines.filter(Boolean).join('\n');
}

/** Answers /rack with the phones of a group that have a problem. */
export function rackText(view: View, rack: GroupCount): string {
  const { text: age, asOf } = trustOf(view);
  const phones = view.fleet.phones.filter(
    ({ account, group }) => account === rack.account && group === rack.group,
  );
  const online = phones.filter((phone) => phone.online).length;
  const sold = phones.filter(({ rentalStatus }) => rentalStatus === 'sold').length;
  const wrong = indexPhones(phones)
    .ordered('problem', false)
    .filter(({ phone: { problem } }) => problem !== undefined)
    .map((entry) => phoneLine(view, entry));
  const name = quote(groupName(view.fleet, rack));
  const head = `${asOf}${name}: ${countText(phones.length, 'phone', 'phones')}, ${online} online, ${sold} sold`;
  return [head, listText(wrong), age].filter(Boolean).join('\n');
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

export function balanceText(view: View): string {
  return listText(balanceLines(view));
}

/** Answers /incidents: what is open, then what ended within a day. */
export function incidentsText(view: View): string {
  const { text: age, asOf } = trustOf(view);
  const { incidents } = view.fleet;
  const open = incidents.filter(({ endedAt }) => endedAt === undefined);
  const ended = incidents.filter(({ endedAt }) => endedAt !== undefined);
  const part = (title: string, list: readonly FleetIncident[]): string => {
    const lines = list.map((each) => {
      const over = each.endedAt === undefined ? '' : `, ${each.reasonText} ${view.time(each.endedAt)}`;
      return `• ${incidentText(view, each)}${over}`;
    });
    const count = list.length === 0 ? 'nothing' : numberText(list.length);
    return [`${title}: ${count}`, listText(lines, 10)].filter(Boolean).join('\n');
  };
  return [`${asOf}${part('open', open)}`, part('Ended within a day', ended), age].join('\n');
}

/** Writes the hours of one phone, or of all. Empty for a phone of which the exporter has no month. */
export function monthText({ status, content }: ExporterAnswer, phone?: FleetPhone): string {
  const month = status === 200 ? parseJson(content) : undefined;
  if (!isMonthDocument(month)) {
    if (phone !== undefined) return '';
    return `This exporter has ${status === 200 ? 'months of another form' : 'no months'}.`;
  }
  const rows = month.rows.filter(
    ({ account, id }) => phone === undefined || (id === phone.id && account === phone.account),
  );
  const hours = MONTH_TIMES.flatMap((column) => {
    const seconds = rows.reduce((sum, row) => sum + row[column], 0);
    return seconds > 0 ? [`${column.replaceAll('_', ' ')} ${Math.round(seconds / 3600)} h`] : [];
  });
  return hours.length === 0 && phone !== undefined
    ? ''
    : `${month.month}: ${hours.join(', ') || 'nothing yet'}`;
}

const NIGHT_MILLISECONDS = 12 * 3_600_000;

/** The morning line: as long on a bad night as on a good one. */
export function morningText(view: View, before: View | undefined): string {
  const { fleet, now } = view;
  const trust = trustOf(view);
  const told = fleet.incidents.filter(({ openedAt = '' }) => now - Date.parse(openedAt) < NIGHT_MILLISECONDS);
  const over = told.filter(({ endedAt }) => endedAt !== undefined).length;
  const [worst] = told.toSorted((one, other) => (other.phones ?? 1) - (one.phones ?? 1));
  const night = worst
    ? `${told.length} told, ${over} over. ${incidentText(view, worst)}`
    : 'nothing was told';
  const { sold, phones, accounts } = sumTotals(fleet.accounts);
  const isKnown = accounts > 0 && accounts === fleet.accounts.length;
  const soldText = `${numberText(sold)} of ${countText(phones, 'phone', 'phones')} sold`;
  return [
    `Good morning. In the night: ${night}.`,
    `Needs you: ${needText(view, trust)}.`,
    `Away: ${awayText(view, trust)}. ${isKnown ? soldText : 'Sold: unknown'}.`,
    `Balance: ${listText(balanceLines(view, before), 3, '; ')}.`,
    trust.text,
  ].join('\n');
}
