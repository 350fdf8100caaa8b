import type { ComponentChild } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { FleetPhone } from '../fleet/document.ts';
import { durationText, heartbeatAge, parseTime, rentalDuration } from '../fleet/freshness.ts';
import { type PhoneEntry, TABLE_COLUMNS, type TableColumn, tunnelWord } from '../fleet/phones.ts';
import {
  numberText,
  PROBLEM_WORDS,
  RENTAL_TONES,
  silenceText,
  statusText,
  type Tone,
} from '../fleet/words.ts';
import { basisOf, Instant, Name, type Shown } from './parts.tsx';
import { linkTo, parseView, phoneFragment, selectPhones, type TableView } from './view.ts';

/** Maximum number of rows in the document; the others are a button away. */
const PAGE_ROWS = 100;

const COLUMN_TITLES: Readonly<Record<TableColumn, string>> = {
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

type TableProps = {
  readonly shown: Shown;
  readonly view: TableView;
  readonly onView: (part: Partial<TableView>) => void;
};

/** The selected phones, {@link PAGE_ROWS} at a time, from the first one on where the view is another. */
export function Table({ shown, view, onView }: TableProps) {
  // Opening a phone leaves the table as it is.
  const fragment = linkTo({ ...view, phone: undefined });
  const entries = useMemo(() => selectPhones(shown.phones, view), [shown.phones, fragment]);
  const [page, setPage] = useState({ fragment, first: 0 });
  const top = useRef<HTMLTableElement>(null);
  const last = entries.length - 1;
  const wanted = page.fragment === fragment ? Math.max(0, Math.min(page.first, last)) : 0;
  const first = wanted - (wanted % PAGE_ROWS);
  const rows = entries.slice(first, first + PAGE_ROWS);
  const columns = TABLE_COLUMNS.filter((column) => column !== 'account' || shown.fleet.accounts.length > 1);
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
    <div>
      <select
        class="sort-by"
        aria-label="Sort by"
        value={view.sort}
        onChange={({ currentTarget: { value } }) =>
          onView({ sort: parseView(`sort=${value}`).sort, descending: false })
        }
      >
        {columns.map((column) => (
          <option key={column} value={column}>
            {`Sort: ${COLUMN_TITLES[column]}`}
          </option>
        ))}
      </select>
      <table
        ref={top}
        class="grid"
        aria-label="Phones"
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
          {shown.phones.entries.length === 0 ? 'No phone can be shown now.' : 'No phone matches the filters.'}
        </p>
      )}
      {rows.length < entries.length && (
        <p class="pages">
          {first > 0 && turn(`The ${PAGE_ROWS} before`, first - PAGE_ROWS)}{' '}
          {`${numberText(first + 1)} to ${numberText(end)} of ${numberText(entries.length)}`}{' '}
          {end <= last && turn(`The next ${numberText(Math.min(PAGE_ROWS, entries.length - end))}`, end)}
        </p>
      )}
    </div>
  );
}

type HeadingProps = Pick<TableProps, 'view' | 'onView'> & { readonly column: TableColumn };

