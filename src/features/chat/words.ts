import { nearest } from '../../config/messages.ts';
import { type ChatPart, incidentText, quote } from '../../fleet/chat.ts';
import {
  describeGroup,
  describeIncident,
  describePhone,
  describeVisit,
  descriptionText,
  nameIn,
  timesText,
} from '../../fleet/describe.ts';
import type { FleetIncident, FleetPhone } from '../../fleet/document.ts';
import { findLeft, phonesOf } from '../../fleet/find.ts';
import { durationText } from '../../fleet/freshness.ts';
import { sumBalances } from '../../fleet/money.ts';
import {
  countGroups,
  type GroupCount,
  indexPhones,
  isMutedOffline,
  isOffline,
  type PhoneEntry,
  sumTotals,
} from '../../fleet/phones.ts';
import { type FleetView, type Trust, trustOf, unknownText } from '../../fleet/trust.ts';
import { openIncidentsAt, type Visit, visitsOf } from '../../fleet/visits.ts';
import {
  changeText,
  emptyText,
  listText,
  moneyText,
  outOfServiceText,
  phonesText,
  statusText as statusWords,
} from '../../fleet/words.ts';
import { endOf } from '../../model/incident.ts';
import { needsAttention } from '../../model/problem.ts';
import { HOUR } from '../../model/time.ts';
import { say } from '../../text/say.ts';

/*
 * The chat's texts: functions of the document and the time. Words and order are the same as on the fleet page.
 */

const dataText = ({ text }: Trust): string => say('data-text', { text });

/** Lists open incidents, the worst first. Only fresh data without one proves that nothing needs attention. */
function needText(view: FleetView, { state, asOf, unknown }: Trust): string {
  const rank = ({ severity, phones = 1 }: FleetIncident) => phones + (severity === 'critical' ? 1e6 : 0);
  const open = view.fleet.incidents
    .filter(({ endedAt, severity }) => endedAt === undefined && severity !== 'info')
    .toSorted((one, other) => rank(other) - rank(one))
    .map((incident) => incidentText(view, incident));
  if (open.length > 0) return `${asOf}${listText(open, 3, '; ', ': /log')}`;
  if (state === 'expired') return unknown;
  if (state === 'stale') return asOf + say('chat-no-problems-since');
  const empty = emptyText(view.fleet.accounts);
  if (empty !== '') return quote(empty.slice(0, -1));
  const { soldOffline: offline } = sumTotals(view.fleet.accounts);
  return offline === 0 ? say('chat-nothing') : say('chat-sold-offline', { count: offline });
}

function offlineText(view: FleetView, { asOf, unknown: why }: Trust): string {
  const totals = sumTotals(view.fleet.accounts);
  const { phones, offline, soldOffline, accounts: known } = totals;
  if (known === 0) return why;
  const unknown = view.fleet.accounts.length - known;
  const counts = [
    say('chat-offline-of', { offline, all: phones }),
    soldOffline > 0 && say('chat-of-them-sold', { count: soldOffline }),
    ...outOfServiceText(totals),
    unknown > 0 && say('chat-accounts-unknown', { count: unknown }),
  ];
  return asOf + counts.filter(Boolean).join(', ');
}

/** Returns the page's address, opened at a part of it, as the last line; '' if the address is unknown. */
function linkLine({ fleet }: FleetView, part: Readonly<Record<string, string>> = {}): string {
  const { externalUrl } = fleet.exporter;
  const fragment = new URLSearchParams(part).toString();
  return externalUrl === undefined ? '' : `\n${externalUrl}${fragment && `#${fragment}`}`;
}

/** Answers /status in three lines. */
export function statusText(view: FleetView): string {
  const trust = trustOf(view);
  return [
    say('chat-needs-attention', { text: needText(view, trust) }),
    say('chat-offline', { text: offlineText(view, trust) }),
    dataText(trust) + linkLine(view),
  ].join('\n');
}

