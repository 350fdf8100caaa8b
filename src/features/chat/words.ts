import { nearest } from '../../config/messages.ts';
import { type ChatPart, quote } from '../../fleet/chat.ts';
import type { FleetIncident, FleetPhone } from '../../fleet/document.ts';
import { findLeft, nameIn, phonesOf, targetOf } from '../../fleet/find.ts';
import { durationText, parseTime } from '../../fleet/freshness.ts';
import { type GroupCount, indexPhones, isOffline, sumTotals } from '../../fleet/phones.ts';
import { causeTarget, type PhoneTarget } from '../../fleet/targets.ts';
import {
  type AccountsView,
  type FleetView,
  narrowed,
  partsOf,
  type Trust,
  trustOf,
} from '../../fleet/trust.ts';
import { visitsOf } from '../../fleet/visits.ts';
import {
  causeTitle,
  countText,
  incidentTitle,
  listText,
  moneyText,
  numberText,
  onItText,
  outOfServiceText,
  PROBLEM_WORDS,
  statusText as statusWords,
} from '../../fleet/words.ts';
import { isMuted, needsAttention } from '../../model/problem.ts';
import { HOUR } from '../../model/time.ts';

/*
 * The texts of the chat: functions of the document and the time. Words and order are those of the fleet page.
 */

/** Names the accounts of a part; '' for all accounts. */
const namesOf = ({ names }: AccountsView): string =>
  names.length === 0 ? '' : `${listText(names.map(quote), 3, ', ')}: `;

const join = (parts: readonly AccountsView[], textOf: (part: AccountsView) => string) =>
  parts.map((part) => namesOf(part) + textOf(part)).join('; ');

const dataText = (parts: readonly AccountsView[]): string =>
  `Data: ${join(parts, ({ trust }) => trust.text)}.`;

/** Writes an incident: its title, its subject and its start. */
function incidentText({ fleet, time }: FleetView, incident: FleetIncident): string {
  const { account, phone, label, kind, value, phones, soldPhones = 0, since } = incident;
  const name = phone === undefined ? kind && value : label || phone;
  const subject = quote(name === undefined ? account : nameIn(fleet, name, account));
  const sold = soldPhones === 0 ? '' : `, ${numberText(soldPhones)} sold`;
  const many = phones === undefined ? '' : ` (${countText(phones, 'phone', 'phones')}${sold})`;
  const onIt = onItText(incident, (at) => time(new Date(at).toISOString()));
  const who = onIt === undefined ? '' : ` (${quote(onIt)})`;
  return `${incidentTitle(incident)}: ${subject}${many} since ${time(since)}${who}`;
}

const UNKNOWN = 'unknown, because the data is too old';

const soldOfflineOf = ({ fleet: { accounts } }: FleetView): number =>
  accounts.reduce((sum, { totals }) => sum + (totals?.problems.sold_offline ?? 0), 0);

/** Lists open incidents, the worst first. Only fresh data without one proves that nothing needs attention. */
function needText(part: AccountsView): string {
  const { state, asOf } = part.trust;
  const rank = ({ severity, phones = 1 }: FleetIncident) => phones + (severity === 'critical' ? 1e6 : 0);
  const open = part.fleet.incidents
    .filter(({ endedAt, severity }) => endedAt === undefined && severity !== 'info')
    .toSorted((one, other) => rank(other) - rank(one))
    .map((incident) => incidentText(part, incident));
  if (open.length > 0) return `${asOf}${listText(open, 3, '; ', ': /incidents')}`;
  if (state === 'expired') return UNKNOWN;
  if (state === 'stale') return `${asOf}no problems. No data since then`;
  const offline = soldOfflineOf(part);
  return offline === 0 ? 'nothing' : `${numberText(offline)} sold and offline; you get a message if it lasts`;
}

function offlineText(part: AccountsView): string {
  const totals = sumTotals(part.fleet.accounts);
  const { phones, offline, accounts: known } = totals;
  if (known === 0 || known < part.fleet.accounts.length) return UNKNOWN;
  const soldOffline = soldOfflineOf(part);
  const counts = [
    `${numberText(offline)} of ${countText(phones, 'phone', 'phones')}`,
    ...(soldOffline > 0 ? [`${numberText(soldOffline)} of them sold`] : []),
    ...outOfServiceText(totals),
  ];
  return part.trust.asOf + counts.join(', ');
}

