import {
  type FleetDocument,
  type FleetIncident,
  type FleetPhone,
  MONTH_DOCUMENT,
  parseDocument,
} from '../fleet/document.ts';
import { durationText, freshnessOf, parseTime } from '../fleet/freshness.ts';
import { causeTarget, type MaintenanceTarget } from '../fleet/maintenance.ts';
import { type GroupCount, indexPhones, isSilent, sumTotals } from '../fleet/phones.ts';
import { visitsOf } from '../fleet/visits.ts';
import {
  causeTitle,
  countText,
  incidentTitle,
  listText,
  moneyText,
  numberText,
  PROBLEM_WORDS,
  statusText as wordsOf,
} from '../fleet/words.ts';
import { MONTH_TIMES } from '../model/month.ts';
import { HOUR } from '../model/time.ts';
import type { ExporterAnswer, View } from './exporter.ts';
import { findLeft, nameIn, targetOf } from './find.ts';

/*
 * The answers as texts: functions of the document and the time. The fleet page uses the same words and the same order.
 */

/** Marks a text that others wrote, such as a label. `messageOf` shows it as it is. */
export function quote(text: string): string {
  return `\uE000${text.replace(/[\uE000\uE001\s]/g, ' ').trim() || 'without a name'}\uE001`;
}

/** The age of the data: fresh data says what holds now, held data what held at `asOf`, expired data nothing. */
type Trust = { readonly state: 'fresh' | 'held' | 'expired'; readonly text: string; readonly asOf: string };

function trustOf({ fleet, now, time }: View): Trust {
  const connection = { lastResponseAt: now, failure: undefined, failingSince: undefined };
  const format = { brief: time, full: time, zone: () => '' };
  const { learnedAt, notices } = freshnessOf(fleet, connection, now, format);
  const devices = fleet.accounts.map(({ readings }) => readings.devices);
  const age = learnedAt === undefined ? Number.POSITIVE_INFINITY : (now - learnedAt) / 1000;
  const isExpired = learnedAt === undefined || devices.some(({ state }) => state === 'expired');
  const isLate = age > 3 * fleet.exporter.pollIntervalSeconds + 60;
  // What is wrong with phones does not depend on the balance.
  const isTrusted = notices.every(({ about }) => about === 'balance');
  const isFresh = devices.every(({ state }) => state === 'fresh') && isTrusted && !isLate;
  const why = [
    ...notices.map(({ title }) => title),
    ...devices.flatMap(({ failureText }) => failureText?.replace(/\.$/, '') ?? []),
  ];
  const old = learnedAt === undefined ? 'none yet' : `${durationText(age)} old`;
  return {
    state: isExpired ? 'expired' : isFresh ? 'fresh' : 'held',
    text: [old, ...new Set(why)].join('. '),
    asOf: isFresh ? '' : `At ${time(learnedAt)}: `,
  };
}

/** Narrows a view to some accounts. */
function viewOf(view: View, accounts: FleetDocument['accounts']): View {
  const names = new Set(accounts.map(({ name }) => name));
  const own = ({ account }: { readonly account: string }) => names.has(account);
  const { phones, incidents, causes } = view.fleet;
  const ownPhones = phones.filter(own);
  const causeIds = new Set(ownPhones.map(({ cause }) => cause));
  return {
    ...view,
    fleet: {
      ...view.fleet,
      accounts,
      phones: ownPhones,
      incidents: incidents.filter(own),
      causes: causes.filter(({ id }) => causeIds.has(id)),
    },
  };
}

/** Accounts whose data has one age. `names` is empty where all accounts have it. */
type AccountsView = View & { readonly trust: Trust; readonly names: string };

/** Separates accounts with fresh data from the others. A refused key of one account does not make the others old. */
function partsOf(view: View): readonly AccountsView[] {
  const { accounts } = view.fleet;
  const isFresh = (account: FleetDocument['accounts'][number]): boolean =>
    trustOf({ ...view, fleet: { ...view.fleet, accounts: [account] } }).state === 'fresh';
  const fresh = new Set(accounts.filter(isFresh));
  const groups = [[...fresh], accounts.filter((each) => !fresh.has(each))];
  const some = groups.filter((group) => group.length > 0);
  if (some.length < 2) return [{ ...view, trust: trustOf(view), names: '' }];
  return some.map((group) => {
    const part = viewOf(view, group);
    const names = listText(
      group.map(({ name }) => quote(name)),
      3,
      ', ',
    );
    return { ...part, trust: trustOf(part), names: `${names}: ` };
  });
}

const join = (parts: readonly AccountsView[], textOf: (part: AccountsView) => string) =>
  parts.map((part) => part.names + textOf(part)).join('; ');

const dataText = (parts: readonly AccountsView[]): string =>
  `Data: ${join(parts, ({ trust }) => trust.text)}.`;

