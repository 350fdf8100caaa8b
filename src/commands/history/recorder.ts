import { formatValue } from '../../metrics/text.ts';

/** Keeps what was scraped, and writes it as Prometheus' backfilling reads it. */
export type Recorder = {
  /** Takes a page in the text format 0.0.4 as it was scraped at an instant, in milliseconds since 1970. */
  readonly record: (page: string, at: number) => void;
  /** Everything recorded, as OpenMetrics text (version 1.0.0), in pieces. */
  readonly text: () => Iterable<string>;
};

/** Numbers, since a piece of a page's text would keep the whole page. */
type Series = { readonly key: string; readonly times: number[]; readonly values: number[] };
type Family = { readonly type: string; readonly series: Map<string, Series> };

/** What the process that plays the past is and does was not so in the past. */
const OF_THIS_PROCESS = /^(?:process|nodejs)_/;

/**
 * @param targetLabels text of the labels that Prometheus gives to every series of a target
 */
export function createRecorder(targetLabels: string): Recorder {
  const families = new Map<string, Family>();
  return {
    record: (page, at) => {
      let family: Family | undefined;
      for (const line of page.split('\n')) {
        if (line.startsWith('# TYPE ')) family = familyOf(families, line);
        else if (family !== undefined && line !== '' && !line.startsWith('#')) take(family, line, at);
      }
    },
    *text() {
      for (const [name, { type, series }] of families) {
        // The family of a counter is called without the ending of its samples.
        yield `# TYPE ${type === 'counter' ? name.replace(/_total$/, '') : name} ${type}\n`;
        for (const each of series.values()) yield samplesOf(each);
      }
      yield '# EOF\n';
    },
  };

  function take({ series }: Family, line: string, at: number): void {
    const end = line.lastIndexOf(' ');
    const name = line.slice(0, end);
    let known = series.get(name);
    if (known === undefined) {
      known = { key: withLabels(name, targetLabels), times: [], values: [] };
      series.set(name, known);
    }
    known.times.push(at / 1000);
    known.values.push(Number(line.slice(end + 1).replace('Inf', 'Infinity')));
  }
}

function familyOf(families: Map<string, Family>, line: string): Family | undefined {
  const [, , name = '', type = ''] = line.split(' ');
  if (OF_THIS_PROCESS.test(name)) return undefined;
  const family = families.get(name) ?? { type, series: new Map() };
  families.set(name, family);
  return family;
}

function withLabels(name: string, labels: string): string {
  if (!name.endsWith('}')) return `${name}{${labels}}`;
  return `${name.slice(0, -1)}${name.endsWith('{}') ? '' : ','}${labels}}`;
}

function samplesOf({ key, times, values }: Series): string {
  return values.map((value, index) => `${key} ${formatValue(value)} ${times[index]}\n`).join('');
}