/** Returns the address of the page, opened at a part of it, as the last line; '' if the address is unknown. */
function linkLine({ fleet }: FleetView, part: Readonly<Record<string, string>> = {}): string {
  const { externalUrl } = fleet.exporter;
  const fragment = new URLSearchParams(part).toString();
  return externalUrl === undefined ? '' : `\n${externalUrl}${fragment && `#${fragment}`}`;
}

/** Answers /status in three lines. */
export function statusText(view: FleetView): string {
  const parts = partsOf(view);
  return `Needs attention: ${join(parts, needText)}.\nOffline: ${join(parts, offlineText)}.\n${dataText(parts)}${linkLine(view)}`;
}

function problemText(view: FleetView, { asOf, state }: Trust, phone: FleetPhone): string {
  const { problem, problemSince } = phone;
  if (problem === undefined)
    return state === 'fresh' ? 'No problems' : `${asOf}no problems. No data since then`;
  return `${PROBLEM_WORDS[problem].title} since ${sinceText(view, problemSince)}`;
}

/** Writes an instant and its age. */
function sinceText({ time, now }: FleetView, instant: string | undefined): string {
  const since = parseTime(instant);
  return `${time(instant)}${since === undefined ? '' : ` (${durationText((now - since) / 1000)})`}`;
}

/** Answers /offline: the common causes and single phones, of all phones or of those that a word matches. */
export function offlineAnswer(
  whole: FleetView,
  word = '',
): {
  readonly text: string;
  readonly targets: readonly PhoneTarget[];
} {
  const phones = word === '' ? whole.fleet.phones : phonesOf(whole.fleet, word);
  if (word !== '' && phones.length === 0) return { text: absentText(whole, word), targets: [] };
  const all = whole.fleet.accounts.map(({ name }) => name);
  const names = word === '' ? all : phones.map(({ account }) => account);
  const view = narrowed({ ...whole, fleet: { ...whole.fleet, phones } }, names);
  const { fleet } = whole;
  const placesOf = ({ trust, fleet: { accounts, causes, phones } }: AccountsView) =>
    visitsOf({ accounts, causes }, indexPhones(phones.filter(isOffline)).entries).flatMap(
      ({ cause, entries }) =>
        cause === undefined
          ? entries.map((entry) => {
              const target = targetOf(fleet, entry);
              return { line: `${quote(target.title)}: ${problemText(view, trust, entry.phone)}`, target };
            })
          : {
              line: causeTitle({ ...cause, value: quote(cause.value) }, sinceText(view, cause.since)),
              target: causeTarget(cause, phones),
            },
    );
  const parts = partsOf(view).map((part) => ({ ...part, places: placesOf(part) }));
  const lines = parts.map(({ places, ...part }) => {
    const { state, asOf } = part.trust;
    const names = namesOf(part);
    const found = places.map(({ line }) => line);
    if (found.length > 0) return `${names}${asOf}${listText(found, 20, '\n', MORE_OFFLINE)}`;
    return state === 'expired' ? `${names || 'Offline: '}unknown.` : `${names}${asOf}No phone is offline.`;
  });
  const covered = phones.filter(
    ({ problem, offlineAfterReason }) => isMuted(problem) && offlineAfterReason !== undefined,
  );
  const groups = [...new Set(covered.map(({ group }) => group).filter(Boolean))].map(quote);
  const rack = groups.length === 0 ? '' : ` in ${listText(groups, 3, ', ')} (see /rack)`;
  const maintained =
    covered.length === 0
      ? []
      : [`In maintenance: ${countText(covered.length, 'phone', 'phones')} offline${rack}.`];
  return {
    text: [...lines, ...maintained, dataText(parts)].join('\n'),
    targets: parts.flatMap(({ places }) => places.map(({ target }) => target)),
  };
}

const MORE_OFFLINE = ' (try /offline rack-03)';

