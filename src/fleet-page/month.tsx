import { useRef, useState } from 'preact/hooks';
import type { MonthDocument, MonthDocumentDay, MonthDocumentRow } from '../fleet/document.ts';
import { monthVerdict } from '../fleet/month.ts';
import { countText, hoursText, moneyText, numberText, percentText } from '../fleet/words.ts';
import { groupingWord, MONTH_GROUPINGS } from '../model/month.ts';
import { Choice, type Figure, Figures, Fold, Link, Name, type Shown, useFetched } from './parts.tsx';
import { linkTo, phoneFragment } from './view.ts';

/*
 * The month on the page: what the time of each phone, group or model went to, the worst first. It is fetched when its
 * section is opened, and whenever a choice changes.
 */

const PATH = 'api/v1/month';

/** Rows that are shown; the CSV has all. */
const SHOWN = 100;

/** Months that can be chosen, the one that runs included: as many as files are kept by default. */
const MONTHS = 14;

/** Separators of the CSV: a semicolon where the decimal sign is a comma, in most of Europe. */
const SEPARATORS = ['semicolon', 'comma'] as const;

/** Columns of hours, in their order, which add up to the time in which a phone was listed; and their colours. */
const TIMES = [
  ['sold_silent', 'Sold, silent', 'sold_silent'],
  ['sold_reporting', 'Sold, reporting', 'sold'],
  ['planned', 'Planned', 'in_maintenance'],
  ['self_rented', 'Self-rented', 'self_rented'],
  ['idle', 'Idle', 'idle'],
  ['other', 'Other', 'off'],
  ['unknown', 'Unknown', 'unknown'],
] as const;

/** A cell without a value. */
const NONE = '–';

export function Month({ shown }: { readonly shown: Shown }) {
  return (
    <Fold id="month-section" title="Month">
      <ChosenMonth shown={shown} />
    </Fold>
  );
}

function ChosenMonth({ shown }: { readonly shown: Shown }) {
  const [month, setMonth] = useState('');
  const [by, setBy] = useState<string>('phone');
  // The exporter knows which month runs where the owner is.
  const present = useRef('');
  const groupings = [...MONTH_GROUPINGS, ...(shown.fleet.exporter.tags ?? []).map((tag) => `tag:${tag}`)];
  const query = new URLSearchParams({ ...(month === '' ? {} : { month }), by }).toString();
  const answer = useFetched<MonthDocument>(`${PATH}?${query}`);
  if (answer !== undefined && present.current === '')
    present.current =
      typeof answer === 'string' ? new Date(shown.now).toISOString().slice(0, 7) : answer.month;
  return (
    <>
      <p class="controls">
        <Choice
          label="Month"
          options={[
            ['', 'This month'],
            ...earlierMonths(present.current).map((each) => [each, each] as const),
          ]}
          value={month}
          onChoose={setMonth}
        />
        <Choice
          label="Added up"
          options={groupings.map((each) => [each, `by ${groupingWord(each)}`])}
          value={by}
          onChoose={setBy}
        />
        {SEPARATORS.map((separator) => (
          <a key={separator} href={`${PATH}?${query}&format=csv&separator=${separator}`} download>
            {`CSV with ${separator}s`}
          </a>
        ))}
      </p>
      {answer === undefined || typeof answer === 'string' ? (
        <p role="status">{answer === undefined ? 'Loading' : `No month: ${answer}`}</p>
      ) : (
        <KnownMonth month={answer} shown={shown} />
      )}
    </>
  );
}

/** The months before one. */
function earlierMonths(month: string): readonly string[] {
  if (month === '') return [];
  const [year = 0, number = 1] = month.split('-').map(Number);
  return Array.from({ length: MONTHS - 1 }, (_, index) =>
    new Date(Date.UTC(year, number - 2 - index)).toISOString().slice(0, 7),
  );
}

type MonthProps = { readonly month: MonthDocument; readonly shown: Shown };

