import type { FleetPhone } from '../http/fleet.ts';
import { element, isolated, setAttribute, setText } from './dom.ts';
import {
  type AgeBasis,
  durationText,
  heartbeatAge,
  type InstantFormat,
  parseTime,
  rentalDuration,
} from './freshness.ts';
import {
  type PhoneEntry,
  rowAfterKey,
  rowsInWindow,
  TABLE_COLUMNS,
  type TableColumn,
  type TableView,
  tunnelWord,
} from './view.ts';
import { PROBLEM_WORDS, statusText } from './words.ts';

type TableOptions = {
  readonly container: HTMLElement;
  readonly contextOf: (entry: PhoneEntry) => CellContext;
  readonly onSort: (column: TableColumn) => void;
};

type Table = {
  readonly show: (entries: readonly PhoneEntry[], view: TableView, severalAccounts: boolean) => void;
  /** Updates the ages in the visible rows. */
  readonly tick: () => void;
  /** Focuses the active row. */
  readonly focus: () => void;
};

type TableRow = { readonly line: HTMLElement; readonly cells: readonly Cell[]; readonly entry: PhoneEntry };

/** Number of heading rows in the grid. */
const HEADING_ROWS = 1;

/**
 * Creates a grid that keeps only the visible rows and the focused row in the document. Each row has its index among all
 * rows, for screen readers.
 */
export function createTable({ container, contextOf, onSort }: TableOptions): Table {
  const headings = element('div', { role: 'row', 'aria-rowindex': '1', class: 'row headings' });
  const body = element('div', { role: 'rowgroup', class: 'rows' });
  const grid = element(
    'div',
    { role: 'grid', 'aria-label': 'Phones', 'aria-readonly': 'true', class: 'grid' },
    element('div', { role: 'rowgroup', class: 'heading-group' }, headings),
    body,
  );
  container.replaceChildren(grid);

  const rows = new Map<number, TableRow>();
  let entries: readonly PhoneEntry[] = [];
  let columns: readonly TableColumn[] = [];
  let active = 0;
  let rowHeight = 0;

  /** Removes rows that are not visible any more, and adds those that have become visible. */
  const paint = (): void => {
    const top = body.getBoundingClientRect().top;
    const { first, end } = rowsInWindow(-top, window.innerHeight, rowHeight, entries.length);
    for (const [index, { line }] of rows) {
      if ((index >= first && index < end) || index === active) continue;
      line.remove();
      rows.delete(index);
    }
    for (let index = first; index < end; index += 1) put(index);
    put(active);
  };
  const put = (index: number): void => {
    const entry = entries[index];
    if (entry === undefined || rows.has(index)) return;
    const row = rowOf(entry, index, columns);
    row.line.style.transform = `translateY(${index * rowHeight}px)`;
    row.line.tabIndex = index === active ? 0 : -1;
    tickRow(row);
    rows.set(index, row);
    // In the order of the list, for screen readers.
    const next = Math.min(...[...rows.keys()].filter((other) => other > index));
    body.insertBefore(row.line, rows.get(next)?.line ?? null);
  };
  const tickRow = ({ entry, cells }: TableRow): void => {
    const context = contextOf(entry);
    for (const { tick } of cells) tick(context);
  };
  const activate = (index: number): void => {
    const before = rows.get(active)?.line;
    if (before !== undefined) before.tabIndex = -1;
    active = index;
    put(index);
    const line = rows.get(index)?.line;
    if (line === undefined) return;
    line.tabIndex = 0;
    line.focus({ preventScroll: true });
    line.scrollIntoView({ block: 'nearest' });
  };
  const measure = (): void => {
    rowHeight = Number.parseFloat(getComputedStyle(grid).getPropertyValue('--row-height'));
    body.style.blockSize = `${entries.length * rowHeight}px`;
    for (const [index, { line }] of rows) line.style.transform = `translateY(${index * rowHeight}px)`;
    paint();
  };
  /** Replaces the rows. The focus stays on the same phone. */
  const lay = (next: readonly PhoneEntry[]): void => {
    const hadFocus = body.contains(document.activeElement);
    const key = entries[active]?.key;
    const found = hadFocus ? next.findIndex((entry) => entry.key === key) : 0;
    const same = next.length === entries.length && next.every((entry, index) => entry === entries[index]);
    if (same) return;
    entries = next;
    active = Math.max(0, found);
    for (const { line } of rows.values()) line.remove();
    rows.clear();
    measure();
    if (hadFocus) rows.get(active)?.line.focus({ preventScroll: true });
  };

  body.addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey) return;
    const visible = Math.max(1, Math.floor(window.innerHeight / rowHeight) - 4);
    const target = rowAfterKey(event.key, active, visible, entries.length);
    if (target === undefined) return;
    event.preventDefault();
    activate(target);
  });
  body.addEventListener('click', ({ target }) => {
    const line = target instanceof Element ? target.closest('[role=row]') : null;
    const index = Number(line?.getAttribute('aria-rowindex')) - 1 - HEADING_ROWS;
    if (line !== null && index >= 0 && (getSelection()?.isCollapsed ?? true)) activate(index);
  });
  window.addEventListener('scroll', paint, { passive: true });
  window.addEventListener('resize', measure);

  return {
    show: (next, view, severalAccounts) => {
      const shown = TABLE_COLUMNS.filter((column) => column !== 'account' || severalAccounts);
      if (shown.length !== columns.length) {
        columns = shown;
        headings.replaceChildren(...columns.map((column, index) => heading(column, index, onSort)));
        setAttribute(grid, 'aria-colcount', String(columns.length));
        setAttribute(grid, 'data-accounts', String(severalAccounts));
      }
      for (const one of headings.children) {
        const isSorted = one.getAttribute('data-column') === view.sort;
        setAttribute(one, 'aria-sort', isSorted ? (view.descending ? 'descending' : 'ascending') : 'none');
      }
      setAttribute(grid, 'aria-rowcount', String(next.length + HEADING_ROWS));
      lay(next);
    },
    tick: () => {
      for (const row of rows.values()) tickRow(row);
    },
    focus: () => activate(active),
  };
}