/**
 * Answers /phone: the facts of one phone.
 *
 * @param parts features that may describe its problem
 * @param more lines of features about it
 */
export function phoneText(
  view: FleetView,
  { account, id }: FleetPhone,
  parts: readonly ChatPart[] = [],
  more: readonly string[] = [],
): string {
  const ofAccount = narrowed(view, [account]);
  const trust = trustOf(ofAccount);
  const age = `Data: ${trust.text}.`;
  const phone = ofAccount.fleet.phones.find((each) => each.id === id);
  if (phone === undefined) return `This phone is not in the device list.\n${age}`;
  const twins = indexPhones(ofAccount.fleet.phones.filter(({ label }) => label === phone.label)).entries;
  const unique = twins.find((each) => each.phone === phone)?.name ?? id;
  const { brand, model, problem, rentalStatusBeginSeen, lastHeartbeatAt } = phone;
  const { time } = view;
  const device = `${brand} ${model}`.trim();
  const name = quote(nameIn(view.fleet, unique, account));
  const lines = [
    device === '' ? name : `${name} ${quote(device)}`,
    parts.flatMap((part) => part.problem?.(ofAccount, phone) ?? [])[0] ?? problemText(view, trust, phone),
    `Last heartbeat${lastHeartbeatAt === undefined ? ': none' : ` ${time(lastHeartbeatAt)}`}, offline after ${durationText(phone.offlineAfterSeconds)}`,
    `${statusWords(phone.rentalStatus)} ${rentalStatusBeginSeen ? 'since' : 'since before'} ${time(phone.rentalStatusSince)}, ${statusWords(phone.marketplaceStatus)}`,
    phone.absent ? 'Missing from the last device list' : '',
    problem !== undefined && needsAttention(problem) ? PROBLEM_WORDS[problem].advice : '',
    ...more,
    age,
  ];
  return lines.filter(Boolean).join('\n') + linkLine(view, { phone: `${account}/${id}` });
}

/** Answers a word that matches no listed phone. It may match one that left the list. */
export function absentText(view: FleetView, word: string): string {
  const left = findLeft(view.fleet, word);
  if (left === undefined) {
    const parts = partsOf(view);
    const isFresh = parts.every(({ trust }) => trust.state === 'fresh');
    const { phones } = view.fleet;
    const near = nearest(word, [...new Set(phones.flatMap(({ group, label }) => [group, label]))]);
    const meant = near === undefined ? '' : ` Did you mean ${quote(near)}?`;
    return `No phone or group is called ${quote(word)}.${meant}${isFresh ? '' : `\n${dataText(parts)}`}`;
  }
  const name = quote(nameIn(view.fleet, left.label || left.id, left.account));
  return `${name} is no longer in the device list. Last seen: ${view.time(left.lastListedAt)}.`;
}

/** Answers /rack: the phones of a group with a problem, and lines of features. */
export function rackText(
  view: FleetView,
  { account, group }: GroupCount,
  parts: readonly ChatPart[] = [],
): string {
  const ofAccount = narrowed(view, [account]);
  const trust = trustOf(ofAccount);
  const phones = ofAccount.fleet.phones.filter((phone) => phone.group === group);
  const entries = indexPhones(phones);
  const online = phones.filter((phone) => phone.online).length;
  const sold = phones.filter(({ rentalStatus }) => rentalStatus === 'sold').length;
  const wrong = entries
    .ordered('problem', false)
    .filter(({ phone: { problem } }) => needsAttention(problem))
    .map(({ name, phone }) => `${quote(name)}: ${problemText(view, trust, phone)}`);
  const name = quote(nameIn(view.fleet, group, account));
  const head = `${trust.asOf}${name}: ${countText(phones.length, 'phone', 'phones')}, ${online} online, ${sold} sold`;
  const more = parts.flatMap((part) => part.group?.(view, entries.ordered('phone', false)) ?? []);
  const lines = [head, ...more, listText(wrong), `Data: ${trust.text}.`];
  return lines.filter(Boolean).join('\n') + linkLine(view, { group, account });
}

