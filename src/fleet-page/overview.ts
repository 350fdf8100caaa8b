import type { FleetAccount, FleetDocument, FleetPhone } from '../fleet/document.ts';
import {
  type AgeBasis,
  durationText,
  heartbeatAge,
  type InstantFormat,
  parseTime,
  rentalDuration,
} from '../fleet/freshness.ts';
import { causeTarget, phoneTarget } from '../fleet/maintenance.ts';
import {
  type GroupCount,
  isSilent,
  type PhoneEntry,
  type PhoneIndex,
  sumBalances,
  sumTotals,
  type TotalsSum,
} from '../fleet/phones.ts';
import { type Visit, visitsOf } from '../fleet/visits.ts';
import {
  causeName,
  countText,
  moneyText,
  numberText,
  PROBLEM_WORDS,
  RENTAL_TONES,
  shareText,
} from '../fleet/words.ts';
import { PROBLEMS, type Problem } from '../model/problem.ts';
import { byId, element, isolated, replaceContent, setText } from './dom.ts';
import type { WorkButton } from './maintenance.ts';
import { DEFAULT_VIEW, type Filter, fragmentOf, phoneFragment, selectPhones } from './view.ts';

/** Shows the tiles with the totals of these accounts. */
export function showTotals(accounts: readonly FleetAccount[], now: number, format: InstantFormat): void {
  const sums = sumTotals(accounts);
  const known = sums.accounts > 0;
  const { phones, online, sold, selfRented, idle } = sums;
  const missing = accounts.length - sums.accounts;
  const scope = missing > 0 && known ? ` in ${sums.accounts} of ${accounts.length} accounts` : '';
  const count = (value: number): string => (known ? numberText(value) : '–');
  const share = (value: number): string => (known ? shareText(value, phones) : 'not known now');
  replaceContent(
    byId('totals'),
    tile(
      'Online',
      count(online),
      known ? `of ${numberText(phones)} phones${scope}${maintainedText(sums.inMaintenance)}` : share(0),
      'online',
    ),
    tile('Sold', count(sold), share(sold), 'sold'),
    tile('Self-rented', count(selfRented), share(selfRented), 'self_rented'),
    tile('Idle', count(idle), share(idle), 'idle'),
    occupancyTile(sums),
    balanceTile(accounts, now, format),
  );
}

function maintainedText(phones: number): string {
  return phones === 0 ? '' : `, ${numberText(phones)} in maintenance`;
}

function tile(title: string, value: string, note: string, show: Filter): HTMLElement {
  return element(
    'a',
    {
      class: show === 'online' ? 'tile' : 'tile share',
      href: fragmentOf({ ...DEFAULT_VIEW, show }),
      'data-tone': RENTAL_TONES[show],
    },
    element('span', { class: 'tile-title' }, title),
    element('span', { class: 'tile-value' }, value),
    element('span', { class: 'tile-note' }, note),
  );
}

function occupancyTile({ phones, sold, selfRented, accounts }: TotalsSum): HTMLElement {
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true' });
  for (const [name, part] of [
    ['sold', sold],
    ['self_rented', selfRented],
  ] as const) {
    const piece = element('span', { class: 'bar-part', 'data-tone': RENTAL_TONES[name] });
    piece.style.inlineSize = `${phones === 0 ? 0 : (100 * part) / phones}%`;
    bar.append(piece);
  }
  return element(
    'div',
    { class: 'tile' },
    element('span', { class: 'tile-title' }, 'Occupancy'),
    element('span', { class: 'tile-value' }, accounts === 0 ? '–' : shareText(sold + selfRented, phones)),
    bar,
  );
}

function balanceTile(accounts: readonly FleetAccount[], now: number, format: InstantFormat): HTMLElement {
  const balances = sumBalances(accounts);
  const values = balances.map(({ currency, availableCents }) =>
    element('span', { class: 'tile-value' }, moneyText(availableCents, currency)),
  );
  const pending = balances.flatMap(({ currency, pendingCents }) =>
    pendingCents === undefined ? [] : [moneyText(pendingCents, currency)],
  );
  const note = pending.length === 0 ? '' : `${pending.join(', ')} pending`;
  return element(
    'div',
    { class: 'tile' },
    element('span', { class: 'tile-title' }, 'Available balance'),
    ...(values.length === 0 ? [element('span', { class: 'tile-value' }, '–')] : values),
    element(
      'span',
      { class: 'tile-note' },
      values.length === 0 ? 'not known now' : `${note}${heldText(accounts, now, format)}`,
    ),
  );
}

/** Returns the instant of the oldest balance that is not fresh as text; empty if all are. */
function heldText(accounts: readonly FleetAccount[], now: number, format: InstantFormat): string {
  const oldest = accounts
    .filter(({ balance, readings }) => balance !== undefined && readings.balance.state !== 'fresh')
    .map(({ readings }) => parseTime(readings.balance.lastSuccessAt) ?? now)
    .toSorted((one, other) => one - other)[0];
  return oldest === undefined ? '' : `, as of ${format.brief(oldest, now)}`;
}