function KnownMonth({ month, shown: { fleet } }: MonthProps) {
  const { by, rows, days = [], unreadableLines = 0 } = month;
  const currencyOf = (name: string): string | undefined =>
    fleet.accounts.find((account) => account.name === name)?.currency;
  const more = rows.length > SHOWN ? `, the worst ${SHOWN} of them; the CSV has all` : '';
  const unreadable =
    unreadableLines === 0
      ? ''
      : ` ${numberText(unreadableLines)} lines of its file are not as they were written, and count for nothing.`;
  const word = groupingWord(by);
  const [one, many] = by === word ? [by, `${by}s`] : [`value of ${word}`, `values of ${word}`];
  const said = rows.length === 0 ? 'Nothing is known of it.' : `${countText(rows.length, one, many)}${more}.`;
  return (
    <>
      <p role="status">{`${said}${unreadable} ${monthVerdict(month, currencyOf)}`.trim()}</p>
      {days.length > 0 && <Days days={days} />}
      <MonthTable month={month} isOne={fleet.accounts.length < 2} currencyOf={currencyOf} />
    </>
  );
}

/** A bar for each day: what the time of all phones went to. */
function Days({ days }: { readonly days: readonly MonthDocumentDay[] }) {
  const textOf = (day: MonthDocumentDay): string => {
    const hours = TIMES.flatMap(([column, title]) => {
      const seconds = day[`${column}_seconds`];
      return seconds === 0 ? [] : [`${title} ${hoursText(seconds)} h`];
    });
    return `${day.date}: ${hours.join(', ')}`;
  };
  return (
    <figure>
      <ol class="days">
        {days.map((day) => (
          <li key={day.date} title={textOf(day)}>
            <span class="hidden">{textOf(day)}</span>
            <span class="day" aria-hidden="true">
              {TIMES.map(([column, , cell]) => (
                <span key={column} data-cell={cell} style={{ flexGrow: day[`${column}_seconds`] }} />
              ))}
            </span>
            <span class="small" aria-hidden="true">
              {day.date.slice(-2)}
            </span>
          </li>
        ))}
      </ol>
      <figcaption class="small">
        {TIMES.map(([column, title, cell]) => (
          <span key={column}>
            <span class="cell" data-cell={cell} /> {`${title}\u2002`}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

type MonthTableProps = {
  readonly month: MonthDocument;
  /** There is one account. */
  readonly isOne: boolean;
  readonly currencyOf: (account: string) => string | undefined;
};

function MonthTable({ month: { by, rows }, isOne, currencyOf }: MonthTableProps) {
  const hasEstimate = rows.some(({ estimate }) => estimate !== undefined);
  const headings = [
    by === 'phone' ? 'Phone' : by === 'group' ? 'Group' : by === 'model' ? 'Model' : groupingWord(by),
    ...(isOne ? [] : ['Account']),
    'Available',
    'Sold',
    'Interruptions',
    ...TIMES.map(([, title]) => `${title}\u00A0h`),
    ...(hasEstimate ? ['Silence, estimate', 'Idleness, estimate'] : []),
  ];
  const lines = rows.slice(0, SHOWN).map((row) => {
    const { account, id, name, availability, soldShare, timesOthers, estimate } = row;
    const times = timesOthers === undefined ? '' : ` (${timesOthers.toFixed(1)} × the others)`;
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
      { text: `${numberText(row.interruptions)}${times}`, tone: times === '' ? undefined : 'warn' },
      ...TIMES.map(([column]) => ({ text: row[column] === 0 ? NONE : hoursText(row[column]) })),
      ...(hasEstimate ? [money(estimate?.silentCents), money(estimate?.idleCents)] : []),
    ];
    return { key: `${account}/${id ?? ''}/${name}`, name: nameOf(row, by), cells };
  });
  return <Figures title="Month" headings={headings} rows={lines} />;
}

/** Names a phone or a group with a link to it. */
function nameOf({ account, id, name }: MonthDocumentRow, by: MonthDocument['by']) {
  const text = name.trim() || id || 'none';
  if (id !== undefined) return <Link href={phoneFragment(`${account}/${id}`)} text={text} />;
  return by === 'group' && name !== '' ? (
    <Link href={linkTo({ group: name })} text={text} />
  ) : (
    <Name>{text}</Name>
  );
}
