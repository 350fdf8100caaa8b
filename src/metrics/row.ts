/** A sample of a row: its value, then the values of the row's own labels in their declared order. */
export type Sample = readonly [value: number, ...labelValues: readonly string[]];

/**
 * A gauge: its name, help, labels and how to read it from its subject. Its section adds the labels that identify the subject
 * (`account`, `device_id` …). `read` returns no sample for a missing value, since absent is not zero.
 */
export type Row<Subject> = {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** A stable metric keeps its name, type, labels and meaning (docs/STABILITY.md). */
  readonly stability: Stability;
  readonly read: (subject: Subject) => readonly Sample[];
  /** The option that exports this row; without one, it is always exported. */
  readonly option?: MetricOption;
};

export type Stability = 'stable' | 'experimental';

/** Optional groups of metrics (`features` of the configuration). */
export type MetricOption = 'tunnel_endpoints' | 'rental_ids';

const NONE: readonly Sample[] = [];

/** Creates a gauge with several samples that differ in its own labels. */
export function samples<Subject>(
  name: string,
  help: string,
  labels: readonly string[],
  read: (subject: Subject) => readonly Sample[],
): Row<Subject> {
  return { name, help, labels, stability: 'stable', read };
}

/** Creates a gauge without labels of its own. */
export function gauge<Subject>(
  name: string,
  help: string,
  read: (subject: Subject) => number | undefined,
): Row<Subject> {
  return samples(name, help, [], (subject) => {
    const value = read(subject);
    return value === undefined ? NONE : [[value]];
  });
}

/** Creates a gauge that is 1 for true and 0 for false. */
export function flag<Subject>(
  name: string,
  help: string,
  read: (subject: Subject) => boolean | undefined,
): Row<Subject> {
  return gauge(name, help, (subject) => {
    const value = read(subject);
    return value === undefined ? undefined : Number(value);
  });
}

/** Creates a gauge that is always 1, with text in its labels that can be joined to other series. */
export function info<Subject>(
  name: string,
  help: string,
  labels: readonly string[],
  read: (subject: Subject) => readonly string[] | undefined,
): Row<Subject> {
  return samples(name, help, labels, (subject) => {
    const values = read(subject);
    return values === undefined ? NONE : [[1, ...values]];
  });
}

/**
 * Creates a state set (OpenMetrics' StateSet as Prometheus writes it): one series per state, 1 for the current one, 0 for
 * the others.
 */
export function stateSet<Subject, State extends string>(
  name: string,
  help: string,
  label: string,
  states: readonly State[],
  read: (subject: Subject) => State | undefined,
): Row<Subject> {
  const samplesOf = new Map<State | undefined, readonly Sample[]>(
    states.map((present) => [present, states.map((state): Sample => [state === present ? 1 : 0, state])]),
  );
  return samples(name, help, [label], (subject) => samplesOf.get(read(subject)) ?? NONE);
}

/** Creates a gauge that is always 1 and whose label is the current value of an enum. */
export function currentValue<Subject>(
  name: string,
  help: string,
  label: string,
  read: (subject: Subject) => string | undefined,
): Row<Subject> {
  return info(name, help, [label], (subject) => {
    const value = read(subject);
    return value === undefined ? undefined : [value];
  });
}

/** Returns the row so that it is exported only with an option. */
export function onlyWith<Subject>(option: MetricOption, row: Row<Subject>): Row<Subject> {
  return { ...row, option };
}

/** Returns the row as one that may change with any version. */
export function experimental<Subject>(row: Row<Subject>): Row<Subject> {
  return { ...row, stability: 'experimental' };
}

/** Converts milliseconds to seconds; undefined stays undefined. */
export function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** Maximum size of free text in a label, in bytes. Servers that limit label values allow at least 200. */
const FREE_TEXT_BYTES = 128;

const CHARACTERS = new Intl.Segmenter();

/** Returns people's text as a label value: cut between two characters, with an ellipsis. */
export function freeText(text: string): string {
  if (Buffer.byteLength(text) <= FREE_TEXT_BYTES) return text;
  let left = FREE_TEXT_BYTES - Buffer.byteLength('…');
  let kept = '';
  for (const { segment } of CHARACTERS.segment(text)) {
    left -= Buffer.byteLength(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