/** Places that are shown; the table has all phones. */
const NAMED_PLACES = 6;

type VisitOptions = {
  readonly bases: ReadonlyMap<string, AgeBasis>;
  readonly now: number;
  readonly format: InstantFormat;
  readonly work: WorkButton;
};

/** Shows where to go now; nothing where no phone is silent. */
export function showVisits(
  { accounts, causes, phones }: FleetDocument,
  entries: readonly PhoneEntry[],
  options: VisitOptions,
): void {
  const visits = visitsOf({ causes }, entries);
  byId('visit-section').hidden = visits.length === 0;
  setText(byId('visit-count'), numberText(visits.length));
  const rest = visits.length - NAMED_PLACES;
  replaceContent(
    byId('visit'),
    ...visits.slice(0, NAMED_PLACES).map((visit) => placeOf(visit, accounts, phones, options)),
    ...(rest > 0
      ? [
          element(
            'li',
            { class: 'small' },
            element(
              'a',
              { href: fragmentOf({ ...DEFAULT_VIEW, show: 'offline' }) },
              `${numberText(rest)} more in the table`,
            ),
          ),
        ]
      : []),
  );
}

function placeOf(
  { cause, entries, sold, centsPerDay, since }: Visit,
  accounts: readonly FleetAccount[],
  phones: readonly FleetPhone[],
  { bases, now, format, work }: VisitOptions,
): HTMLElement {
  const [first] = entries;
  if (first === undefined) return element('li', {});
  const { account, problem } = first.phone;
  const asOf = bases.get(account)?.asOf ?? now;
  const currency = accounts.find(({ name }) => name === account)?.currency;
  const link =
    cause === undefined
      ? element('a', { class: 'visit-name', href: phoneFragment(first.key) }, isolated(first.name))
      : element(
          'a',
          { class: 'visit-name', href: fragmentOf({ ...DEFAULT_VIEW, cause: cause.id }) },
          isolated(causeName(cause)),
        );
  const what =
    cause === undefined
      ? problem && PROBLEM_WORDS[problem].title
      : `${countText(entries.length, 'phone', 'phones')} silent together, ${numberText(sold)} sold`;
  const cost = centsPerDay === undefined ? [] : [`estimate: ${moneyText(centsPerDay, currency)} a day`];
  const places = accounts.length > 1 ? [isolated(account)] : [];
  return element(
    'li',
    { 'data-tone': sold > 0 || problem === 'self_rented_silent' ? 'bad' : 'warn' },
    element('span', {}, link, ' ', element('span', { class: 'visit-what' }, what ?? '')),
    element(
      'span',
      { class: 'fact' },
      ...places,
      places.length > 0 ? ' · ' : '',
      [`for ${durationText((asOf - since) / 1000)}`, `since ${format.brief(since, now)}`, ...cost].join(
        ' · ',
      ),
    ),
    ...work(() => (cause === undefined ? phoneTarget(first) : causeTarget(cause, phones))),
  );
}

/** Groups that are named; the select above the table has all. */
const NAMED_GROUPS = 12;

/**
 * Shows the number of phones online in each group, where there are at least two groups, and marks those that are the
 * common cause of silent phones.
 */
export function showGroups(groups: readonly GroupCount[], severalAccounts: boolean): void {
  const section = byId('groups-section');
  section.hidden = groups.length < 2;
  setText(byId('groups-count'), numberText(groups.length));
  const rest = groups.length - NAMED_GROUPS;
  replaceContent(
    byId('groups'),
    ...groups.slice(0, NAMED_GROUPS).map(({ account, group, phones, offline, inMaintenance, isCause }) =>
      element(
        'li',
        {},
        element(
          'a',
          {
            class: 'chip',
            href: fragmentOf({ ...DEFAULT_VIEW, group, account: severalAccounts ? account : undefined }),
            'data-tone': isCause ? 'bad' : undefined,
          },
          isolated(group),
          ...(severalAccounts ? [' ', element('span', { class: 'chip-account' }, isolated(account))] : []),
          element(
            'span',
            { class: 'chip-count' },
            `${numberText(phones - offline - inMaintenance)} of ${numberText(phones)} online${maintainedText(inMaintenance)}`,
          ),
        ),
      ),
    ),
    ...(rest > 0 ? [element('li', { class: 'chip-rest' }, `${numberText(rest)} more below`)] : []),
  );
}

/** Phones named in a card; the table has all. */
const NAMED = 4;

/** The phones with one problem. */
type Group = { readonly problem: Problem; readonly entries: readonly PhoneEntry[] };

/**
 * Shows the phones with a problem, grouped by problem, most expensive first: a card with phones for each urgent problem,
 * and a line for each of the others.
 */