function problemText({ fleet, now, time }: FleetView, { asOf, state }: Trust, entry: PhoneEntry): string {
  const description = describePhone(entry, fleet, now);
  const own = openIncidentsAt(fleet, entry.phone).filter(({ phone }) => phone !== undefined);
  const who = own.map((incident) => describeIncident(incident, fleet, now, time).who).filter(Boolean);
  if (entry.phone.problem !== undefined)
    return [`${description.title} ${timesText(description, time)}`, ...who.map(quote)].join(', ');
  return state === 'fresh' ? description.title : asOf + say('chat-no-problems-since');
}

/** Answers /offline: the common causes and single phones, for all phones or those that a word or a message names. */
export function offlineAnswer(
  view: FleetView,
  word = '',
  phones = word === '' ? view.fleet.phones : phonesOf(view.fleet, word),
): { readonly text: string; readonly visits: readonly Visit[] } {
  const { fleet } = view;
  if (word !== '' && phones.length === 0) return { text: absentText(view, word), visits: [] };
  const accounts = phones === fleet.phones ? undefined : phones.map(({ account }) => account);
  const trust = trustOf(view, accounts);
  const visits = visitsOf(fleet, indexPhones(phones.filter(isOffline)).entries);
  const lines = visits.map((visit) =>
    descriptionText(describeVisit(visit, fleet, view.now, view.time), view.time, quote),
  );
  const none =
    trust.state === 'expired' ? say('chat-offline-unknown') : trust.asOf + say('chat-none-offline');
  const more = ` ${say('chat-more-offline', { command: '/offline rack-03' })}`;
  const offline = lines.length === 0 ? none : trust.asOf + listText(lines, 20, '\n', more);
  const text = [offline, mutedOfflineText(phones), dataText(trust)].filter(Boolean).join('\n');
  return { text, visits };
}

/** Says how many phones in maintenance are offline, and in which groups; '' for none. */
function mutedOfflineText(phones: readonly FleetPhone[]): string {
  const covered = phones.filter(isMutedOffline);
  const groups = [...new Set(covered.map(({ group }) => group).filter(Boolean))].map(quote);
  const count = covered.length;
  if (count === 0) return '';
  return groups.length === 0
    ? say('chat-muted-offline', { count })
    : say('chat-muted-offline-in', { count, groups: listText(groups, 3, ', ') });
}

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
  if (phone === undefined) return `${say('chat-not-listed')}\n${dataText(trust)}`;
  const twins = indexPhones(own.filter(({ label }) => label === phone.label)).entries;
  const entry = twins.find((each) => each.phone === phone);
  if (entry === undefined) return dataText(trust);
  const { brand, model, rentalStatusBeginSeen, lastHeartbeatAt } = phone;
  const { time } = view;
  const device = `${brand} ${model}`.trim();
  const description = describePhone(entry, view.fleet, view.now);
  const name = quote(description.name);
  const outages = outagesOf(view, [phone]);
  const limit = durationText(phone.offlineAfterSeconds);
  const [status, since] = [statusWords(phone.rentalStatus), time(phone.rentalStatusSince)];
  const rental = rentalStatusBeginSeen
    ? say('chat-status-since', { status, time: since })
    : say('chat-status-since-before', { status, time: since });
  const lines = [
    device === '' ? name : `${name} ${quote(device)}`,
    parts.flatMap((part) => part.problem?.(view, phone) ?? [])[0] ?? problemText(view, trust, entry),
    lastHeartbeatAt === undefined
      ? say('chat-no-heartbeat', { limit })
      : say('chat-last-heartbeat', { time: time(lastHeartbeatAt), limit }),
    `${rental}, ${statusWords(phone.marketplaceStatus)}`,
    phone.absent ? say('chat-missing') : '',
    ...outages,
    needsAttention(phone.problem) && outages.length === 0 ? description.advice : '',
    ...more,
    dataText(trust),
  ];
  return lines.filter(Boolean).join('\n') + linkLine(view, { phone: `${account}/${id}` });
}

