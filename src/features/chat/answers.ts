import { nearest } from '../../config/messages.ts';
import type { FleetIncident, FleetPhone } from '../../fleet/document.ts';
import { findLeft, nameIn, phonesOf, targetOf } from '../../fleet/find.ts';
import { durationText, parseTime } from '../../fleet/freshness.ts';
import { type GroupCount, indexPhones, isOffline, sumTotals } from '../../fleet/phones.ts';
import { quote, type TalkPart } from '../../fleet/talk.ts';
import { causeTarget, type Target } from '../../fleet/targets.ts';
import { type AccountsView, narrowed, partsOf, type Trust, trustOf, type View } from '../../fleet/trust.ts';
import { visitsOf } from '../../fleet/visits.ts';
import {
  causeTitle,
  countText,
  incidentTitle,
  listText,
  moneyText,
  numberText,
  PROBLEM_WORDS,
  statusText as statusWords,
  workText,
} from '../../fleet/words.ts';
import { isMuted, needsAttention } from '../../model/problem.ts';
import { HOUR } from '../../model/time.ts';

/*
 * The answers as texts: functions of the document and the time. The fleet page uses the same words and the same order.
 */

/** Names the accounts of a part; nothing for all accounts. */
const namesOf = ({ names }: AccountsView): string =>
  names.length === 0 ? '' : `${listText(names.map(quote), 3, ', ')}: `;

const join = (parts: readonly AccountsView[], textOf: (part: AccountsView) => string) =>
  parts.map((part) => namesOf(part) + textOf(part)).join('; ');

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

const soldOfflineOf = ({ fleet: { accounts } }: View): number =>
  accounts.reduce((sum, { totals }) => sum + (totals?.problems.sold_offline ?? 0), 0);

/** Lists open incidents, the worst first. Only fresh data without one says that nothing needs the owner. */
function needText(part: AccountsView): string {
  const { state, asOf } = part.trust;
  const rank = ({ severity, phones = 1 }: FleetIncident) => phones + (severity === 'critical' ? 1e6 : 0);
  const open = part.fleet.incidents
    .filter(({ endedAt, severity }) => endedAt === undefined && severity !== 'info')
    .toSorted((one, other) => rank(other) - rank(one))
    .map((incident) => incidentText(part, incident));
  if (open.length > 0) return `${asOf}${listText(open, 3, '; ', ': /incidents')}`;
  if (state === 'expired') return 'unknown, because the data is too old';
  if (state === 'stale') return `${asOf}nothing needed you. Since then nobody knows`;
  const offline = soldOfflineOf(part);
  return offline === 0 ? 'nothing' : `${numberText(offline)} sold and offline, told if it lasts`;
}

function offlineText(part: AccountsView): string {
  const { phones, online, workedOn, accounts: known } = sumTotals(part.fleet.accounts);
  if (known === 0 || known < part.fleet.accounts.length) return 'unknown, because the data is too old';
  const offline = soldOfflineOf(part);
  const counts = [
    `${numberText(phones - online - workedOn)} of ${countText(phones, 'phone', 'phones')}`,
    ...(offline > 0 ? [`${numberText(offline)} sold and offline`] : []),
    ...workText(workedOn),
  ];
  return part.trust.asOf + counts.join(', ');
}

/** Returns the address of the page with a part of it open, as the last line; nothing where no address is known. */
function linkLine({ fleet }: View, part: Readonly<Record<string, string>> = {}): string {
  const { externalUrl } = fleet.exporter;
  const fragment = new URLSearchParams(part).toString();
  return externalUrl === undefined ? '' : `\n${externalUrl}${fragment && `#${fragment}`}`;
}

/** Answers /status in three lines. */
export function statusText(view: View): string {
  const parts = partsOf(view);
  return `Needs you: ${join(parts, needText)}.\nOffline: ${join(parts, offlineText)}.\n${dataText(parts)}${linkLine(view)}`;
}

function problemText(view: View, { asOf, state }: Trust, phone: FleetPhone): string {
  const { problem, problemSince } = phone;
  if (problem === undefined)
    return state === 'fresh' ? 'Nothing is wrong' : `${asOf}nothing was wrong. Since then nobody knows`;
  return `${PROBLEM_WORDS[problem].title} since ${sinceText(view, problemSince)}`;
}

/** Writes an instant, and how long ago it is. */
function sinceText({ time, now }: View, instant: string | undefined): string {
  const since = parseTime(instant);
  return `${time(instant)}${since === undefined ? '' : ` (${durationText((now - since) / 1000)})`}`;
}

