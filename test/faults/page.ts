/** The samples of a family: value by series, written as on the page: `name{label="value"}`. */
export type Samples = ReadonlyMap<string, number>;

/** An exposition, read. */
export type Page = {
  readonly families: ReadonlyMap<string, Samples>;
  /** The value of a series; undefined if there is none. */
  readonly value: (series: string) => number | undefined;
  /** The same, 0 if there is none: for counters and switches. */
  readonly count: (series: string) => number;
  /** The sum of a family over all series that begin like this; 0 if there is none. */
  readonly sum: (family: string, beginning?: string) => number;
};

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const VALUE = '[+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|NaN';
const SAMPLE = new RegExp(`^((${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?\\})?) (${VALUE})$`);
const HELP = new RegExp(`^# HELP (${NAME}) \\S.*$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`);

const NO_SAMPLES: Samples = new Map();

/**
 * Reads an exposition as strictly as it can be read, and throws at what Prometheus would refuse or, worse, take: a line
 * of another form, a family in two places or without HELP and TYPE, a sample outside of its family, a series or a label
 * twice, a text that is not well-formed UTF-16.
 */
export function readPage(text: string): Page {
  if (!text.startsWith('# HELP ')) fail('the page does not begin with a HELP line', text);
  if (!text.endsWith('\n')) fail('the page does not end with a line feed', text.slice(-200));
  if (!text.isWellFormed()) throw new Error('the page holds an unpaired surrogate');
  const families = new Map<string, Samples>();
  for (const block of text.slice(0, -1).split(/\n(?=# HELP )/)) {
    const { name, samples } = remembered(block);
    if (families.has(name)) fail('a family in two places', block);
    families.set(name, samples);
  }
  const value = (series: string) => families.get(series.replace(/\{.*/s, ''))?.get(series);
  return {
    families,
    value,
    count: (series) => value(series) ?? 0,
    sum: (family, beginning = family) => {
      let sum = 0;
      for (const [series, value] of families.get(family) ?? NO_SAMPLES) {
        if (series.startsWith(beginning)) sum += value;
      }
      return sum;
    },
  };
}

type Family = { readonly name: string; readonly samples: Samples };

/** Pages are alike: a family that was read once needs no reading again. */
const MEMO_LIMIT = 1_000;
const memo = new Map<string, Family>();

function remembered(block: string): Family {
  const known = memo.get(block);
  if (known !== undefined) return known;
  const family = readFamily(block);
  if (memo.size >= MEMO_LIMIT) memo.clear();
  memo.set(block, family);
  return family;
}

function readFamily(block: string): Family {
  const [help = '', typing = '', ...lines] = block.split('\n');
  const [, name = ''] = HELP.exec(help) ?? fail('no HELP line', help);
  const [, typed = '', type = ''] = TYPE.exec(typing) ?? fail('no TYPE line', typing);
  if (typed !== name) fail('TYPE does not follow HELP', typing);
  const samples = new Map<string, number>();
  for (const line of lines) {
    // An empty line may stand anywhere.
    if (line === '') continue;
    const { series, metric, value } = rememberedSample(line);
    if (!belongs(metric, name, type)) fail(`not of the family ${name}`, line);
    if (samples.has(series)) fail('a series twice', line);
    samples.set(series, value);
  }
  return { name, samples };
}

type Sample = { readonly series: string; readonly metric: string; readonly value: number };

const SAMPLE_MEMO_LIMIT = 20_000;
const sampleMemo = new Map<string, Sample>();

function rememberedSample(line: string): Sample {
  const known = sampleMemo.get(line);
  if (known !== undefined) return known;
  const sample = readSample(line);
  if (sampleMemo.size >= SAMPLE_MEMO_LIMIT) sampleMemo.clear();
  sampleMemo.set(line, sample);
  return sample;
}

const LABELS = new RegExp(LABEL, 'g');

function readSample(written: string): Sample {
  // prom-client writes `Nan` where no lag was measured; Go's ParseFloat, and so Prometheus, reads it as NaN.
  const line = written.replace(/^(nodejs_eventloop_lag_\w+) Nan$/, '$1 NaN');
  const [, series = '', metric = '', labels = '', value = ''] = SAMPLE.exec(line) ?? fail('no sample', line);
  const names = Array.from(labels.matchAll(LABELS), ([label]) => label.split('=', 1)[0]);
  if (new Set(names).size !== names.length) fail('a label twice', line);
  return { series, metric, value: Number(value.replace('Inf', 'Infinity')) };
}

function belongs(name: string, family: string, type: string): boolean {
  if (type === 'histogram') return ['_bucket', '_sum', '_count'].some((suffix) => name === family + suffix);
  if (type === 'summary') return ['', '_sum', '_count'].some((suffix) => name === family + suffix);
  return name === family;
}

function fail(complaint: string, line: string): never {
  throw new Error(`${complaint}: ${line.slice(0, 200)}`);
}