/** Describes the phones' open outages, and who is on them. */
function outagesOf(view: FleetView, phones: readonly FleetPhone[]): readonly string[] {
  const found = new Set(phones.flatMap((phone) => openIncidentsAt(view.fleet, phone)));
  return [...found]
    .filter(({ phone }) => phone === undefined)
    .map((incident) => `${incidentText(view, incident)}.`);
}

/** Answers a word that matches no listed phone. It may match one that left the list. */
export function absentText(view: FleetView, word: string): string {
  const left = findLeft(view.fleet, word);
  if (left === undefined) {
    const trust = trustOf(view);
    const { phones } = view.fleet;
    const near = nearest(word, [...new Set(phones.flatMap(({ group, label }) => [group, label]))]);
    const meant = near === undefined ? '' : ` ${say('chat-did-you-mean', { name: quote(near) })}`;
    return `${say('chat-none-called', { name: quote(word) })}${meant}${trust.state === 'fresh' ? '' : `\n${dataText(trust)}`}`;
  }
  const name = quote(nameIn(view.fleet, left.label || left.id, left.account));
  return say('chat-left', { name, time: view.time(left.lastListedAt) });
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
  const outages = outagesOf(view, phones);
  const needed = entries
    .ordered('problem', false)
    .filter(({ phone: { problem } }) => needsAttention(problem));
  const isCovered = ({ phone }: PhoneEntry): boolean =>
    isOffline(phone) && outagesOf(view, [phone]).length > 0;
  const wrong = needed
    .filter((entry) => !isCovered(entry))
    .map((entry) => `${quote(entry.name)}: ${problemText(view, trust, entry)}`);
  const covered = needed.filter(isCovered).map(({ name: own }) => quote(own));
  const { name, counts } = describeGroup({ account, group }, phones, view.fleet);
  const head = `${trust.asOf}${quote(name)}: ${counts}`;
  const more = parts.flatMap((part) => part.group?.(view, entries.ordered('phone', false)) ?? []);
  const lines = [
    head,
    ...more,
    ...outages,
    covered.length === 0 ? '' : say('chat-offline-in-it', { names: listText(covered, 5, ', ') }),
    listText(wrong),
    dataText(trust),
  ];
  return lines.filter(Boolean).join('\n') + linkLine(view, { group, account });
}

/**
 * Writes each account's balance, with its change today or since an earlier document. A single account needs no name.
 *
 * @param before the earlier document, such as yesterday morning's
 */
function balanceLines({ fleet, time }: FleetView, before?: FleetView): readonly string[] {
  return fleet.accounts.map((account) => {
    const { name, currency, balance, readings } = account;
    const head = fleet.accounts.length > 1 ? `${quote(name)}: ` : '';
    const { availableCents, pendingCents = 0 } = balance ?? {};
    if (availableCents === undefined)
      return `${head}${unknownText(readings.balance.lastSuccessAt !== undefined)}`;
    const earlier = before?.fleet.accounts.find((each) => each.name === name)?.balance?.availableCents;
    const [{ today = undefined } = {}] = sumBalances({ ...fleet, accounts: [account] });
    const { increaseCents = 0, decreaseCents = 0 } = today ?? {};
    const out = decreaseCents === 0 ? '' : `, ${changeText(-decreaseCents, currency)}`;
    const parts = [
      `${head}${moneyText(availableCents, currency)}`,
      pendingCents !== 0 && say('chat-pending', { amount: moneyText(pendingCents, currency) }),
      earlier !== undefined &&
        say('chat-amount-since', {
          amount: changeText(availableCents - earlier, undefined),
          time: time(before?.now),
        }),
      before === undefined &&
        today !== undefined &&
        say('chat-today', { amount: changeText(increaseCents, currency) + out }),
      readings.balance.state !== 'fresh' &&
        say('chat-last-update', { time: time(readings.balance.lastSuccessAt) }),
    ];
    return parts.filter(Boolean).join(', ');
  });
}

