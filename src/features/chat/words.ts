import { nearest } from '../../config/messages.ts';
import { type ChatPart, quote } from '../../fleet/chat.ts';
import type { FleetIncident, FleetPhone } from '../../fleet/document.ts';
import { findLeft, nameIn, phonesOf, targetOf } from '../../fleet/find.ts';
import { durationText, parseTime } from '../../fleet/freshness.ts';
import { type GroupCount, indexPhones, isOffline, sumTotals } from '../../fleet/phones.ts';
import { causeTarget, type PhoneTarget } from '../../fleet/targets.ts';
import { type FleetView, type Trust, trustOf } from '../../fleet/trust.ts';
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

const dataText = ({ text }: Trust): string => `Data: ${text}.`;

/** Writes an incident: its title, its subject and its start. */
function incidentText({ fleet, time }: FleetView, incident: FleetIncident): string {
  const { account, phone, label, kind, value, phones, soldPhones = 0, since } = incident;
  const name = phone === undefined ? kind && value : label || phone;
  const subject = quote(name === undefined ? account : nameIn(fleet, name, account));
  const sold = soldPhones === 0 ? '' : `, ${numberText(soldPhones)} sold`;
  const many = phones === undefined ? '' : ` (${countText(phones, 'phone', 'phones')}${sold})`;
  const onIt = onItText(incident, time);
  const who = onIt === undefined ? '' : ` (${quote(onIt)})`;
  return `${incidentTitle(incident)}: ${subject}${many} since ${time(since)}${who}`;
}

const UNKNOWN = 'unknown, because the data is too old';

const soldOfflineOf = ({ fleet: { accounts } }: FleetView): number =>
  accounts.reduce((sum, { totals }) => sum + (totals?.problems.sold_offline ?? 0), 0);

/** Lists open incidents, the worst first. Only fresh data without one proves that nothing needs attention. */
function needText(view: FleetView, { state, asOf }: Trust): string {
  const rank = ({ severity, phones = 1 }: FleetIncident) => phones + (severity === 'critical' ? 1e6 : 0);
  const open = view.fleet.incidents
    .filter(({ endedAt, severity }) => endedAt === undefined && severity !== 'info')
    .toSorted((one, other) => rank(other) - rank(one))
    .map((incident) => incidentText(view, incident));
  if (open.length > 0) return `${asOf}${listText(open, 3, '; ', ': /incidents')}`;
  if (state === 'expired') return UNKNOWN;
  if (state === 'stale') return `${asOf}no problems. No data since then`;
  const offline = soldOfflineOf(view);
  return offline === 0 ? 'nothing' : `${numberText(offline)} sold and offline; you get a message if it lasts`;
}

function offlineText(view: FleetView, { asOf }: Trust): string {
  const totals = sumTotals(view.fleet.accounts);
  const { phones, offline, accounts: known } = totals;
  if (known === 0) return UNKNOWN;
  const unknown = view.fleet.accounts.length - known;
  const soldOffline = soldOfflineOf(view);
  const counts = [
    `${numberText(offline)} of ${countText(phones, 'phone', 'phones')}`,
    ...(soldOffline > 0 ? [`${numberText(soldOffline)} of them sold`] : []),
    ...outOfServiceText(totals),
    ...(unknown > 0 ? [`${countText(unknown, 'account', 'accounts')} unknown`] : []),
  ];
  return asOf + counts.join(', ');
}

/** Returns the address of the page, opened at a part of it, as the last line; '' if the address is unknown. */
function linkLine({ fleet }: FleetView, part: Readonly<Record<string, string>> = {}): string {
  const { externalUrl } = fleet.exporter;
  const fragment = new URLSearchParams(part).toString();
  return externalUrl === undefined ? '' : `\n${externalUrl}${fragment && `#${fragment}`}`;
}

/** Answers /status in three lines. */
export function statusText(view: FleetView): string {
  const trust = trustOf(view);
  return `Needs attention: ${needText(view, trust)}.\nOffline: ${offlineText(view, trust)}.\n${dataText(trust)}${linkLine(view)}`;
}

function problemText(view: FleetView, { asOf, state }: Trust, phone: FleetPhone): string {
  const { problem, problemSince } = phone;
  if (problem === undefined)
    return state === 'fresh' ? 'No problems' : `${asOf}no problems. No data since then`;
  return `${PROBLEM_WORDS[problem].title} since ${sinceText(view, parseTime(problemSince))}`;
}

/** Writes an instant and its age. */
function sinceText({ time, now }: FleetView, since: number | undefined): string {
  return `${time(since)}${since === undefined ? '' : ` (${durationText((now - since) / 1000)})`}`;
}

