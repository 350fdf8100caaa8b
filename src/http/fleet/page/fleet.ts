import type { FleetDocument } from '../document.ts';
import { showAttention } from './attention.ts';
import { eachSecond } from './clock.ts';
import { keepContact } from './contact.ts';
import { place, setText } from './element.ts';
import { freshnessOf } from './freshness.ts';
import { showGuide } from './guide.ts';
import { type Phones, preparePhones, select } from './phones.ts';
import { createStatusBar, showVersion } from './status.ts';
import { createTable } from './table.ts';
import { createCalendar, type Sight, sightOf } from './time.ts';
import { createToolbar } from './toolbar.ts';
import { showTotals } from './totals.ts';
import { fragmentOf, parseView, type View } from './view.ts';
import { countText, numberText } from './words.ts';

/*
 * The fleet page. Data flows one way: the exporter's document and the view in the address are the state, and everything
 * on the page is shown anew from them.
 */

const calendar = createCalendar(undefined);
const status = createStatusBar(calendar);
const table = createTable({
  container: place('table'),
  occasionOf: ({ phone }) => ({ sight: sightOfAccount(phone.account), now: line.now(), calendar }),
  onSort: (column) => {
    const descending = view.sort === column && !view.descending;
    change({ sort: column, descending });
  },
});
const toolbar = createToolbar((part) => change(part));

let fleet: FleetDocument | undefined;
let phones: Phones = preparePhones([]);
let view: View = parseView(location.hash);
let sights: ReadonlyMap<string, Sight> = new Map();

const line = keepContact({ url: 'api/v1/fleet', onAnswer });

function onAnswer(answered: FleetDocument | undefined): void {
  place('main').hidden = false;
  const isNew = answered !== fleet;
  fleet = answered;
  tick();
  if (fleet === undefined || !isNew) return;
  phones = preparePhones(fleet.phones);
  showVersion(fleet);
  toolbar.offer(fleet, phones);
  showUpper();
  showTable();
}

/** Everything above the table. */
function showUpper(): void {
  if (fleet === undefined) return;
  const { accounts } = fleet;
  showTotals(accounts, line.now(), calendar);
  showAttention(fleet, phones, sights);
  const count = accounts.reduce((sum, { totals }) => sum + attentionOf(totals?.findings ?? {}), 0);
  document.title = `${count === 0 ? '' : `(${numberText(count)}) `}Fleet · hoster-exporter`;
}

function attentionOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** @returns how many phones are chosen */
function showTable(): number {
  const chosen = select(phones, view);
  toolbar.show(view);
  toolbar.count(chosen.length, phones.entries.length);
  table.show(chosen, view, (fleet?.accounts.length ?? 0) > 1);
  const empty = place('empty');
  empty.hidden = chosen.length > 0;
  setText(empty, phones.entries.length === 0 ? 'No phone can be shown now.' : 'No phone is like that.');
  return chosen.length;
}

/** What changes with the time alone. */
function tick(): void {
  const now = line.now();
  const contact = line.contact();
  const lostAt = contact.trouble === undefined ? undefined : (contact.heardAt ?? now);
  sights = new Map(
    fleet?.accounts.map(({ name, readings }) => [name, sightOf(readings.devices, now, lostAt)]),
  );
  status.show(freshnessOf(fleet, contact, now, calendar), now);
  table.tick();
}

function sightOfAccount(account: string): Sight {
  return sights.get(account) ?? { state: 'expired', seenAt: undefined, asOf: line.now() };
}

/** Puts another view into the address and on the page. */
function change(part: Partial<View>): void {
  view = { ...view, ...part };
  history.replaceState(null, '', fragmentOf(view));
  status.announce(countText(showTable(), 'phone', 'phones'));
}

addEventListener('hashchange', () => {
  view = parseView(location.hash);
  showTable();
  const section = place('phones');
  section.scrollIntoView();
  section.focus({ preventScroll: true });
});
place('skip').addEventListener('click', (event) => {
  event.preventDefault();
  place('phones').scrollIntoView();
  table.focus();
});
place('guide-link').addEventListener('click', (event) => {
  event.preventDefault();
  const guide = place('guide');
  guide.setAttribute('open', '');
  guide.scrollIntoView();
  guide.querySelector('summary')?.focus();
});
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  toolbar.focusSearch();
});

showGuide();
toolbar.show(view);
eachSecond(tick);
