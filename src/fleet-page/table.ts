import type { FleetPhone } from '../fleet/document.ts';
import {
  type AgeBasis,
  durationText,
  heartbeatAge,
  type InstantFormat,
  parseTime,
  rentalDuration,
} from '../fleet/freshness.ts';
import { type PhoneEntry, TABLE_COLUMNS, type TableColumn, tunnelWord } from '../fleet/phones.ts';
import {
  numberText,
  PROBLEM_WORDS,
  RENTAL_TONES,
  silenceText,
  statusText,
  type Tone,
} from '../fleet/words.ts';
import { element, isolated, replaceContent, setAttribute, setText } from './dom.ts';
import { fragmentOf, phoneFragment, type TableView } from './view.ts';

type TableOptions = {
  readonly container: HTMLElement;
  readonly contextOf: (entry: PhoneEntry) => CellContext;
  readonly onSort: (column: TableColumn) => void;
};

type Table = {
  /** Shows phones, from the first one on where the view is another. */
  readonly show: (entries: readonly PhoneEntry[], view: TableView, severalAccounts: boolean) => void;
  /** Updates the ages in the rows. */
  readonly tick: () => void;
};

/** A row of the table: its ages change with time. */
type TableRow = { readonly line: HTMLElement; readonly cells: readonly Cell[]; readonly entry: PhoneEntry };

/** Maximum number of rows in the document; the others are a button away. */
const PAGE_ROWS = 500;

/**
 * Creates a table of at most {@link PAGE_ROWS} rows at a time. Elements have their role as an attribute too, because some
 * browsers forget it where the layout is not that of a table.
 */
export function createTable({ container, contextOf, onSort }: TableOptions): Table {
  const headings = element('tr', { role: 'row', class: 'row headings' });
  const body = element('tbody', { role: 'rowgroup', class: 'rows' });
  const table = element(
    'table',
    { role: 'table', 'aria-label': 'Phones', class: 'grid' },
    element('thead', { role: 'rowgroup', class: 'heading-group' }, headings),
    body,
  );
  const earlier = element('button', { type: 'button', class: 'clear' }, `The ${PAGE_ROWS} before`);
  const later = element('button', { type: 'button', class: 'clear' });
  const range = element('span', {});
  const pages = element('p', { class: 'pages' }, earlier, range, later);
  container.replaceChildren(table, pages);

  let rows: readonly TableRow[] = [];
  let entries: readonly PhoneEntry[] = [];
  let columns: readonly TableColumn[] = [];
  let shownFragment: string | undefined;
  let first = 0;

  const tickRow = ({ entry, cells, line }: TableRow): void => {
    const context = contextOf(entry);
    setAttribute(line, 'data-state', context.basis.state);
    for (const { tick } of cells) tick(context);
  };
  const lay = (): void => {
    first = Math.max(0, Math.min(first, entries.length - 1));
    first -= first % PAGE_ROWS;
    const shown = entries.slice(first, first + PAGE_ROWS);
    rows = shown.map((entry, index) => rowOf(entry, first + index, columns));
    for (const row of rows) tickRow(row);
    replaceContent(body, ...rows.map(({ line }) => line));
    const end = first + rows.length;
    pages.hidden = rows.length === entries.length;
    earlier.hidden = first === 0;
    later.hidden = end === entries.length;
    setText(later, `The next ${numberText(Math.min(PAGE_ROWS, entries.length - end))}`);
    setText(range, `${numberText(first + 1)} to ${numberText(end)} of ${numberText(entries.length)}`);
  };
  const turn = (by: number): void => {
    first += by;
    lay();
    table.scrollIntoView();
  };
  earlier.addEventListener('click', () => turn(-PAGE_ROWS));
  later.addEventListener('click', () => turn(PAGE_ROWS));

  return {
    show: (next, view, severalAccounts) => {
      const shown = TABLE_COLUMNS.filter((column) => column !== 'account' || severalAccounts);
      if (shown.length !== columns.length) {
        columns = shown;
        headings.replaceChildren(...columns.map((column) => heading(column, onSort)));
        setAttribute(table, 'aria-colcount', String(columns.length));
        setAttribute(table, 'data-accounts', String(severalAccounts));
      }
      for (const one of headings.children) {
        const isSorted = one.getAttribute('data-column') === view.sort;
        setAttribute(one, 'aria-sort', isSorted ? (view.descending ? 'descending' : 'ascending') : 'none');
      }
      setAttribute(table, 'aria-rowcount', String(next.length + 1));
      // Opening a phone leaves the table as it is.
      const fragment = fragmentOf({ ...view, phone: undefined });
      if (fragment !== shownFragment) first = 0;
      shownFragment = fragment;
      entries = next;
      lay();
    },
    tick: () => {
      for (const row of rows) tickRow(row);
    },
  };
}

function rowOf(entry: PhoneEntry, index: number, columns: readonly TableColumn[]): TableRow {
  const cells = columns.map((column) => cellOf(column, entry));
  // The heading is the first row.
  const attributes = { role: 'row', 'aria-rowindex': String(index + 2), class: 'row' };
  return { line: element('tr', attributes, ...cells.map(({ cell }) => cell)), cells, entry };
}

function heading(column: TableColumn, onSort: (column: TableColumn) => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'sort' }, COLUMN_TITLES[column]);
  button.addEventListener('click', () => onSort(column));
  return element(
    'th',
    {
      role: 'columnheader',
      scope: 'col',
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
      return still(
        column,
        [element('a', { class: 'open', href: phoneFragment(entry.key) }, isolated(entry.name))],
        entry.name === phone.id ? [] : [phone.id],
      );
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
  return element('td', { role: 'cell', class: `cell cell-${column}` }, ...lines);
}

const BADGE_TONES: Readonly<Record<string, Tone>> = { ...RENTAL_TONES, up: 'good', down: 'bad' };

/** @param status chooses the colour */
function badge(text: string, status = ''): HTMLElement {
  const name = status === 'listed' ? 'badge plain' : 'badge';
  return element('span', { class: name, 'data-tone': BADGE_TONES[status] }, text);
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
function heartbeatCell(phone: FleetPhone): Cell {
  const { lastHeartbeatAt, heartbeatAgeSeconds, problem, online, silence, silenceLimitSeconds } = phone;
  const at = parseTime(lastHeartbeatAt);
  if (at === undefined || heartbeatAgeSeconds === undefined)
    return still('heartbeat', [element('span', { class: 'none' }, 'unknown')]);
  const isSilent = !online && problem !== 'not_set_up' && problem !== 'in_maintenance';
  const why = silence === undefined ? undefined : silenceText(silence, silenceLimitSeconds);
  const age = element('span', { 'data-tone': isSilent ? 'warn' : undefined, title: why });
  const limit = why === undefined ? [] : [` · limit ${durationText(silenceLimitSeconds)}`];
  const time = element('time', { datetime: lastHeartbeatAt });
  return {
    cell: cell('heartbeat', [age], [time, ...limit]),
    tick: ({ basis, now, format }) => {
      const duration = durationText(heartbeatAge(heartbeatAgeSeconds, basis));
      const moves = basis.state === 'fresh' || basis.learnedAt === undefined;
      setText(age, moves ? `${duration} ago` : duration);
      setText(time, moves ? format.brief(at, now) : `as of ${format.brief(basis.asOf, now)}`);
      setAttribute(time, 'title', format.full(at));
    },
  };
}
