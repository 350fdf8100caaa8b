import { useMemo, useRef, useState } from 'preact/hooks';
import type { PhoneEntry, TableColumn } from '../../../fleet/phones.ts';
import { say } from '../../../text/say.ts';
import { COLUMNS, columnsOf } from './columns.tsx';
import { basisOf, type SelectionProps, type Shown, type ViewProps } from './parts.tsx';
import { exactFirst, linkTo } from './view.ts';

/** Maximum number of rows on the page. */
const PAGE_ROWS = 100;

/** The selected phones, {@link PAGE_ROWS} at a time. A new view begins with the first one. */
export function Table({ shown, view, onView, selected }: SelectionProps) {
  // Opening a phone leaves the table unchanged.
  const fragment = linkTo({ ...view, phone: undefined });
  const { phones } = shown;
  const entries = useMemo(() => {
    const ordered = phones.ordered(view.sort, view.descending);
    const shown = selected === undefined ? ordered : ordered.filter((entry) => selected.has(entry));
    return exactFirst(shown, view.query);
  }, [phones, selected, fragment]);
  const [page, setPage] = useState({ fragment, first: 0 });
  const top = useRef<HTMLTableElement>(null);
  const last = entries.length - 1;
  const wanted = page.fragment === fragment ? Math.max(0, Math.min(page.first, last)) : 0;
  const first = wanted - (wanted % PAGE_ROWS);
  const rows = entries.slice(first, first + PAGE_ROWS);
  const columns = columnsOf(shown.fleet);
  const end = first + rows.length;
  const turn = (title: string, to: number) => (
    <button
      type="button"
      class="button"
      onClick={() => {
        setPage({ fragment, first: to });
        top.current?.scrollIntoView();
      }}
    >
      {title}
    </button>
  );
  return (
    <div class="table">
      <table
        ref={top}
        class="grid"
        aria-label={say('page-phones')}
        aria-colcount={columns.length}
        aria-rowcount={entries.length + 1}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column} column={column} view={view} onView={onView} />
            ))}
          </tr>
        </thead>
        <tbody class="rows">
          {rows.map((entry, index) => (
            <Row key={entry.key} entry={entry} index={first + index} columns={columns} shown={shown} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && (
        <p id="empty" class="calm">
          {phones.entries.length === 0 ? say('page-no-phones') : say('page-none-matches')}
        </p>
      )}
      {rows.length < entries.length && (
        <p class="pages">
          {first > 0 && turn(say('page-previous', { count: PAGE_ROWS }), first - PAGE_ROWS)}{' '}
          {say('page-range', { from: first + 1, to: end, all: entries.length })}{' '}
          {end <= last && turn(say('page-next', { count: Math.min(PAGE_ROWS, entries.length - end) }), end)}
        </p>
      )}
    </div>
  );
}

type HeadingProps = Pick<ViewProps, 'view' | 'onView'> & { readonly column: TableColumn };

function Heading({ column, view: { sort, descending }, onView }: HeadingProps) {
  const isSorted = sort === column;
  const order = isSorted ? (descending ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" class={`cell-${column}`} data-column={column} aria-sort={order}>
      <button
        type="button"
        class="sort"
        onClick={() => onView({ sort: column, descending: isSorted && !descending })}
      >
        {say(`column-${column}`)}
      </button>
      <span aria-hidden="true">{isSorted && (descending ? ' ↓' : ' ↑')}</span>
    </th>
  );
}

type RowProps = { readonly entry: PhoneEntry; readonly index: number; readonly shown: Shown };

function Row({ entry, index, columns, shown }: RowProps & { readonly columns: readonly TableColumn[] }) {
  return (
    // The heading is the first row.
    <tr class="row" aria-rowindex={index + 2} data-state={basisOf(shown, entry.phone.account).state}>
      {columns.map((column) => {
        const [main, small] = COLUMNS[column](entry, shown);
        return (
          <td key={column} class={`cell-${column}`}>
            <span class="main">{main}</span>
            {small !== undefined && <span class="small">{small}</span>}
          </td>
        );
      })}
    </tr>
  );
}
