import { useMemo, useState } from 'preact/hooks';
import { Figures, Fold, type PageSection, type SectionProps, useFetched } from '../../page/browser/parts.tsx';
import type { HistoryDocument } from '../document.ts';
import { Chart, fullText } from './chart.tsx';
import { comparisonOf, marksOf, type Picture, picturesOf } from './pictures.ts';
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
export const history: PageSection = { name: 'history', place: 'before phones', Section: History };

function History({ shown }: Pick<SectionProps, 'shown'>) {
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
    () => (history === undefined || typeof history === 'string' ? [] : picturesOf(history, hours)),
    [history, hours],
  );
  const comparison = useMemo(() => comparisonOf(pictures, fleet.phones), [pictures, fleet]);
  return (
    <section aria-labelledby="history-heading" id="history">
      <div class="toolbar">
        <h2 id="history-heading">{WORDS.title}</h2>
        {comparison !== undefined && (
          <strong data-tone={comparison.isWorse ? 'bad' : 'good'} class="badge">
            {comparison.text}
          </strong>
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
        </span>
      </div>
      {typeof history === 'string' ? (
        <p class="small">{`${WORDS.none} ${history}`}</p>
      ) : (
        <div class="charts">
          {pictures.map((picture) => (
            <figure key={picture.title} class="chart">
              <figcaption>{picture.title}</figcaption>
              <Chart picture={picture} marks={marks} />
            </figure>
          ))}
        </div>
      )}
      {pictures.length > 0 && (
        <Fold id="figures" title={WORDS.table}>
          <PictureFigures pictures={pictures} />
        </Fold>
      )}
    </section>
  );
}

/** The figures of the charts as a table, the newest first. */
function PictureFigures({ pictures }: { readonly pictures: readonly Picture[] }) {
  const columns = pictures.flatMap(({ title, lines, textOf }) =>
    lines.map((line) => ({ title: lines.length === 1 ? title : line.title, values: line.values, textOf })),
  );
  const rows = (pictures[0]?.ends ?? []).map((end, index) => ({
    key: end,
    name: fullText(end),
    cells: columns.map(({ values, textOf }) => {
      const value = values[index] ?? null;
      return { text: value === null ? '–' : textOf(value) };
    }),
  }));
  const headings = ['Time', ...columns.map(({ title }) => title)];
  return <Figures title="Figures over time" headings={headings} rows={rows.reverse()} />;
}
