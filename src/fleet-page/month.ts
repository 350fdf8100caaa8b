import type { FleetDocument, MonthDocument, MonthDocumentRow } from '../fleet/document.ts';
import { monthVerdict } from '../fleet/month.ts';
import { hoursText, moneyText, numberText, percentText } from '../fleet/words.ts';
import { byId, element, isolated, setText } from './dom.ts';
import { DEFAULT_VIEW, fragmentOf, phoneFragment } from './view.ts';

/*
 * The month on the page: what the time of each phone, group or model went to, the worst first. It is asked for when its
 * section is opened, and whenever a choice changes.
 */

const PATH = 'api/v1/month';
const TIMEOUT_MILLISECONDS = 30_000;

/** Rows that are shown; the CSV has all. */
const SHOWN = 100;

/** Months that can be chosen, the one that runs included: as many as files are kept by default. */
const MONTHS = 14;

const GROUPINGS = [
  ['phone', 'by phone'],
  ['group', 'by group'],
  ['model', 'by model'],
] as const;

/** Separators of the CSV: a semicolon where the decimal sign is a comma, in most of Europe. */
const SEPARATORS = ['semicolon', 'comma'] as const;

/** Columns of hours, in their order, which add up to the time in which a phone was listed. */
const TIMES = [
  ['sold_silent', 'Sold, silent'],
  ['sold_reporting', 'Sold, reporting'],
  ['planned', 'Planned'],
  ['self_rented', 'Self-rented'],
  ['idle', 'Idle'],
  ['other', 'Other'],
  ['unknown', 'Unknown'],
] as const;

/** A cell without a value. */
const NONE = '–';

/** Makes the section work. `fleet` returns what the page knows now, `now` the time in milliseconds since 1970. */
export function createMonthView(fleet: () => FleetDocument | undefined, now: () => number): void {
  const section = byId('month-section');
  const months = element('select', { 'aria-label': 'Month' }, element('option', { value: '' }, 'This month'));
  const groupings = element(
    'select',
    { 'aria-label': 'Added up' },
    ...GROUPINGS.map(([value, words]) => element('option', { value }, words)),
  );
  const files = SEPARATORS.map((separator) => {
    const link = element('a', { href: PATH, download: '' }, `CSV with ${separator}s`);
    return { separator, link };
  });
  byId('month-controls').replaceChildren(months, groupings, ...files.map(({ link }) => link));

  let asked = 0;
  const load = async (): Promise<void> => {
    asked += 1;
    const own = asked;
    setText(byId('month-said'), 'Loading');
    const month = months.value === '' ? {} : { month: months.value };
    const query = new URLSearchParams({ ...month, by: groupings.value });
    for (const { separator, link } of files)
      link.setAttribute('href', `${PATH}?${query}&format=csv&separator=${separator}`);
    const answer = await fetchMonth(`${PATH}?${query}`);
    if (own !== asked) return;
    // The exporter knows which month runs where the owner is.
    if (months.options.length === 1)
      months.append(
        ...earlierMonths(typeof answer === 'string' ? localMonth(new Date(now())) : answer.month),
      );
    if (typeof answer === 'string') {
      setText(byId('month-said'), answer);
      byId('month').replaceChildren();
      return;
    }
    show(answer, fleet());
  };
  section.addEventListener('toggle', () => {
    if (section.hasAttribute('open')) void load();
  });
  for (const choice of [months, groupings]) choice.addEventListener('change', () => void load());
}

/** Resolves to the month, or to a sentence about why there is none. */
async function fetchMonth(url: string): Promise<MonthDocument | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    if (!response.ok) return `No month: ${(await response.text()).trim() || `status ${response.status}`}`;
    return await response.json();
  } catch {
    return 'No month: the exporter does not answer.';
  }
}