/** Writes the balance of each account and its change since an earlier document. */
function balanceLines({ fleet, time }: FleetView, before?: FleetView): readonly string[] {
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
      ...(readings.balance.state === 'fresh' ? [] : [`last update ${time(readings.balance.lastSuccessAt)}`]),
    ].join(', ');
  });
}

export function balanceText(view: FleetView): string {
  return listText(balanceLines(view));
}

/** Answers /incidents: open ones, then those resolved in the last 24 hours. */
export function incidentsText(view: FleetView): string {
  const parts = partsOf(view);
  const list = (title: string, incidents: readonly FleetIncident[], most = 10): string => {
    const lines = incidents.map((each) => {
      const resolved = each.endedAt === undefined ? '' : `, ${each.reasonText} ${view.time(each.endedAt)}`;
      return `• ${incidentText(view, each)}${resolved}`;
    });
    const count = incidents.length === 0 ? 'none' : numberText(incidents.length);
    return [`${title}: ${count}`, listText(lines, most)].filter(Boolean).join('\n');
  };
  const isOpen = ({ endedAt }: FleetIncident): boolean => endedAt === undefined;
  const open = parts.map((part) =>
    list(`${namesOf(part)}${part.trust.asOf}Open`, part.fleet.incidents.filter(isOpen)),
  );
  const ended = view.fleet.incidents.filter((each) => !isOpen(each));
  return [...open, list('Resolved in the last 24 hours', ended, 4), dataText(parts)].join('\n');
}

const NIGHT_MILLISECONDS = 12 * HOUR;

/** Writes the morning message. It has the same length after a bad night. */
export function morningText(view: FleetView, before: FleetView | undefined): string {
  const { fleet, now } = view;
  const parts = partsOf(view);
  const opened = fleet.incidents.filter(
    ({ openedAt = '' }) => now - Date.parse(openedAt) < NIGHT_MILLISECONDS,
  );
  // Open ones are in the next line.
  const resolved = opened.filter(({ endedAt }) => endedAt !== undefined);
  const [worst] = resolved.toSorted((one, other) => (other.phones ?? 1) - (one.phones ?? 1));
  const count =
    opened.length === 0
      ? 'no alerts'
      : `${countText(opened.length, 'alert', 'alerts')}, ${resolved.length} resolved`;
  const night = worst === undefined ? count : `${count}. ${incidentText(view, worst)}`;
  const { sold, phones, accounts } = sumTotals(fleet.accounts);
  const isKnown = accounts > 0 && accounts === fleet.accounts.length;
  const soldText = `${numberText(sold)} of ${countText(phones, 'phone', 'phones')} sold`;
  return [
    `Good morning. Overnight: ${night}.`,
    `Needs attention: ${join(parts, needText)}.`,
    `Offline: ${join(parts, offlineText)}. ${isKnown ? soldText : 'Sold: unknown'}.`,
    `Balance: ${listText(balanceLines(view, before), 3, '; ')}.`,
    dataText(parts),
  ].join('\n');
}

/** Texts that do not depend on the fleet. */
export const WORDS = {
  status: 'Problems, offline phones and the age of the data',
  offline: 'Offline phones: /offline, /offline rack-03',
  phone: 'One phone: /phone slot-04',
  rack: 'One group: /rack 03',
  balance: 'The balance',
  incidents: 'Alerts of the last 24 hours',
  answered: 'This button was already used.',
  tooOld: 'This button has expired. Send the command again.',
  which: 'Which one? Add a name or a part of it after the command.',
  late: 'Your earlier command arrived too late and was ignored. Send it again.',
  back: 'The exporter is responding again.',
  away: 'The exporter did not respond.',
  awaySince: (time: string) => `The exporter has not responded since ${time}.`,
  otherResponse: (status: number) => `The exporter responded with status ${status} and without fleet data.`,
  matches: (count: number, shown: number) =>
    `${countText(count, 'match', 'matches')}${count > shown ? `, the first ${shown} below. Type more of the name` : ''}.`,
  movedTo: (chat: number) => `This group now has the number ${chat}. ${WORDS.moved}.`,
  moved:
    'The group became a supergroup and is answered under its new number. Change the number in --chats, and chat_id in Alertmanager, whose alerts do not follow',
};