function rowOf(entry: PhoneEntry, index: number, columns: readonly TableColumn[]): TableRow {
  const cells = columns.map((column) => cellOf(column, entry));
  for (const [place, { cell }] of cells.entries()) cell.setAttribute('aria-colindex', String(place + 1));
  const line = element(
    'div',
    {
      role: 'row',
      'aria-rowindex': String(index + 1 + HEADING_ROWS),
      class: 'row',
    },
    ...cells.map(({ cell }) => cell),
  );
  return { line, cells, entry };
}

function heading(column: TableColumn, index: number, onSort: (column: TableColumn) => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'sort' }, COLUMN_TITLES[column]);
  button.addEventListener('click', () => onSort(column));
  return element(
    'div',
    {
      role: 'columnheader',
      'aria-colindex': String(index + 1),
      'aria-sort': 'none',
      class: `cell cell-${column}`,
      'data-column': column,
    },
    button,
  );
}

/** Everything that cells show beside their phone. */
type CellContext = {
  readonly basis: AgeBasis;
  readonly now: number;
  readonly format: InstantFormat;
};

/** A cell of one phone, and the function that updates its ages. */
type Cell = { readonly cell: HTMLElement; readonly tick: (context: CellContext) => void };

export const COLUMN_TITLES: Readonly<Record<TableColumn, string>> = {
  phone: 'Phone',
  account: 'Account',
  problem: 'Needs attention',
  rental: 'Rental',
  marketplace: 'Market',
  heartbeat: 'Last heartbeat',
  tunnel: 'Tunnel',
  rotation: 'Rotation',
  setup: 'Setup',
  model: 'Model',
};

const STILL = (): void => {};

