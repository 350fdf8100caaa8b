import type { FleetDocument } from '../fleet/document.ts';
import { type AgeBasis, ageBasisOf, createInstantFormat, freshnessOf } from '../fleet/freshness.ts';
import type { MaintenanceTarget } from '../fleet/maintenance.ts';
import { countGroups, indexPhones, type PhoneEntry, type PhoneIndex } from '../fleet/phones.ts';
import { countText, numberText } from '../fleet/words.ts';
import { byId, replaceContent, setAttribute, setText } from './dom.ts';
import { connectToExporter, eachSecond } from './exporter.ts';
import { showCauses, showHistory } from './history.ts';
import { createMaintenance } from './maintenance.ts';
import { createMonthView } from './month.ts';
import { showAttention, showGroups, showTotals, showVisits } from './overview.ts';
import { createPhoneSheet } from './phone.ts';
import { createStatusBar, showGuide, showVersion } from './status.ts';
import { createTable } from './table.ts';
import { createToolbar } from './toolbar.ts';
import { fragmentOf, parseView, selectPhones, type TableView, viewAfter } from './view.ts';

/*
 * The fleet page. Its state is the document of the exporter and the view in the address; everything shown follows from
 * them.
 */

const format = createInstantFormat(undefined);
const status = createStatusBar(format);
const table = createTable({
  container: byId('table'),
  contextOf: ({ phone }) => ({ basis: ageBasisOfAccount(phone.account), now: exporter.now(), format }),
  onSort: (column) => {
    const descending = view.sort === column && !view.descending;
    change({ sort: column, descending });
  },
});
const maintenance = createMaintenance((sentence) => {
  if (sentence !== undefined) status.announce(sentence);
  exporter.refresh();
});
const sheet = createPhoneSheet({
  format,
  work: maintenance.button,
  onClose: () => {
    view = { ...view, phone: undefined };
    history.replaceState(null, '', fragmentOf(view));
  },
});
const toolbar = createToolbar((part) => change(part));

let fleet: FleetDocument | undefined;
let phones: PhoneIndex = indexPhones([]);
let view: TableView = parseView(location.hash);
let bases: ReadonlyMap<string, AgeBasis> = new Map();

const exporter = connectToExporter({ url: 'api/v1/fleet', onResponse });

function onResponse(received: FleetDocument | undefined): void {
  byId('main').hidden = false;
  const isNew = received !== fleet;
  fleet = received;
  tick();
  if (fleet === undefined || !isNew) return;
  phones = indexPhones(fleet.phones);
  showVersion(fleet);
  const groups = countGroups(fleet.phones);
  toolbar.setOptions(fleet, phones, groups);
  showGroups(groups, fleet.accounts.length > 1);
  showSummary();
  maintenance.show(fleet, exporter.now(), format);
  showVisits(fleet, phones.entries, { bases, now: exporter.now(), format, work: maintenance.button });
  showCauses(fleet, exporter.now(), format, maintenance.button);
  showHistory(fleet, exporter.now(), format);
  showTable();
  showPhone();
}

/** Shows the phone that is open. */
function showPhone(): void {
  const entry = view.phone === undefined ? undefined : phones.entries.find(({ key }) => key === view.phone);
  if (fleet === undefined || (view.phone !== undefined && entry === undefined && phones.entries.length === 0))
    return;
  const isGone = view.phone !== undefined && entry === undefined;
  setText(byId('gone'), isGone ? `No phone ${view.phone} is known now.` : '');
  sheet.show(entry, fleet, bases, exporter.now());
}

/** Shows everything above the table. */
function showSummary(): void {
  if (fleet === undefined) return;
  const { accounts } = fleet;
  showTotals(accounts, exporter.now(), format);
  showAttention(fleet, phones, bases);
  const count = accounts.reduce((sum, { totals }) => sum + attentionOf(totals?.problems ?? {}), 0);
  document.title = `${count === 0 ? '' : `(${numberText(count)}) `}Fleet · hoster-exporter`;
}

/** What the owner works on needs no attention. */
function isPlanned(problem: string): boolean {
  return problem === 'in_maintenance';
}

function attentionOf(counts: Readonly<Record<string, number>>): number {
  return Object.entries(counts).reduce((sum, [problem, count]) => sum + (isPlanned(problem) ? 0 : count), 0);
}

/** Names the phones of the table: a whole group by its name, others one by one. */
function targetOf(selected: readonly PhoneEntry[]): MaintenanceTarget {
  const { account, group, query, cause, show } = view;
  const accounts = account === undefined ? {} : { accounts: [account] };
  if (group !== undefined && query === '' && cause === undefined && show === 'all')
    return { title: group, scope: { ...accounts, groups: [group] } };
  const [first] = selected;
  const title =
    selected.length === 1 && first !== undefined ? first.name : countText(selected.length, 'phone', 'phones');
  return { title, scope: { ...accounts, devices: selected.map(({ phone }) => phone.id) } };
}

/** @returns the number of phones in the table */
function showTable(): number {
  const selected = selectPhones(phones, view);
  toolbar.show(view);
  toolbar.count(selected.length, phones.entries.length);
  const isPart = selected.length > 0 && selected.length < phones.entries.length;
  replaceContent(byId('work'), ...(isPart ? maintenance.button(() => targetOf(selected)) : []));
  table.show(selected, view, (fleet?.accounts.length ?? 0) > 1);
  const empty = byId('empty');
  empty.hidden = selected.length > 0;
  setText(
    empty,
    phones.entries.length === 0 ? 'No phone can be shown now.' : 'No phone matches the filters.',
  );
  return selected.length;
}

/** Updates everything that changes with time alone. */
function tick(): void {
  const now = exporter.now();
  const connection = exporter.state();
  const lostAt = connection.failure === undefined ? undefined : (connection.lastResponseAt ?? now);
  bases = new Map(
    fleet?.accounts.map(({ name, readings }) => [name, ageBasisOf(readings.devices, now, lostAt)]),
  );
  const isKnown = [...bases.values()].some(({ state }) => state !== 'expired');
  setAttribute(byId('overview'), 'data-state', isKnown ? 'fresh' : 'expired');
  status.show(freshnessOf(fleet, connection, now, format), now);
  table.tick();
}

function ageBasisOfAccount(account: string): AgeBasis {
  return bases.get(account) ?? { state: 'expired', learnedAt: undefined, asOf: exporter.now() };
}

/** Changes the view in the address and on the page. */
function change(part: Partial<TableView>): void {
  view = { ...view, ...part };
  history.replaceState(null, '', fragmentOf(view));
  status.announce(countText(showTable(), 'phone', 'phones'));
}

addEventListener('hashchange', () => {
  const before = view;
  view = viewAfter(before, location.hash);
  history.replaceState(null, '', fragmentOf(view));
  showPhone();
  if (fragmentOf({ ...before, phone: undefined }) === fragmentOf({ ...view, phone: undefined })) return;
  showTable();
  const section = byId('phones');
  section.scrollIntoView();
  section.focus({ preventScroll: true });
});
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('phones').scrollIntoView();
  byId('phones').focus({ preventScroll: true });
});
for (const [link, section] of [
  ['guide-link', 'guide'],
  ['month-link', 'month-section'],
] as const) {
  byId(link).addEventListener('click', (event) => {
    event.preventDefault();
    const details = byId(section);
    details.setAttribute('open', '');
    details.scrollIntoView();
    details.querySelector('summary')?.focus();
  });
}
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  toolbar.focusSearch();
});

showGuide();
createMonthView(() => fleet, exporter.now);
toolbar.show(view);
eachSecond(tick);