/** Writes an incident: its title, its subject and its begin. */
function incidentText({ fleet, time }: View, incident: FleetIncident): string {
  const { account, phone, label, kind, value, phones, soldPhones = 0, since } = incident;
  const name = phone === undefined ? kind && value : label || phone;
  const subject = quote(name === undefined ? account : nameIn(fleet, name, account));
  const sold = soldPhones === 0 ? '' : `, ${numberText(soldPhones)} sold`;
  const many = phones === undefined ? '' : ` (${countText(phones, 'phone', 'phones')}${sold})`;
  return `${incidentTitle(incident)}: ${subject}${many} since ${time(since)}`;
}

const soldSilentOf = ({ fleet: { accounts } }: View): number =>
  accounts.reduce((sum, { totals }) => sum + (totals?.problems.sold_silent ?? 0), 0);

/** Lists open incidents, the worst first. Only fresh data without one says that nothing needs the owner. */
function needText(part: AccountsView): string {
  const { state, asOf } = part.trust;
  const rank = ({ severity, phones = 1 }: FleetIncident) => phones + (severity === 'critical' ? 1e6 : 0);
  const open = part.fleet.incidents
    .filter(({ endedAt, severity }) => endedAt === undefined && severity !== 'info')
    .toSorted((one, other) => rank(other) - rank(one))
    .map((incident) => incidentText(part, incident));
  if (open.length > 0) return `${asOf}${listText(open, 3, '; ')}`;
  if (state === 'expired') return 'unknown, because the data is too old';
  if (state === 'held') return `${asOf}nothing needed you. Since then nobody knows`;
  const silent = soldSilentOf(part);
  return silent === 0 ? 'nothing' : `${numberText(silent)} sold and silent, told if it lasts`;
}

function awayText(part: AccountsView): string {
  const { phones, online, inMaintenance, accounts: known } = sumTotals(part.fleet.accounts);
  if (known === 0 || known < part.fleet.accounts.length) return 'unknown, because the data is too old';
  const silent = soldSilentOf(part);
  const counts = [
    `${numberText(phones - online - inMaintenance)} of ${countText(phones, 'phone', 'phones')}`,
    ...(silent > 0 ? [`${numberText(silent)} sold and silent`] : []),
    ...(inMaintenance > 0 ? [`${numberText(inMaintenance)} in maintenance`] : []),
  ];
  return part.trust.asOf + counts.join(', ');
}

/** Answers /status in three lines. */
export function statusText(view: View): string {
  const parts = partsOf(view);
  return `Needs you: ${join(parts, needText)}.\nAway: ${join(parts, awayText)}.\n${dataText(parts)}`;
}

function problemText({ time, now }: View, { asOf, state }: Trust, phone: FleetPhone): string {
  const { problem, problemSince } = phone;
  if (problem === undefined)
    return state === 'fresh' ? 'Nothing is wrong' : `${asOf}nothing was wrong. Since then nobody knows`;
  const since = parseTime(problemSince);
  const age = since === undefined ? '' : ` (${durationText((now - since) / 1000)})`;
  return `${PROBLEM_WORDS[problem].title} since ${time(problemSince)}${age}`;
}

/** Answers /silent with the places to go to: common causes, and single phones. */
export function silentAnswer(view: View): {
  readonly text: string;
  readonly targets: readonly MaintenanceTarget[];
} {
  const { fleet, time } = view;
  const placesOf = ({ trust, fleet: { causes, phones } }: AccountsView) =>
    visitsOf({ causes }, indexPhones(phones.filter(isSilent)).entries).flatMap(({ cause, entries }) =>
      cause === undefined
        ? entries.map((entry) => {
            const target = targetOf(fleet, entry);
            return { line: `${quote(target.title)}: ${problemText(view, trust, entry.phone)}`, target };
          })
        : {
            line: causeTitle({ ...cause, value: quote(cause.value) }, time(cause.since)),
            target: causeTarget(cause, phones),
          },
    );
  const parts = partsOf(view).map((part) => ({ ...part, places: placesOf(part) }));
  const lines = parts.map(({ trust: { state, asOf }, names, places }) => {
    if (places.length > 0) return `${names}${asOf}${listText(places.map(({ line }) => line))}`;
    return state === 'expired' ? `${names || 'Silent: '}unknown.` : `${names}${asOf}no phone is silent.`;
  });
  const worked = fleet.maintenance.reduce((sum, { silentPhones }) => sum + silentPhones, 0);
  const maintained = worked === 0 ? [] : [`In maintenance: ${numberText(worked)} silent.`];
  return {
    text: [...lines, ...maintained, dataText(parts)].join('\n'),
    targets: parts.flatMap(({ places }) => places.map(({ target }) => target)),
  };
}