function Heading({ column, view: { sort, descending }, onView }: HeadingProps) {
  const isSorted = sort === column;
  return (
    <th
      scope="col"
      class={`cell-${column}`}
      data-column={column}
      aria-sort={isSorted ? (descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class="sort"
        onClick={() => onView({ sort: column, descending: isSorted && !descending })}
      >
        {COLUMN_TITLES[column]}
      </button>
      <span aria-hidden="true">{isSorted && (descending ? ' ↓' : ' ↑')}</span>
    </th>
  );
}

type RowProps = {
  readonly entry: PhoneEntry;
  readonly index: number;
  readonly columns: readonly TableColumn[];
  readonly shown: Shown;
};

function Row({ entry, index, columns, shown }: RowProps) {
  return (
    // The heading is the first row.
    <tr class="row" aria-rowindex={index + 2} data-state={basisOf(shown, entry.phone.account).state}>
      {columns.map((column) => (
        <td key={column} class={`cell-${column}`}>
          {cellOf(column, entry, shown)}
        </td>
      ))}
    </tr>
  );
}

/** Returns what a cell shows of a phone. */
function cellOf(column: TableColumn, entry: PhoneEntry, shown: Shown): ComponentChild {
  const { phone, name, key } = entry;
  switch (column) {
    case 'phone':
      return (
        <Lines small={name === phone.id ? undefined : phone.id}>
          <a href={phoneFragment(key)} class="open">
            <Name>{name}</Name>
          </a>
        </Lines>
      );
    case 'account':
      return phone.account;
    case 'problem':
      return <Problems phone={phone} />;
    case 'rental':
      return <Rental phone={phone} shown={shown} />;
    case 'marketplace':
      return statusText(phone.marketplaceStatus);
    case 'heartbeat':
      return <Heartbeat phone={phone} shown={shown} />;
    case 'tunnel': {
      const word = phone.tunnel && tunnelWord(phone.tunnel);
      return <Badge status={word} tone={word === undefined ? undefined : word === 'up' ? 'good' : 'bad'} />;
    }
    case 'rotation': {
      const { rotationStatus, rotationIntervalSeconds: seconds } = phone;
      return (
        <Lines small={seconds === undefined ? undefined : `every ${durationText(seconds)}`}>
          {statusText(rotationStatus)}
        </Lines>
      );
    }
    case 'setup':
      return statusText(phone.setupStatus);
    case 'model':
      return (
        <Lines small={<Name>{[phone.brand, phone.appVersion].filter(Boolean).join(' · ')}</Name>}>
          <Name>{phone.model || '–'}</Name>
        </Lines>
      );
  }
}

/** Two lines of a cell, the second one small. */
function Lines({
  children,
  small,
}: {
  readonly children: ComponentChild;
  readonly small: ComponentChild | undefined;
}) {
  return (
    <>
      <span class="main">{children}</span>
      {small !== undefined && <span class="small">{small}</span>}
    </>
  );
}

function Badge({ status, tone }: { readonly status: string | undefined; readonly tone: Tone | undefined }) {
  return status === undefined ? (
    <span>–</span>
  ) : (
    <span class="badge" data-tone={tone}>
      {statusText(status)}
    </span>
  );
}

export function Problems({ phone: { problem, absent } }: { readonly phone: FleetPhone }) {
  if (problem === undefined && absent !== true) return <span>–</span>;
  return (
    <>
      {problem !== undefined && (
        <span class="badge" data-tone={PROBLEM_WORDS[problem].tone}>
          {PROBLEM_WORDS[problem].title}
        </span>
      )}{' '}
      {absent === true && (
        <span class="badge" data-tone="info">
          Off the list
        </span>
      )}
    </>
  );
}

type PhoneProps = { readonly phone: FleetPhone; readonly shown: Shown };

/** Shows the status, its duration and its start. */
function Rental({ phone, shown }: PhoneProps) {
  const { rentalStatus = '', rentalStatusSince } = phone;
  const since = parseTime(rentalStatusSince);
  const text = since && `${rentalDuration(phone, basisOf(shown, phone.account).asOf)} · `;
  return (
    <Lines
      small={
        since && (
          <span title={`first seen so at ${shown.format.full(since)}`}>
            {text}
            <Instant at={rentalStatusSince} shown={shown} />
          </span>
        )
      }
    >
      <Badge status={phone.rentalStatus} tone={RENTAL_TONES[rentalStatus]} />
    </Lines>
  );
}

/** Shows the age and the instant of the heartbeat; for an age that stands still, the instant it is valid for. */
function Heartbeat({ phone, shown }: PhoneProps) {
  const { lastHeartbeatAt, heartbeatAgeSeconds, problem, online, silence, silenceLimitSeconds } = phone;
  const { format, now } = shown;
  const at = parseTime(lastHeartbeatAt);
  if (at === undefined || heartbeatAgeSeconds === undefined) return <span>unknown</span>;
  const basis = basisOf(shown, phone.account);
  const isSilent = !online && problem !== 'not_set_up' && problem !== 'in_maintenance';
  const why = silence === undefined ? undefined : silenceText(silence, silenceLimitSeconds);
  const moves = basis.state === 'fresh' || basis.learnedAt === undefined;
  const duration = durationText(heartbeatAge(heartbeatAgeSeconds, basis));
  return (
    <Lines
      small={
        <>
          <time dateTime={lastHeartbeatAt} title={format.full(at)}>
            {moves ? format.brief(at, now) : `as of ${format.brief(basis.asOf, now)}`}
          </time>
          {why !== undefined && ` · limit ${durationText(silenceLimitSeconds)}`}
        </>
      }
    >
      <span data-tone={isSilent ? 'warn' : undefined} title={why}>
        {moves ? `${duration} ago` : duration}
      </span>
    </Lines>
  );
}
