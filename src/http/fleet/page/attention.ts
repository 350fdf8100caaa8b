import type { FleetDocument } from '../document.ts';
import type { Finding } from '../finding.ts';
import { element, foreign, place, renew, setText } from './element.ts';
import { type Entry, type Phones, select } from './phones.ts';
import { durationText, heartbeatAge, parseInstant, type Sight } from './time.ts';
import { DEFAULT_VIEW, findings, fragmentOf } from './view.ts';
import { FINDING_WORDS, numberText, statusText } from './words.ts';

/** Phones that a group names; the table has the others. */
const NAMED = 4;

/** Phones with one finding. */
type Group = { readonly finding: Finding; readonly entries: readonly Entry[] };

/**
 * What needs a hand, in groups by reason, what costs most first: what costs money now with the phones that it is about,
 * and below, in a line each, what can wait.
 */
export function showAttention(
  document: FleetDocument,
  phones: Phones,
  sights: ReadonlyMap<string, Sight>,
): void {
  const everything = select(phones, { ...DEFAULT_VIEW, show: 'attention' });
  const groups = findings()
    .map((finding) => ({ finding, entries: everything.filter(({ phone }) => phone.finding === finding) }))
    .filter(({ entries }) => entries.length > 0);
  const urgent = groups.filter(({ finding }) => FINDING_WORDS[finding].tone !== 'info');
  const later = groups.filter((group) => !urgent.includes(group));
  const lists = [
    listOf('cards', urgent, (group) => urgentCard(group, sights)),
    listOf('cards later', later, laterCard),
  ];
  setText(place('attention-count'), everything.length === 0 ? '' : numberText(everything.length));
  renew(place('attention'), ...(groups.length === 0 ? [nothing(document)] : lists.flat()));
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
  return isKnown
    ? element('p', { class: 'calm', 'data-tone': 'good' }, 'Nothing. Every phone that can be seen is well.')
    : element('p', { class: 'calm' }, 'Nobody can tell before the phones are seen.');
}

function urgentCard(group: Group, sights: ReadonlyMap<string, Sight>): HTMLElement {
  const { finding, entries } = group;
  const href = hrefOf(finding);
  const all = element('a', { class: 'more', href }, `All ${numberText(entries.length)} in the table`);
  return element(
    'li',
    { class: 'card', 'data-tone': FINDING_WORDS[finding].tone },
    headingOf(group),
    element('p', { class: 'meaning' }, FINDING_WORDS[finding].meaning),
    element('ul', { class: 'names' }, ...entries.slice(0, NAMED).map((entry) => item(entry, sights))),
    ...(entries.length > NAMED ? [all] : []),
  );
}

function laterCard(group: Group): HTMLElement {
  const names = group.entries
    .slice(0, NAMED)
    .flatMap(({ name }, index) => (index === 0 ? [foreign(name)] : [', ', foreign(name)]));
  return element(
    'li',
    { class: 'card', 'data-tone': FINDING_WORDS[group.finding].tone },
    headingOf(group),
    element('p', { class: 'line' }, ...names, group.entries.length > NAMED ? ' …' : ''),
  );
}

function headingOf({ finding, entries }: Group): HTMLElement {
  return element(
    'h3',
    {},
    element('a', { class: 'card-title', href: hrefOf(finding) }, FINDING_WORDS[finding].title),
    element('span', { class: 'card-count' }, numberText(entries.length)),
  );
}

function hrefOf(finding: Finding): string {
  return fragmentOf({ ...DEFAULT_VIEW, show: finding });
}

function item(entry: Entry, sights: ReadonlyMap<string, Sight>): HTMLElement {
  const { phone, name } = entry;
  const href = fragmentOf({ ...DEFAULT_VIEW, query: phone.id });
  return element(
    'li',
    {},
    element('a', { href }, foreign(name)),
    element('span', { class: 'fact' }, factOf(entry, sights.get(phone.account))),
  );
}

/** For how long a phone has been silent or rented in vain, or what is said of its tunnel. */
function factOf({ phone }: Entry, sight: Sight | undefined): string {
  const { finding, heartbeatAgeSeconds, rentalStatusSince, tunnel } = phone;
  if (sight === undefined) return '';
  if (finding === 'tunnel_down') return statusText(tunnel?.uptimeStatus);
  if (finding === 'tunnel_missing') {
    const since = parseInstant(rentalStatusSince);
    return since === undefined ? '' : durationText((sight.asOf - since) / 1000);
  }
  return heartbeatAgeSeconds === undefined ? '' : durationText(heartbeatAge(heartbeatAgeSeconds, sight));
}