/** Answers /phone: the facts of one phone, and its month. */
export function phoneText(view: View, { account, id }: FleetPhone, month: string): string {
  const own = viewOf(
    view,
    view.fleet.accounts.filter(({ name }) => name === account),
  );
  const trust = trustOf(own);
  const age = `Data: ${trust.text}.`;
  const phone = own.fleet.phones.find((each) => each.id === id);
  if (phone === undefined) return `It is not in the device list.\n${age}`;
  const twins = indexPhones(own.fleet.phones.filter(({ label }) => label === phone.label)).entries;
  const unique = twins.find((each) => each.phone === phone)?.name ?? id;
  const { brand, model, problem, rentalStatusBeginSeen, lastHeartbeatAt } = phone;
  const { time } = view;
  const device = `${brand} ${model}`.trim();
  const name = quote(nameIn(view.fleet, unique, account));
  const lines = [
    device === '' ? name : `${name} ${quote(device)}`,
    problemText(view, trust, phone),
    `Last heartbeat${lastHeartbeatAt === undefined ? ': none' : ` ${time(lastHeartbeatAt)}`}, silent after ${durationText(phone.silenceLimitSeconds)}`,
    `${wordsOf(phone.rentalStatus)} ${rentalStatusBeginSeen ? 'since' : 'since before'} ${time(phone.rentalStatusSince)}, ${wordsOf(phone.marketplaceStatus)}`,
    phone.absent ? 'The last device list lacked it' : '',
    problem === undefined ? '' : PROBLEM_WORDS[problem].advice,
    month,
    age,
  ];
  return lines.filter(Boolean).join('\n');
}

/** Answers a word that fits no listed phone: it may be one that left. */
export function absentText(view: View, word: string): string {
  const left = findLeft(view.fleet, word);
  if (left === undefined) {
    const parts = partsOf(view);
    const isFresh = parts.every(({ trust }) => trust.state === 'fresh');
    return `Nothing fits ${quote(word)}.${isFresh ? '' : `\n${dataText(parts)}`}`;
  }
  const name = quote(nameIn(view.fleet, left.label || left.id, left.account));
  return `${name} left the device list, and was last in it ${view.time(left.lastListedAt)}.`;
}

/** Answers /rack with the phones of a group that have a problem. */
export function rackText(view: View, { account, group }: GroupCount): string {
  const own = viewOf(
    view,
    view.fleet.accounts.filter(({ name }) => name === account),
  );
  const trust = trustOf(own);
  const phones = own.fleet.phones.filter((phone) => phone.group === group);
  const online = phones.filter((phone) => phone.online).length;
  const sold = phones.filter(({ rentalStatus }) => rentalStatus === 'sold').length;
  const wrong = indexPhones(phones)
    .ordered('problem', false)
    .filter(({ phone: { problem } }) => problem !== undefined)
    .map(({ name, phone }) => `${quote(name)}: ${problemText(view, trust, phone)}`);
  const name = quote(nameIn(view.fleet, group, account));
  const head = `${trust.asOf}${name}: ${countText(phones.length, 'phone', 'phones')}, ${online} online, ${sold} sold`;
  return [head, listText(wrong), `Data: ${trust.text}.`].filter(Boolean).join('\n');
}

/** Writes the balance of each account, and its change since an earlier document. */
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

/** Answers /incidents: open ones, then those that ended within a day. */
export function incidentsText(view: View): string {
  const parts = partsOf(view);
  // Accounts of several ages have no common time; each incident has its own.
  const asOf = parts.length > 1 ? '' : (parts[0]?.trust.asOf ?? '');
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
  return [`${asOf}${part('open', open)}`, part('Ended within a day', ended), dataText(parts)].join('\n');
}

/** Writes the hours of one phone, or of all phones. The text of a phone without a month is empty. */
export function monthText({ status, content }: ExporterAnswer, phone?: FleetPhone): string {
  const month = status === 200 ? parseDocument(MONTH_DOCUMENT, content) : undefined;
  if (month === undefined) {
    if (phone !== undefined) return '';
    if (status === 404) return 'This exporter has no months.';
    return `The exporter answers with status ${status} and ${status === 200 ? 'a month of another form' : quote(content.slice(0, 200))}.`;
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

const NIGHT_MILLISECONDS = 12 * HOUR;

/** Writes the morning line. A bad night makes it no longer. */
export function morningText(view: View, before: View | undefined): string {
  const { fleet, now } = view;
  const parts = partsOf(view);
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
    `Needs you: ${join(parts, needText)}.`,
    `Away: ${join(parts, awayText)}. ${isKnown ? soldText : 'Sold: unknown'}.`,
    `Balance: ${listText(balanceLines(view, before), 3, '; ')}.`,
    dataText(parts),
  ].join('\n');
}