function localMonth(date: Date): string {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** The months before one. */
function earlierMonths(month: string): readonly HTMLElement[] {
  const [year, number] = month.split('-').map(Number);
  return Array.from({ length: MONTHS - 1 }, (_, index) => {
    const value = new Date(Date.UTC(year ?? 0, (number ?? 1) - 2 - index)).toISOString().slice(0, 7);
    return element('option', { value }, value);
  });
}

function show(document: MonthDocument, fleet: FleetDocument | undefined): void {
  const { by, rows, unreadableLines = 0 } = document;
  const accounts = fleet?.accounts ?? [];
  const isOne = accounts.length < 2;
  const hasEstimate = rows.some(({ estimate }) => estimate !== undefined);
  const currencyOf = (name: string): string | undefined =>
    accounts.find((account) => account.name === name)?.currency;
  const headings = [
    by === 'phone' ? 'Phone' : by === 'group' ? 'Group' : 'Model',
    ...(isOne ? [] : ['Account']),
    'Available',
    'Sold',
    'Interruptions',
    ...TIMES.map(([, title]) => `${title}\u00A0h`),
    ...(hasEstimate ? ['Silence, estimate', 'Idleness, estimate'] : []),
  ];
  const lineOf = (row: MonthDocumentRow): HTMLElement => {
    const { account, availability, soldShare, estimate } = row;
    const cells: readonly (readonly [text: string, tone?: string | undefined])[] = [
      ...(isOne ? [] : [[account] as const]),
      [
        percentText(availability, 1, NONE),
        availability !== undefined && availability < 0.99 ? 'warn' : undefined,
      ],
      [percentText(soldShare, 1, NONE)],
      [timesText(row), row.timesOthers === undefined ? undefined : 'warn'],
      ...TIMES.map(([column]) => [row[column] === 0 ? NONE : hoursText(row[column])] as const),
      ...(hasEstimate ? amountsOf(estimate, currencyOf(account)) : []),
    ];
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, nameOf(row, by)),
      ...cells.map(([text, tone]) => element('td', { 'data-tone': tone }, text)),
    );
  };
  const shown = rows.slice(0, SHOWN);
  const count = `${numberText(rows.length)} ${rows.length === 1 ? by : `${by}s`}`;
  const more = rows.length > SHOWN ? `, the worst ${SHOWN} of them; the CSV has all` : '';
  const unreadable =
    unreadableLines === 0
      ? ''
      : ` ${numberText(unreadableLines)} lines of its file are not as they were written, and count for nothing.`;
  const said = rows.length === 0 ? 'Nothing is known of it.' : `${count}${more}.`;
  setText(byId('month-said'), `${said}${unreadable} ${monthVerdict(document, currencyOf)}`.trim());
  byId('month').replaceChildren(
    element(
      'div',
      { class: 'month-scroll', tabindex: '0', role: 'region', 'aria-label': 'Month' },
      element(
        'table',
        { class: 'month-table' },
        element(
          'thead',
          {},
          element('tr', {}, ...headings.map((text) => element('th', { scope: 'col' }, text))),
        ),
        element('tbody', {}, ...shown.map(lineOf)),
      ),
    ),
  );
}

/** Names a phone or a group with a link to its rows in the table. */
function nameOf({ account, id, name }: MonthDocumentRow, by: MonthDocument['by']): HTMLElement {
  const text = isolated(name.trim() || id || 'none');
  if (id !== undefined) return element('a', { href: phoneFragment(`${account}/${id}`) }, text);
  if (by !== 'group' || name === '') return text;
  return element('a', { href: fragmentOf({ ...DEFAULT_VIEW, group: name }) }, text);
}

function timesText({ interruptions, timesOthers }: MonthDocumentRow): string {
  const times = timesOthers === undefined ? '' : ` (${timesOthers.toFixed(1)} × the others)`;
  return `${numberText(interruptions)}${times}`;
}

function amountsOf(
  estimate: MonthDocumentRow['estimate'],
  currency: string | undefined,
): readonly (readonly [text: string])[] {
  if (estimate === undefined) return [[NONE], [NONE]];
  return [[moneyText(estimate.silentCents, currency)], [moneyText(estimate.idleCents, currency)]];
}