/** Answers /offline: the common causes and single phones, of all phones or of those that a word matches. */
export function offlineAnswer(
  view: FleetView,
  word = '',
): {
  readonly text: string;
  readonly targets: readonly PhoneTarget[];
} {
  const { fleet } = view;
  const phones = word === '' ? fleet.phones : phonesOf(fleet, word);
  if (word !== '' && phones.length === 0) return { text: absentText(view, word), targets: [] };
  const trust =
    word === ''
      ? trustOf(view)
      : trustOf(
          view,
          phones.map(({ account }) => account),
        );
  const places = visitsOf(fleet, indexPhones(phones.filter(isOffline)).entries).flatMap(
    ({ cause, entries, since }) =>
      cause === undefined
        ? entries.map((entry) => {
            const target = targetOf(fleet, entry);
            return { line: `${quote(target.title)}: ${problemText(view, trust, entry.phone)}`, target };
          })
        : {
            line: causeTitle({ ...cause, value: quote(cause.value) }, sinceText(view, since)),
            target: causeTarget(cause, phones),
          },
  );
  const lines = places.map(({ line }) => line);
  const none = trust.state === 'expired' ? 'Offline: unknown.' : `${trust.asOf}No phone is offline.`;
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
    text: [
      lines.length === 0 ? none : `${trust.asOf}${listText(lines, 20, '\n', MORE_OFFLINE)}`,
      ...maintained,
      dataText(trust),
    ].join('\n'),
    targets: places.map(({ target }) => target),
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
  const trust = trustOf(view, [account]);
  const own = view.fleet.phones.filter((each) => each.account === account);
  const phone = own.find((each) => each.id === id);
  if (phone === undefined) return `This phone is not in the device list.\n${dataText(trust)}`;
  const twins = indexPhones(own.filter(({ label }) => label === phone.label)).entries;
  const unique = twins.find((each) => each.phone === phone)?.name ?? id;
  const { brand, model, problem, rentalStatusBeginSeen, lastHeartbeatAt } = phone;
  const { time } = view;
  const device = `${brand} ${model}`.trim();
  const name = quote(nameIn(view.fleet, unique, account));
  const lines = [
    device === '' ? name : `${name} ${quote(device)}`,
    parts.flatMap((part) => part.problem?.(view, phone) ?? [])[0] ?? problemText(view, trust, phone),
    `Last heartbeat${lastHeartbeatAt === undefined ? ': none' : ` ${time(lastHeartbeatAt)}`}, offline after ${durationText(phone.offlineAfterSeconds)}`,
    `${statusWords(phone.rentalStatus)} ${rentalStatusBeginSeen ? 'since' : 'since before'} ${time(phone.rentalStatusSince)}, ${statusWords(phone.marketplaceStatus)}`,
    phone.absent ? 'Missing from the last device list' : '',
    problem !== undefined && needsAttention(problem) ? PROBLEM_WORDS[problem].advice : '',
    ...more,
    dataText(trust),
  ];
  return lines.filter(Boolean).join('\n') + linkLine(view, { phone: `${account}/${id}` });
}

/** Answers a word that matches no listed phone. It may match one that left the list. */
export function absentText(view: FleetView, word: string): string {
  const left = findLeft(view.fleet, word);
  if (left === undefined) {
    const trust = trustOf(view);
    const { phones } = view.fleet;
    const near = nearest(word, [...new Set(phones.flatMap(({ group, label }) => [group, label]))]);
    const meant = near === undefined ? '' : ` Did you mean ${quote(near)}?`;
    return `No phone or group is called ${quote(word)}.${meant}${trust.state === 'fresh' ? '' : `\n${dataText(trust)}`}`;
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
  const trust = trustOf(view, [account]);
  const phones = view.fleet.phones.filter((each) => each.account === account && each.group === group);
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
  const lines = [head, ...more, listText(wrong), dataText(trust)];
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
  const trust = trustOf(view);
  const list = (title: string, incidents: readonly FleetIncident[], most = 10): string => {
    const lines = incidents.map((each) => {
      const resolved = each.endedAt === undefined ? '' : `, ${each.reasonText} ${view.time(each.endedAt)}`;
      return `• ${incidentText(view, each)}${resolved}`;
    });
    const count = incidents.length === 0 ? 'none' : numberText(incidents.length);
    return [`${title}: ${count}`, listText(lines, most)].filter(Boolean).join('\n');
  };
  const open = view.fleet.incidents.filter(({ endedAt }) => endedAt === undefined);
  const ended = view.fleet.incidents.filter(({ endedAt }) => endedAt !== undefined);
  return [
    list(`${trust.asOf}Open`, open),
    list('Resolved in the last 24 hours', ended, 4),
    dataText(trust),
  ].join('\n');
}

const NIGHT_MILLISECONDS = 12 * HOUR;

/** Writes the morning message. It has the same length after a bad night. */
export function morningText(view: FleetView, before: FleetView | undefined): string {
  const { fleet, now } = view;
  const trust = trustOf(view);
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
    `Needs attention: ${needText(view, trust)}.`,
    `Offline: ${offlineText(view, trust)}. ${isKnown ? soldText : 'Sold: unknown'}.`,
    `Balance: ${listText(balanceLines(view, before), 3, '; ')}.`,
    dataText(trust),
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
