import { useRef, useState } from 'preact/hooks';
import type { FleetDocument, FleetPhone } from '../../fleet/document.ts';
import { groupingsOf, groupingWord, isByProperty } from '../../fleet/grouping.ts';
import { currencies } from '../../fleet/money.ts';
import { tagNames } from '../../fleet/phones.ts';
import { hoursText, moneyText, noGroup, numberText, percentText } from '../../fleet/words.ts';
import { MUTED } from '../../model/muted.ts';
import { DAY } from '../../model/time.ts';
import { say } from '../../text/say.ts';
import {
  Choice,
  Days,
  Downloads,
  type Figure,
  Figures,
  Link,
  Name,
  type PageSection,
  type SectionProps,
  useFetched,
} from '../page/browser/parts.tsx';
import { linkTo } from '../page/browser/view.ts';
import type { MonthDocument, MonthDocumentDay, MonthDocumentRow } from './document.ts';
import { GROUPINGS } from './grouping.ts';
import { monthVerdict } from './words.ts';

/* The monthly report on the page. It is fetched when its section is opened and when a choice changes. */

const PATH = 'api/v1/month';

/** Maximum number of rows shown; the CSV has all of them. */
const SHOWN = 100;

/** Columns of hours with their colours. They add up to the time that a phone was listed. */
const TIMES = [
  ['sold_offline', 'sold_offline'],
  ['sold_online', 'sold'],
  [MUTED, 'muted'],
  ['self_rented', 'self_rented'],
  ['idle', 'idle'],
  ['other', 'off'],
  ['unknown', 'unknown'],
] as const;

const titleOf = (column: (typeof TIMES)[number][0]): string => say(`month-time-${column}`);

/** A cell without a value. */
const NONE = '–';

/** The section of the page, and the last days of a phone. */
export const month: PageSection = {
  name: 'month',
  get title() {
    return say('month-title');
  },
  get link() {
    return say('month-title');
  },
  place: 'last',
  Section: Month,
  Phone: LastDays,
};

function Month({ shown }: SectionProps) {
  const [month, setMonth] = useState('');
  const [by, setBy] = useState<string>('phone');
  // The exporter knows the current month in the owner's time zone.
  const present = useRef('');
  const months = useRef<readonly string[]>([]);
  const query = new URLSearchParams({ ...(month === '' ? {} : { month }), by }).toString();
  const answer = useFetched<MonthDocument>(`${PATH}?${query}`);
  if (typeof answer === 'object') {
    present.current ||= answer.month;
    months.current = [...(answer.months ?? [])].reverse();
  }
  return (
    <>
      <p class="controls">
        <Choice
          label={say('month-title')}
          options={[
            ['', say('month-this')],
            ...months.current.filter((each) => each !== present.current).map((each) => [each, each] as const),
          ]}
          value={month}
          onChoose={setMonth}
        />
        <Choice
          label={say('month-group-by')}
          options={groupingsOf(GROUPINGS, tagNames(shown.fleet.exporter)).map((each) => [
            each,
            isByProperty(each) ? say('month-tag-by', { tag: groupingWord(each) }) : say(`month-by-${each}`),
          ])}
          value={by}
          onChoose={setBy}
        />
        <Downloads href={`${PATH}?${query}`} />
      </p>
      {answer === undefined || typeof answer === 'string' ? (
        <p role="status">
          {answer === undefined ? say('page-loading') : say('month-no-report', { reason: answer })}
        </p>
      ) : (
        <KnownMonth month={answer} fleet={shown.fleet} />
      )}
    </>
  );
}

type MonthProps = { readonly month: MonthDocument; readonly fleet: FleetDocument };

function KnownMonth({ month, fleet }: MonthProps) {
  const { by, rows, days = [] } = month;
  const counted = isByProperty(by)
    ? say('month-tag-rows', { count: rows.length, tag: groupingWord(by) })
    : say(`month-rows-${by}`, { count: rows.length });
  const shown = rows.length > SHOWN ? say('month-more', { rows: counted, shown: SHOWN }) : `${counted}.`;
  const count = rows.length === 0 ? say('month-none') : shown;
  return (
    <>
      <p role="status">{`${count} ${monthVerdict(month, currencies(fleet.accounts))}`.trim()}</p>
      {days.length > 0 && <MonthDays days={days} />}
      <MonthTable month={month} fleet={fleet} />
    </>
  );
}

/** The last days of a phone, from the current month and the one before it. */
function LastDays({ phone }: { readonly phone: FleetPhone }) {
  return (
    <>
      <h3>{say('month-last-days')}</h3>
      <KnownDays phone={phone} />
    </>
  );
}

