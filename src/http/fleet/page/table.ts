import { type Cell, COLUMN_TITLES, cellOf, type Occasion } from './cells.ts';
import { element, setAttribute } from './element.ts';
import type { Entry } from './phones.ts';
import { COLUMNS, type Column, type View } from './view.ts';
import { rowAfterKey, windowOf } from './windowing.ts';

export type TableOptions = {
  readonly container: HTMLElement;
  readonly occasionOf: (entry: Entry) => Occasion;
  readonly onSort: (column: Column) => void;
};

export type Table = {
  readonly show: (entries: readonly Entry[], view: View, severalAccounts: boolean) => void;
  /** Lets the ages of the rows in sight grow. */
  readonly tick: () => void;
  /** Puts the keyboard on the first row. */
  readonly focus: () => void;
};

type Row = { readonly line: HTMLElement; readonly cells: readonly Cell[]; readonly entry: Entry };

/** Rows of the grid above the phones: that of the headings. */
const HEADING_ROWS = 1;

/**
 * A grid of which only the rows in sight are in the document, and the one that the keyboard is on. Each row says which of
 * all it is, so that a screen reader counts them all.
 */
export function createTable({ container, occasionOf, onSort }: TableOptions): Table {
  const headings = element('div', { role: 'row', 'aria-rowindex': '1', class: 'row headings' });
  const body = element('div', { role: 'rowgroup', class: 'rows' });
  const grid = element(
    'div',
    { role: 'grid', 'aria-label': 'Phones', 'aria-readonly': 'true', class: 'grid' },
    element('div', { role: 'rowgroup', class: 'heading-group' }, headings),
    body,
  );
  container.replaceChildren(grid);

  const rows = new Map<number, Row>();
  let entries: readonly Entry[] = [];
  let columns: readonly Column[] = [];
  let active = 0;
  let rowHeight = 0;

  /** Takes out the rows that are out of sight, and puts in those that came into it. */
  const paint = (): void => {
    const top = body.getBoundingClientRect().top;
    const { first, end } = windowOf(-top, window.innerHeight, rowHeight, entries.length);
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
    // In the order of the list, for those who read the document and not the screen.
    const next = Math.min(...[...rows.keys()].filter((other) => other > index));
    body.insertBefore(row.line, rows.get(next)?.line ?? null);
  };
  const tickRow = ({ entry, cells }: Row): void => {
    const occasion = occasionOf(entry);
    for (const { tick } of cells) tick(occasion);
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
  /** Lays the rows anew; the keyboard stays on the phone that it was on. */
  const lay = (next: readonly Entry[]): void => {
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
      const shown = COLUMNS.filter((column) => column !== 'account' || severalAccounts);
      if (shown.length !== columns.length) {
        columns = shown;
        headings.replaceChildren(...columns.map((column, place) => heading(column, place, onSort)));
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

function rowOf(entry: Entry, index: number, columns: readonly Column[]): Row {
  const cells = columns.map((column) => cellOf(column, entry));
  for (const [place, { cell }] of cells.entries()) cell.setAttribute('aria-colindex', String(place + 1));
  const tone = entry.phone.finding === undefined ? undefined : 'attention';
  const line = element(
    'div',
    {
      role: 'row',
      'aria-rowindex': String(index + 1 + HEADING_ROWS),
      class: 'row',
      'data-row': tone,
      'data-parity': index % 2 === 0 ? 'even' : 'odd',
    },
    ...cells.map(({ cell }) => cell),
  );
  return { line, cells, entry };
}

function heading(column: Column, place: number, onSort: (column: Column) => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'sort' }, COLUMN_TITLES[column]);
  button.addEventListener('click', () => onSort(column));
  return element(
    'div',
    {
      role: 'columnheader',
      'aria-colindex': String(place + 1),
      'aria-sort': 'none',
      class: `cell cell-${column}`,
      'data-column': column,
    },
    button,
  );
}
