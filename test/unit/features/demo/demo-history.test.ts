import { describe, expect, it } from 'vitest';
import { createRecorder, schedule } from '../../../../packaging/demo-history.mjs';
import { NOON } from '../../../builders.ts';

const TARGET = 'instance="exporter:9823",job="hoster"';

function textOf(...pages: readonly string[]): string {
  const recorder = createRecorder(TARGET);
  for (const [index, page] of pages.entries()) recorder.record(page, index * 60_000);
  return [...recorder.text()].join('');
}

describe('the recorder of the demo history', () => {
  it('writes the samples of many pages by family and series', () => {
    const page = (value: number) => `# HELP up_total x
# TYPE up_total counter
up_total{account="main"} ${value}
up_total{account="other"} ${value + 0.5}
# HELP age x
# TYPE age gauge
age ${-value}
`;
    expect(textOf(page(1), page(2))).toBe(`# TYPE up counter
up_total{account="main",${TARGET}} 1 0
up_total{account="main",${TARGET}} 2 60
up_total{account="other",${TARGET}} 1.5 0
up_total{account="other",${TARGET}} 2.5 60
# TYPE age gauge
age{${TARGET}} -1 0
age{${TARGET}} -2 60
# EOF
`);
  });

  it('leaves a gap where a series was not on the page', () => {
    const page = (lines: string) => `# TYPE age gauge\n${lines}`;
    expect(textOf(page('age{phone="1"} 1\n'), page(''), page('age{phone="1"} 3\n'))).toBe(`# TYPE age gauge
age{phone="1",${TARGET}} 1 0
age{phone="1",${TARGET}} 3 120
# EOF
`);
  });

  it('keeps labels with spaces, braces and escapes, and infinite values', () => {
    const line = String.raw`age{label="Rack {A} \"1\" \\ 2"} +Inf`;
    expect(textOf(`# TYPE age gauge\n${line}\nage{} NaN\n`)).toBe(`# TYPE age gauge
age{label="Rack {A} \\"1\\" \\\\ 2",${TARGET}} +Inf 0
age{${TARGET}} NaN 0
# EOF
`);
  });

  it('leaves out the metrics of its own process', () => {
    expect(textOf('# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 3\n')).toBe('# EOF\n');
  });
});

describe('the schedule of the demo history', () => {
  const HOUR = 3_600_000;
  const scrapes = (hours: number) =>
    [...schedule(NOON - hours * HOUR, NOON)].filter(({ scraped }) => scraped).map(({ at }) => at);

  it('scrapes at both ends and never more than five minutes apart', () => {
    const times = scrapes(24);
    expect([times[0], times.at(-1)]).toEqual([NOON - 24 * HOUR, NOON]);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(Math.max(...gaps)).toBeLessThan(5 * 60_000);
  });

  it('scrapes the last three hours each minute', () => {
    const times = scrapes(24).filter((at) => at >= NOON - 3 * HOUR);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
  });

  it('has a scrape each minute in a history of one hour', () => {
    expect(scrapes(1)).toHaveLength(61);
  });
});