function KnownDays({ phone: { account, id } }: { readonly phone: FleetPhone }) {
  const path = `${PATH}?${new URLSearchParams({ account, phone: id })}`;
  const present = useFetched<MonthDocument>(path);
  const month = typeof present === 'object' ? monthBefore(present.month) : undefined;
  const before = useFetched<MonthDocument>(month && `${path}&month=${month}`);
  if (typeof present === 'string') return <p class="small">{say('month-no-report', { reason: present })}</p>;
  if (present === undefined || before === undefined) return <p class="small">{say('page-loading')}</p>;
  const days = [before, present].flatMap((each) => (typeof each === 'object' ? (each.days ?? []) : []));
  return days.length === 0 ? <p class="small">{say('month-none')}</p> : <MonthDays days={days} />;
}

function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
}

const MAX_DAYS = 31;

/** One bar per day with the times of its phones. A day without data is unknown. */
function MonthDays({ days }: { readonly days: readonly MonthDocumentDay[] }) {
  const [first, last] = [days[0], days[days.length - 1]].map((day) => Date.parse(day?.date ?? ''));
  const dates = Array.from({ length: ((last ?? 0) - (first ?? 0)) / DAY + 1 }, (_, index) =>
    new Date((first ?? 0) + index * DAY).toISOString().slice(0, 10),
  );
  const known = new Map(days.map((day) => [day.date, day]));
  const bars = dates.slice(-MAX_DAYS).map((date) => {
    const day = known.get(date);
    const times = TIMES.map(([column, cell]) => {
      const title = titleOf(column);
      const size = day?.[`${column}_seconds`] ?? Number(column === 'unknown');
      return {
        cell,
        size,
        text: day === undefined ? title : `${title} ${say('hours', { count: hoursText(size) })}`,
      };
    }).filter(({ size }) => size > 0);
    return { date, text: `${date}: ${times.map(({ text }) => text).join(', ')}`, parts: times };
  });
  return (
    <figure>
      <Days days={bars} />
      <figcaption class="small">
        {TIMES.map(([column, cell]) => (
          <span key={column}>
            <span class="cell" data-cell={cell} /> {`${titleOf(column)}\u2002`}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function MonthTable({ month: { by, rows }, fleet: { accounts } }: MonthProps) {
  const isOne = accounts.length < 2;
  const currencyOf = currencies(accounts);
  const hasEstimate = rows.some(({ estimate }) => estimate !== undefined);
  const times = TIMES.filter(([column]) => rows.some((row) => row[column] > 0));
  const headings = [
    isByProperty(by) ? groupingWord(by) : say(`month-heading-${by}`),
    ...(isOne ? [] : [say('month-account')]),
    say('month-available'),
    say('month-sold'),
    say('month-interruptions'),
    // The unit of the hours, as in message "hours".
    ...times.map(([column]) => `${titleOf(column)}\u00A0(${say('hours', { count: '' }).trim()})`),
    ...(hasEstimate ? [say('month-offline-estimate'), say('month-idle-estimate')] : []),
  ];
  const lines = rows.slice(0, SHOWN).map((row) => {
    const { account, id, name, availability, soldShare, estimate } = row;
    const money = (cents: number | undefined): Figure => ({
      text: cents === undefined ? NONE : moneyText(cents, currencyOf(account)),
    });
    const cells: readonly Figure[] = [
      ...(isOne ? [] : [{ text: account }]),
      {
        text: percentText(availability, 1, NONE),
        tone: availability !== undefined && availability < 0.99 ? 'warn' : undefined,
      },
      { text: percentText(soldShare, 1, NONE) },
      { text: numberText(row.interruptions) },
      ...times.map(([column]) => ({ text: row[column] === 0 ? NONE : hoursText(row[column]) })),
      ...(hasEstimate ? [money(estimate?.offlineCents), money(estimate?.idleCents)] : []),
    ];
    return { key: `${account}/${id ?? ''}/${name}`, name: nameOf(row, by), cells };
  });
  return <Figures title={say('month-title')} headings={headings} rows={lines} />;
}

function nameOf({ account, id, name }: MonthDocumentRow, by: MonthDocument['by']) {
  const text = name.trim() || id || (by === 'group' ? noGroup() : say('month-no-value'));
  if (id !== undefined) return <Link href={linkTo({ phone: `${account}/${id}` })} text={text} />;
  return by === 'group' && name !== '' ? (
    <Link href={linkTo({ group: name })} text={text} />
  ) : (
    <Name>{text}</Name>
  );
}