/** Says whose bot it is, and how many phones it watches. */
export function greetingText({ fleet }: FleetView): string {
  const { phones } = sumTotals(fleet.accounts);
  const names = fleet.accounts.map(({ name }) => name).filter((name) => name !== DEFAULT_NAME);
  const whose = names.length === 0 ? say('chat-this-fleet') : names.map(quote).join(', ');
  const groups = countGroups(fleet.phones).length;
  return groups === 0
    ? say('chat-greeting', { whose, count: phones })
    : say('chat-greeting-groups', { whose, phones: phonesText(phones), groups });
}

/** The name of an account that has none. */
const DEFAULT_NAME = 'default';

/** Answers /balance. */
export function balanceText(view: FleetView): string {
  return listText(balanceLines(view));
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
  const closed = opened.filter(({ endedAt }) => endedAt !== undefined);
  const count = (wanted: ReturnType<typeof endOf>): number =>
    closed.filter(({ reason, problem }) => endOf(reason, problem) === wanted).length;
  const [worst] = closed.toSorted((one, other) => (other.phones ?? 1) - (one.phones ?? 1));
  const muted = count('muted') === 0 ? '' : `, ${say('chat-muted', { count: count('muted') })}`;
  const counts =
    opened.length === 0
      ? say('chat-no-alerts')
      : `${say('chat-alerts', { count: opened.length })}, ${say('chat-resolved', { count: count('resolved') })}${muted}`;
  const night = worst === undefined ? counts : `${counts}. ${incidentText(view, worst)}`;
  const { sold, phones, accounts } = sumTotals(fleet.accounts);
  const isKnown = accounts > 0 && accounts === fleet.accounts.length;
  const soldText = isKnown ? say('chat-sold', { count: sold, all: phones }) : say('chat-sold-unknown');
  return [
    `${say('chat-good-morning')} ${say('chat-overnight', { text: night })}`,
    say('chat-needs-attention', { text: needText(view, trust) }),
    `${say('chat-offline', { text: offlineText(view, trust) })} ${soldText}.`,
    say('chat-balance', { text: listText(balanceLines(view, before), 3, '; ') }),
    dataText(trust),
  ].join('\n');
}

/** Number of characters of a button's text that a phone shows in full. */
const LABEL_LENGTH = 40;

/**
 * Shortens the texts of a message's buttons. Those that are too long leave out their beginning, which they share with
 * another one; no two are the same.
 */
export function shortLabels(labels: readonly string[]): readonly string[] {
  const sharedWith = (one: string, other: string): number => {
    const [letters, others] = [[...one], [...other]];
    const index = letters.findIndex((letter, place) => letter !== others[place]);
    return index === -1 ? letters.length : index;
  };
  const short = labels.map((label, place) => {
    const letters = [...label];
    if (letters.length <= LABEL_LENGTH) return label;
    const shared = Math.max(
      0,
      ...labels.map((other, index) => (index === place || other === label ? 0 : sharedWith(label, other))),
    );
    // From the word in which it differs, or from an earlier one if there is room.
    const isStart = (index: number): boolean => index === 0 || /[\s/,:]/.test(letters[index - 1] ?? '');
    const least = letters.length - LABEL_LENGTH + 1;
    const words = Array.from({ length: shared + 1 }, (_, index) => index).filter(isStart);
    const last = words.at(-1) ?? 0;
    const isLong = shared - last > LABEL_LENGTH / 2;
    const start = isLong ? shared : (words.find((index) => index >= least) ?? last);
    const rest = letters.slice(start);
    const end = LABEL_LENGTH - (start > 0 ? 1 : 0);
    const cut = rest.length > end ? [...rest.slice(0, end - 1), '…'] : rest;
    return `${start > 0 ? '…' : ''}${cut.join('').trimStart()}`;
  });
  const isDouble = new Set(short).size < short.length;
  return isDouble ? short.map((label, index) => `${index + 1}. ${label}`) : short;
}
