import type { ComponentChild } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { FleetDocument } from '../../../fleet/document.ts';
import { durationText, heartbeatAge, parseTime, rentalDuration } from '../../../fleet/freshness.ts';
import {
  type PhoneEntry,
  phoneState,
  TABLE_COLUMNS,
  type TableColumn,
  tagNames,
  tagsText,
  tunnelWord,
} from '../../../fleet/phones.ts';
import { PROBLEM_FACTS, problemTitle, RENTAL_TONES, statusText, type Tone } from '../../../fleet/words.ts';
import { say } from '../../../text/say.ts';
import { basisOf, Instant, Link, Name, type SelectionProps, type Shown, type ViewProps } from './parts.tsx';
import { exactFirst, linkTo } from './view.ts';

/** The content of a column for a phone: a line, and a smaller one below it. */
type Lines = readonly [main: ComponentChild, small?: ComponentChild];

/** The columns of the table, which are also the facts about a single phone. */
export const COLUMNS: Readonly<Record<TableColumn, (entry: PhoneEntry, shown: Shown) => Lines>> = {
  phone: ({ phone, name, key }) => [
    <Link key={key} href={linkTo({ phone: key })} name="open" text={name} />,
    name === phone.id ? undefined : phone.id,
  ],
  account: ({ phone }) => [phone.account],
  problem: ({ phone: { problem, absent } }) => [
    problem === undefined ? absent || '–' : badge(problemTitle(problem), PROBLEM_FACTS[problem].tone),
    absent && badge(say('page-missing'), 'info'),
  ],
  rental: rentalLines,
  marketplace: ({ phone }) => [statusText(phone.marketplaceStatus)],
  heartbeat: heartbeatLines,
  tunnel: ({ phone: { tunnel } }) => {
    const word = tunnel && tunnelWord(tunnel);
    return [word === undefined ? '–' : badge(statusText(word), word === 'up' ? 'good' : 'bad')];
  },
  rotation: ({ phone: { rotationStatus, rotationIntervalSeconds: seconds } }) => [
    statusText(rotationStatus),
    seconds === undefined ? undefined : say('page-every', { interval: durationText(seconds) }),
  ],
  setup: ({ phone }) => [statusText(phone.setupStatus)],
  model: ({ phone: { brand, model, appVersion } }) => [
    <Name key="model">{model || '–'}</Name>,
    <Name key="app">{[brand, appVersion].filter(Boolean).join(' · ')}</Name>,
  ],
  tags: ({ phone }) => [<Name key="tags">{tagsText(phone) || '–'}</Name>],
};

/** Lists the columns that a fleet needs. */
export function columnsOf({ accounts, exporter }: FleetDocument): readonly TableColumn[] {
  return TABLE_COLUMNS.filter(
    (column) =>
      (column !== 'account' || accounts.length > 1) && (column !== 'tags' || tagNames(exporter).length > 0),
  );
}

export function badge(text: string, tone: Tone | undefined) {
  return (
    <span class="badge" data-tone={tone}>
      {text}
    </span>
  );
}

function rentalLines({ phone }: PhoneEntry, shown: Shown): Lines {
  const { rentalStatus = '', rentalStatusSince } = phone;
  const status = badge(statusText(phone.rentalStatus), RENTAL_TONES[rentalStatus]);
  if (rentalStatusSince === undefined) return [status];
  const duration = `${rentalDuration(phone, basisOf(shown, phone.account).asOf)} · `;
  const prefix = phone.rentalStatusBeginSeen ? duration : `${say('page-since-before')} `;
  return [status, [prefix, <Instant key="since" at={rentalStatusSince} shown={shown} />]];
}

/** The age and time of the heartbeat. A stale age is shown with the time it is from instead. */
function heartbeatLines({ phone }: PhoneEntry, shown: Shown): Lines {
  const { lastHeartbeatAt, heartbeatAgeSeconds, offlineAfterReason, offlineAfterSeconds } = phone;
  const at = parseTime(lastHeartbeatAt);
  if (at === undefined || heartbeatAgeSeconds === undefined) return [say('page-no-data')];
  const basis = basisOf(shown, phone.account);
  const moves = basis.state === 'fresh' || basis.learnedAt === undefined;
  const duration = durationText(heartbeatAge(heartbeatAgeSeconds, basis));
  const limit =
    offlineAfterReason === undefined
      ? ''
      : ` · ${say('page-limit', { duration: durationText(offlineAfterSeconds) })}`;
  return [
    <span key="age" data-tone={phoneState(phone) === 'offline' ? 'warn' : undefined}>
      {moves ? say('page-ago', { duration }) : duration}
    </span>,
    `${moves ? shown.time(at) : say('page-at-time', { time: shown.time(basis.asOf) })}${limit}`,
  ];
}

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