export function cellOf(column: TableColumn, entry: PhoneEntry): Cell {
  const { phone } = entry;
  switch (column) {
    case 'phone':
      return still(column, [isolated(entry.name)], entry.name === phone.id ? [] : [phone.id]);
    case 'account':
      return still(column, [phone.account]);
    case 'problem':
      return still(column, problemOf(phone));
    case 'rental':
      return rentalCell(phone);
    case 'marketplace':
      return still(column, [badge(statusText(phone.marketplaceStatus), phone.marketplaceStatus)]);
    case 'heartbeat':
      return heartbeatCell(phone);
    case 'tunnel':
      return still(column, tunnelOf(phone));
    case 'rotation':
      return still(column, [statusText(phone.rotationStatus)], intervalOf(phone));
    case 'setup':
      return still(column, [statusText(phone.setupStatus)]);
    case 'model':
      return still(
        column,
        [isolated(phone.model || '–')],
        [isolated([phone.brand, phone.appVersion].filter(Boolean).join(' · '))],
      );
  }
}

type Content = readonly (Node | string)[];

/** Creates a cell without ages. */
function still(column: TableColumn, main: Content, small: Content = []): Cell {
  return { cell: cell(column, main, small), tick: STILL };
}

function cell(column: TableColumn, main: Content, small: Content): HTMLElement {
  const lines = [element('span', { class: 'main' }, ...main)];
  if (small.length > 0) lines.push(element('span', { class: 'small' }, ...small));
  return element('div', { role: 'gridcell', class: `cell cell-${column}` }, ...lines);
}

function badge(text: string, kind: string | undefined): HTMLElement {
  return element('span', { class: 'badge', 'data-kind': kind }, text);
}

function problemOf({ problem, absent }: FleetPhone): Content {
  const notes =
    absent === true ? [element('span', { class: 'flag', 'data-tone': 'info' }, 'Off the list')] : [];
  if (problem === undefined) return notes.length > 0 ? notes : [element('span', { class: 'none' }, '–')];
  const { title, tone } = PROBLEM_WORDS[problem];
  return [element('span', { class: 'flag', 'data-tone': tone }, title), ...notes];
}

function tunnelOf({ tunnel }: FleetPhone): Content {
  if (tunnel === undefined) return [element('span', { class: 'none' }, '–')];
  const word = tunnelWord(tunnel);
  return [badge(statusText(word), word === 'up' ? 'up' : 'down')];
}

function intervalOf({ rotationIntervalSeconds }: FleetPhone): Content {
  return rotationIntervalSeconds === undefined ? [] : [`every ${durationText(rotationIntervalSeconds)}`];
}

/** Shows the status, its duration and its start. */
function rentalCell(phone: FleetPhone): Cell {
  const { rentalStatus, rentalStatusSince } = phone;
  const since = parseTime(rentalStatusSince);
  const time = element('time', { datetime: rentalStatusSince });
  const made = cell(
    'rental',
    [badge(statusText(rentalStatus), rentalStatus)],
    since === undefined ? [] : [time],
  );
  if (since === undefined) return { cell: made, tick: STILL };
  return {
    cell: made,
    tick: ({ basis, now, format }) => {
      setText(time, `${rentalDuration(phone, basis.asOf)} · ${format.brief(since, now)}`);
      setAttribute(time, 'title', `first seen so at ${format.full(since)}`);
    },
  };
}

/** Shows the age and the instant of the heartbeat; for an age that stands still, the instant it is valid for. */
function heartbeatCell({ lastHeartbeatAt, heartbeatAgeSeconds, problem, online }: FleetPhone): Cell {
  const at = parseTime(lastHeartbeatAt);
  if (at === undefined || heartbeatAgeSeconds === undefined)
    return still('heartbeat', [element('span', { class: 'none' }, 'unknown')]);
  const isSilent = !online && problem !== 'not_set_up';
  const age = element('span', { 'data-silent': String(isSilent) });
  const time = element('time', { datetime: lastHeartbeatAt });
  return {
    cell: cell('heartbeat', [age], [time]),
    tick: ({ basis, now, format }) => {
      const duration = durationText(heartbeatAge(heartbeatAgeSeconds, basis));
      const moves = basis.state === 'fresh' || basis.learnedAt === undefined;
      setText(age, moves ? `${duration} ago` : duration);
      setText(time, moves ? format.brief(at, now) : `as of ${format.brief(basis.asOf, now)}`);
      setAttribute(time, 'title', format.full(at));
    },
  };
}
