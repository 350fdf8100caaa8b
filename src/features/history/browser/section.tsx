import { useMemo, useState } from 'preact/hooks';
import { say } from '../../../text/say.ts';
import { Figures, type PageSection, type SectionProps, useFetched } from '../../page/browser/parts.tsx';
import type { HistoryDocument } from '../document.ts';
import { Chart, type ChartProps, fullText, useLibrary } from './chart.tsx';
import { comparisonOf, type Mark, marksOf, picturesOf } from './pictures.ts';

/** Length of an interval. The history is fetched once per interval. */
const STEP_MILLISECONDS = 600_000;

/** Ranges to choose from: the query and the hours to show. One day is compared with the day before. */
const RANGES = [
  { span: 24, query: 'hours=48', hours: 24 },
  { span: 48, query: 'hours=48', hours: undefined },
  { span: 31, query: 'days=31', hours: undefined },
] as const;

export const history: PageSection = {
  name: 'history',
  get title() {
    return say('history-title');
  },
  place: 'after phones',
  // On a narrow screen, what is wrong now and the wall come first.
  isOpen: () => matchMedia('(min-width: 30.01em)').matches,
  Section: History,
};

function History({ shown }: SectionProps) {
  const library = useLibrary();
  const [wantsTable, setTable] = useState(false);
  const isTable = wantsTable || library === false;
  const [range, setRange] = useState<(typeof RANGES)[number]>(RANGES[0]);
  const { query, hours } = range;
  const history = useFetched<HistoryDocument>(
    `api/v1/history?${query}`,
    Math.floor(shown.now / STEP_MILLISECONDS),
  );
  const { fleet, zone } = shown;
  const marksNow = useMemo(() => JSON.stringify(marksOf(fleet.incidents)), [fleet]);
  // A chart is drawn again for new marks, not for each document.
  const marks = useMemo(() => marksOf(fleet.incidents), [marksNow]);
  const pictures = useMemo(
    () => (typeof history === 'object' ? picturesOf(history, hours, zone) : []),
    [history, hours, zone],
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
              key={each.span}
              type="button"
              aria-pressed={each === range}
              onClick={() => setRange(each)}
            >
              {each.span === 31 ? say('history-days', { count: 31 }) : say('hours', { count: each.span })}
            </button>
          ))}
          <button type="button" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {say('history-table')}
          </button>
        </span>
      </div>
      {typeof history === 'string' && <p class="small">{say('history-failed', { reason: history })}</p>}
      {library === false && (
        <p class="small">{say('history-failed', { reason: say('history-no-library') })}</p>
      )}
      {typeof history === 'object' && pictures.length === 0 && <p class="small">{say('page-no-data-yet')}</p>}
      {isTable ? (
        pictures.map((picture) => <PictureFigures key={picture.title} picture={picture} zone={zone} />)
      ) : (
        <div class="charts">
          {library !== undefined &&
            pictures.map((picture) => (
              <Chart
                key={picture.title}
                library={library}
                picture={picture}
                zone={zone}
                marks={picture.barSeconds > 0 ? NO_MARKS : marks}
              />
            ))}
        </div>
      )}
    </>
  );
}

const NO_MARKS: readonly Mark[] = [];

function PictureFigures({ picture, zone }: Pick<ChartProps, 'picture' | 'zone'>) {
  const { title, ends, lines, textOf, dayOf = (end) => fullText(zone, end) } = picture;
  const rows = ends.map((end, index) => ({
    key: end,
    name: dayOf(end),
    cells: lines.map(({ values }) => {
      const value = values[index] ?? null;
      return { text: value === null ? '–' : textOf(value) };
    }),
  }));
  return (
    <Figures title={title} headings={[title, ...lines.map((line) => line.title)]} rows={rows.reverse()} />
  );
}
