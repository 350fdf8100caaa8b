import type { Sample, SampleTaker } from './sample.ts';

/** What Prometheus calls the type of a metric family, as far as our rows use it. */
export type MetricType = 'gauge' | 'counter';

/**
 * A metric is a row: name, help, type, labels and how to read it from its subject, once. The labels that identify the
 * subject (`account`, `device_id` …) are added by whoever lists the subjects. `read` tells no sample where there is nothing
 * to say, since absent is not zero.
 */
export type Row<Subject> = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly string[];
  readonly read: (subject: Subject, taker: SampleTaker) => void;
  /** Whether `read` says the same of both subjects, found out without making samples where that can be. */
  readonly readsTheSame: (one: Subject, other: Subject) => boolean;
  /** Exported only where this feature is on; always, if there is none. */
  readonly feature?: Feature;
};

/** What is exported or not as somebody wishes (`features` of the configuration). */
export type Feature = 'setupStatus' | 'tunnelDetails' | 'tunnelEndpoints' | 'rentalIds';

const NO_LABELS: readonly string[] = [];

type Declared = Pick<Row<never>, 'name' | 'help' | 'type' | 'labels'>;

/** A row that reads one value of its subject, and tells its samples of that alone. */
function rowOf<Subject, Value>(
  declared: Declared,
  readValue: (subject: Subject) => Value | undefined,
  tell: (value: Value, taker: SampleTaker) => void,
  isSame: (one: Value, other: Value) => boolean = Object.is,
): Row<Subject> {
  return {
    ...declared,
    read: (subject, taker) => {
      const value = readValue(subject);
      if (value !== undefined) tell(value, taker);
    },
    readsTheSame: (one, other) => {
      const [value, otherValue] = [readValue(one), readValue(other)];
      if (value === undefined || otherValue === undefined) return value === otherValue;
      return isSame(value, otherValue);
    },
  };
}

/** A gauge without labels of its own. */
export function gauge<Subject>(
  name: string,
  help: string,
  read: (subject: Subject) => number | undefined,
): Row<Subject> {
  return rowOf({ name, help, type: 'gauge', labels: [] }, read, (value, taker) =>
    taker.take(value, NO_LABELS),
  );
}

/** A gauge that is 1 for true and 0 for false. */
export function flag<Subject>(
  name: string,
  help: string,
  read: (subject: Subject) => boolean | undefined,
): Row<Subject> {
  return rowOf({ name, help, type: 'gauge', labels: [] }, read, (value, taker) =>
    taker.take(value ? 1 : 0, NO_LABELS),
  );
}

/** A gauge that is always 1 and carries text in its labels, to be joined to others. */
export function info<Subject>(
  name: string,
  help: string,
  labels: readonly string[],
  read: (subject: Subject) => readonly string[] | undefined,
): Row<Subject> {
  return rowOf(
    { name, help, type: 'gauge', labels },
    read,
    (values, taker) => taker.take(1, values),
    isSameList,
  );
}

/**
 * A state set (OpenMetrics' StateSet as Prometheus writes it): one series per state, 1 for the present one, 0 for the
 * rest.
 */
export function stateSet<Subject, State extends string>(
  name: string,
  help: string,
  label: string,
  states: readonly State[],
  read: (subject: Subject) => State | undefined,
): Row<Subject> {
  const labelled = eachLabelled(states);
  return rowOf({ name, help, type: 'gauge', labels: [label] }, read, (present, taker) => {
    for (const { state, labelValues } of labelled) taker.take(state === present ? 1 : 0, labelValues);
  });
}

/** The present value of an open enum: one series, always 1, whose label is the value. */
export function currentValue<Subject>(
  name: string,
  help: string,
  label: string,
  read: (subject: Subject) => string | undefined,
): Row<Subject> {
  return rowOf({ name, help, type: 'gauge', labels: [label] }, read, (value, taker) =>
    taker.take(1, [value]),
  );
}

/** A counter for each of some states: one series per state, whose label it is. */
export function counters<Subject, State extends string>(
  name: string,
  help: string,
  label: string,
  states: readonly State[],
  read: (subject: Subject) => Readonly<Record<State, number>>,
): Row<Subject> {
  const labelled = eachLabelled(states);
  return rowOf(
    { name, help, type: 'counter', labels: [label] },
    read,
    (counts, taker) => {
      for (const { state, labelValues } of labelled) taker.take(counts[state], labelValues);
    },
    (one, other) => states.every((state) => one[state] === other[state]),
  );
}

/** States, each with the list that it is as a label, made once. */
function eachLabelled<State extends string>(states: readonly State[]) {
  return states.map((state) => ({ state, labelValues: [state] }));
}

/** Several samples that differ in labels of the row's own. */
export function samples<Subject>(
  type: MetricType,
  name: string,
  help: string,
  labels: readonly string[],
  read: (subject: Subject) => readonly Sample[],
): Row<Subject> {
  return rowOf(
    { name, help, type, labels },
    read,
    (list, taker) => {
      for (const [value, ...labelValues] of list) taker.take(value, labelValues);
    },
    isSameSamples,
  );
}

/** A row that is only exported where the feature is on. */
export function onlyWith<Subject>(feature: Feature, row: Row<Subject>): Row<Subject> {
  return { ...row, feature };
}

/** Rows that see nothing but a part of their subject, so that where the part is the same one, they read the same. */
export function about<Subject, Part>(
  partOf: (subject: Subject) => Part,
  rows: readonly Row<Part>[],
): readonly Row<Subject>[] {
  return rows.map((row) => ({
    ...row,
    read: (subject, taker) => row.read(partOf(subject), taker),
    readsTheSame: (one, other) => {
      const [part, otherPart] = [partOf(one), partOf(other)];
      return part === otherPart || row.readsTheSame(part, otherPart);
    },
  }));
}

function isSameList<Element>(one: readonly Element[], other: readonly Element[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function isSameSamples(one: readonly Sample[], other: readonly Sample[]): boolean {
  return one.length === other.length && one.every((sample, index) => isSameList(sample, other[index] ?? []));
}

/** Milliseconds as the base unit that Prometheus asks for; absent stays absent. */
export function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** Whether an open enum has its one documented value; absent stays absent. */
export function isStatus(status: string | undefined, documented: string): boolean | undefined {
  return status === undefined ? undefined : status === documented;
}
