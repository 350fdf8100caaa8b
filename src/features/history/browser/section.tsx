import { useMemo, useState } from 'preact/hooks';
import { Figures, type PageSection, type SectionProps, useFetched } from '../../page/browser/parts.tsx';
import type { HistoryDocument } from '../document.ts';
import { Chart, fullText } from './chart.tsx';
import { comparisonOf, type Mark, marksOf, type Picture, picturesOf, withPresent } from './pictures.ts';
import { WORDS } from './words.ts';

/** Length of an interval. The history is fetched once in an interval. */
const STEP_MILLISECONDS = 600_000;

/** Ranges to choose from: the query and the hours to show. A day is compared with the one before. */
const RANGES = [
  { title: '24 h', query: 'hours=48', hours: 24 },
  { title: '48 h', query: 'hours=48', hours: undefined },
  { title: '31 days', query: 'days=31', hours: undefined },
] as const;

/** The section of the page: phones and balance over time. */
export const history: PageSection = {
  name: 'history',
  title: WORDS.title,
  place: 'after phones',
  // On a telephone, what is wrong now and the wall come first.
  isOpen: () => matchMedia('(min-width: 481px)').matches,
  Section: History,
};

function History({ shown }: SectionProps) {
  const [isTable, setTable] = useState(false);
  const [range, setRange] = useState<(typeof RANGES)[number]>(RANGES[0]);
  const { query, hours } = range;
  const history = useFetched<HistoryDocument>(
    `api/v1/history?${query}`,
    Math.floor(shown.now / STEP_MILLISECONDS),
  );
  const { fleet } = shown;
  const marksNow = useMemo(() => JSON.stringify(marksOf(fleet.incidents)), [fleet]);
  // A chart is drawn again for new marks, not for each document.
  const marks = useMemo(() => marksOf(fleet.incidents), [marksNow]);
  const pictures = useMemo(
    () => (typeof history === 'object' ? picturesOf(withPresent(history, fleet), hours) : []),
    [history, hours, fleet],
  );
  const comparison = useMemo(() => comparisonOf(pictures, fleet.phones), [pictures, fleet]);
  return (
    <>
      <div class="toolbar">
        {comparison !== undefined && (
          <span data-tone={comparison.isWorse ? 'bad' : undefined}>{comparison.text}</span>
        )}
        <span class="legend controls">
          {RANGES.map((each) => (
            <button
              key={each.title}
              type="button"
              aria-pressed={each === range}
              onClick={() => setRange(each)}
            >
              {each.title}
            </button>
          ))}
          <button type="button" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {WORDS.table}
          </button>
        </span>
      </div>
      {typeof history === 'string' && <p class="small">{`${WORDS.none} ${history}`}</p>}
      {isTable ? (
        pictures.map((picture) => <PictureFigures key={picture.title} picture={picture} />)
      ) : (
        <div class="charts">
          {pictures.map((picture) => (
            <Chart key={picture.title} picture={picture} marks={picture.barSeconds > 0 ? NO_MARKS : marks} />
          ))}
        </div>
      )}
    </>
  );
}

const NO_MARKS: readonly Mark[] = [];

/** The figures of a chart as a table, the newest first. */
function PictureFigures({ picture: { title, ends, lines, textOf } }: { readonly picture: Picture }) {
  const rows = ends.map((end, index) => ({
    key: end,
    name: fullText(end),
    cells: lines.map(({ values }) => {
      const value = values[index] ?? null;
      return { text: value === null ? '–' : textOf(value) };
    }),
  }));
  return (
    <Figures title={title} headings={[title, ...lines.map((line) => line.title)]} rows={rows.reverse()} />
  );
}