/** Answers /offline with the places to go to, of all phones or of those that a word fits: common causes, and single phones. */
export function offlineAnswer(
  whole: View,
  word = '',
): {
  readonly text: string;
  readonly targets: readonly Target[];
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
  const worked = phones.filter(
    ({ problem, offlineAfterReason }) => isMuted(problem) && offlineAfterReason !== undefined,
  );
  const groups = [...new Set(worked.map(({ group }) => group).filter(Boolean))].map(quote);
  const rack = groups.length === 0 ? '' : ` in ${listText(groups, 3, ', ')}: /rack names them`;
  const maintained =
    worked.length === 0 ? [] : [`In maintenance: ${numberText(worked.length)} offline${rack}.`];
  return {
    text: [...lines, ...maintained, dataText(parts)].join('\n'),
    targets: parts.flatMap(({ places }) => places.map(({ target }) => target)),
  };
}

const MORE_OFFLINE = ': name a rack, as /offline rack-03';

/**
 * Answers /phone: the facts of one phone.
 *
 * @param parts what features say of what is wrong with it
 * @param more lines of features about it
 */
export function phoneText(
  view: View,
  { account, id }: FleetPhone,
  parts: readonly TalkPart[] = [],
  more: readonly string[] = [],
): string {
  const ofAccount = narrowed(view, [account]);
  const trust = trustOf(ofAccount);
  const age = `Data: ${trust.text}.`;
  const phone = ofAccount.fleet.phones.find((each) => each.id === id);
  if (phone === undefined) return `It is not in the device list.\n${age}`;
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
    phone.absent ? 'The last device list lacked it' : '',
    problem !== undefined && needsAttention(problem) ? PROBLEM_WORDS[problem].advice : '',
    ...more,
    age,
  ];
  return lines.filter(Boolean).join('\n') + linkLine(view, { phone: `${account}/${id}` });
}

/** Answers a word that fits no listed phone: it may be one that left. */
export function absentText(view: View, word: string): string {
  const left = findLeft(view.fleet, word);
  if (left === undefined) {
    const parts = partsOf(view);
    const isFresh = parts.every(({ trust }) => trust.state === 'fresh');
    const { phones } = view.fleet;
    const near = nearest(word, [...new Set(phones.flatMap(({ group, label }) => [group, label]))]);
    const meant = near === undefined ? '' : ` Did you mean ${quote(near)}?`;
    return `Nothing fits ${quote(word)}.${meant}${isFresh ? '' : `\n${dataText(parts)}`}`;
  }
  const name = quote(nameIn(view.fleet, left.label || left.id, left.account));
  return `${name} left the device list, and was last in it ${view.time(left.lastListedAt)}.`;
}

/** Answers /rack with the phones of a group that have a problem, and what features say of it. */
export function rackText(
  view: View,
  { account, group }: GroupCount,
  parts: readonly TalkPart[] = [],
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

/** Answers /incidents: open ones of accounts whose data has one age, then those that ended within a day. */
export function incidentsText(view: View): string {
  const parts = partsOf(view);
  const list = (title: string, incidents: readonly FleetIncident[], most = 10): string => {
    const lines = incidents.map((each) => {
      const over = each.endedAt === undefined ? '' : `, ${each.reasonText} ${view.time(each.endedAt)}`;
      return `• ${incidentText(view, each)}${over}`;
    });
    const count = incidents.length === 0 ? 'nothing' : numberText(incidents.length);
    return [`${title}: ${count}`, listText(lines, most)].filter(Boolean).join('\n');
  };
  const isOpen = ({ endedAt }: FleetIncident): boolean => endedAt === undefined;
  const open = parts.map((part) =>
    list(`${namesOf(part)}${part.trust.asOf}Open`, part.fleet.incidents.filter(isOpen)),
  );
  const ended = view.fleet.incidents.filter((each) => !isOpen(each));
  return [...open, list('Ended within a day', ended, 4), dataText(parts)].join('\n');
}

const NIGHT_MILLISECONDS = 12 * HOUR;

/** Writes the morning line. A bad night makes it no longer. */
export function morningText(view: View, before: View | undefined): string {
  const { fleet, now } = view;
  const parts = partsOf(view);
  const told = fleet.incidents.filter(({ openedAt = '' }) => now - Date.parse(openedAt) < NIGHT_MILLISECONDS);
  // Open ones are in the next line.
  const over = told.filter(({ endedAt }) => endedAt !== undefined);
  const [worst] = over.toSorted((one, other) => (other.phones ?? 1) - (one.phones ?? 1));
  const count = told.length === 0 ? 'nothing was told' : `${told.length} told, ${over.length} over`;
  const night = worst === undefined ? count : `${count}. ${incidentText(view, worst)}`;
  const { sold, phones, accounts } = sumTotals(fleet.accounts);
  const isKnown = accounts > 0 && accounts === fleet.accounts.length;
  const soldText = `${numberText(sold)} of ${countText(phones, 'phone', 'phones')} sold`;
  return [
    `Good morning. In the night: ${night}.`,
    `Needs you: ${join(parts, needText)}.`,
    `Offline: ${join(parts, offlineText)}. ${isKnown ? soldText : 'Sold: unknown'}.`,
    `Balance: ${listText(balanceLines(view, before), 3, '; ')}.`,
    dataText(parts),
  ].join('\n');
}