export function showAttention(
  document: FleetDocument,
  phones: PhoneIndex,
  bases: ReadonlyMap<string, AgeBasis>,
): void {
  const everything = selectPhones(phones, { ...DEFAULT_VIEW, show: 'attention' });
  const groups = PROBLEMS.map((problem) => ({
    problem,
    entries: everything.filter(({ phone }) => phone.problem === problem),
  })).filter(({ entries }) => entries.length > 0);
  const urgent = groups.filter(({ problem }) => PROBLEM_WORDS[problem].tone !== 'info');
  const later = groups.filter((group) => !urgent.includes(group));
  const lists = [
    listOf('cards', urgent, (group) => urgentCard(group, bases)),
    listOf('cards later', later, (group) => laterCard(group, bases)),
  ];
  setText(byId('attention-count'), everything.length === 0 ? '' : numberText(everything.length));
  replaceContent(byId('attention'), ...(groups.length === 0 ? [nothing(document)] : lists.flat()));
}

function listOf(
  name: string,
  groups: readonly Group[],
  card: (group: Group) => HTMLElement,
): readonly HTMLElement[] {
  return groups.length === 0 ? [] : [element('ul', { class: name }, ...groups.map(card))];
}

function nothing({ accounts }: FleetDocument): HTMLElement {
  const isKnown = accounts.every(({ totals }) => totals !== undefined);
  if (!isKnown) return element('p', { class: 'calm' }, 'No data yet.');
  if (accounts.some(({ readings }) => readings.devices.state !== 'fresh'))
    return element('p', { class: 'calm' }, 'No problem was known at last; what happened since is not known.');
  const empty = accounts.filter(({ totals }) => totals?.phones === 0).map(({ name }) => name);
  if (empty.length > 0) {
    const which = accounts.length === 1 ? 'This account has' : `${empty.join(', ')}:`;
    return element('p', { class: 'calm' }, `${which} no phones. Is it the right key?`);
  }
  if (accounts.some(({ silenceJudgedAt }) => silenceJudgedAt !== undefined))
    return element(
      'p',
      { class: 'calm' },
      'No problems known, and phones may still be silent since the outage.',
    );
  return element('p', { class: 'calm', 'data-tone': 'good' }, 'No problems found.');
}

function urgentCard(group: Group, bases: ReadonlyMap<string, AgeBasis>): HTMLElement {
  const { problem, entries } = group;
  const href = hrefOf(problem);
  const all = element('a', { class: 'more', href }, `All ${numberText(entries.length)} in the table`);
  return element(
    'li',
    { class: 'card', 'data-tone': PROBLEM_WORDS[problem].tone },
    headingOf(group),
    element('p', { class: 'meaning' }, PROBLEM_WORDS[problem].meaning),
    element('ul', { class: 'names' }, ...entries.slice(0, NAMED).map((entry) => item(entry, bases))),
    ...(entries.length > NAMED ? [all] : []),
  );
}

function laterCard(group: Group, bases: ReadonlyMap<string, AgeBasis>): HTMLElement {
  const begins = group.entries.flatMap(({ phone }) => parseTime(phone.problemSince) ?? []);
  const [first] = group.entries;
  const asOf = first && bases.get(first.phone.account)?.asOf;
  const longest =
    begins.length === 0 || asOf === undefined ? '' : durationText((asOf - Math.min(...begins)) / 1000);
  const names = group.entries
    .slice(0, NAMED)
    .flatMap(({ name }, index) => (index === 0 ? [isolated(name)] : [', ', isolated(name)]));
  return element(
    'li',
    { class: 'card', 'data-tone': PROBLEM_WORDS[group.problem].tone },
    headingOf(group),
    element('p', { class: 'line' }, ...names, group.entries.length > NAMED ? ' …' : ''),
    ...(longest === '' ? [] : [element('p', { class: 'line' }, `for ${longest} or longer`)]),
  );
}

function headingOf({ problem, entries }: Group): HTMLElement {
  return element(
    'h3',
    {},
    element('a', { class: 'card-title', href: hrefOf(problem) }, PROBLEM_WORDS[problem].title),
    element('span', { class: 'card-count' }, numberText(entries.length)),
  );
}

function hrefOf(problem: Problem): string {
  return fragmentOf({ ...DEFAULT_VIEW, show: problem });
}

/** @param bases those of all accounts; where there are several, the item says its own */
function item(entry: PhoneEntry, bases: ReadonlyMap<string, AgeBasis>): HTMLElement {
  const { phone, name } = entry;
  const fact = factOf(entry, bases.get(phone.account));
  const href = phoneFragment(entry.key);
  return element(
    'li',
    {},
    element('a', { href, title: name }, isolated(name)),
    element(
      'span',
      { class: 'fact' },
      ...(bases.size > 1 ? [isolated(phone.account), fact === '' ? '' : ', '] : []),
      fact,
    ),
  );
}

/** Returns for how long a phone has had its problem. */
function factOf({ phone }: PhoneEntry, basis: AgeBasis | undefined): string {
  const { problem, heartbeatAgeSeconds } = phone;
  if (basis === undefined) return '';
  if (isSilent(phone) && heartbeatAgeSeconds !== undefined)
    return durationText(heartbeatAge(heartbeatAgeSeconds, basis));
  if (problem === 'tunnel_missing') return rentalDuration(phone, basis.asOf);
  const since = parseTime(phone.problemSince);
  return since === undefined ? '' : durationText((basis.asOf - since) / 1000);
}
