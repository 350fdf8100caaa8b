/** The type of a metric family, as far as rows use it. */
export type MetricType = 'gauge' | 'counter';

/** A sample of a row: its value, then the values of the row's own labels in their declared order. */
export type Sample = readonly [value: number, ...labelValues: readonly string[]];

/**
 * A metric: name, help, type, labels and how to read it from its subject, on one line and once. The labels that identify
 * the subject (`account`, `device_id` …) are added by its section. `read` returns nothing for a missing value, since absent
 * is not zero.
 */
export type Row<Subject> = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly string[];
  /** A stable metric keeps its name, type, labels and meaning (docs/STABILITY.md). */
  readonly stability: Stability;
  readonly read: (subject: Subject) => readonly Sample[];
  /** The feature that has to be on for this row; always exported without one. */
  readonly feature?: Feature;
};

export type Stability = 'stable' | 'experimental';

/** Optional groups of metrics (`features` of the configuration). */
export type Feature = 'tunnel_endpoints' | 'rental_ids';

const NONE: readonly Sample[] = [];

/** Creates a gauge without labels of its own. */
export function gauge<Subject>(
  name: string,
  help: string,
  read: (subject: Subject) => number | undefined,
): Row<Subject> {
  return {
    name,
    help,
    type: 'gauge',
    stability: 'stable',
    labels: [],
    read: (subject) => {
      const value = read(subject);
      return value === undefined ? NONE : [[value]];
    },
  };
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

/** Creates a gauge that is always 1 and carries text in its labels, to be joined to other series. */
export function info<Subject>(
  name: string,
  help: string,
  labels: readonly string[],
  read: (subject: Subject) => readonly string[] | undefined,
): Row<Subject> {
  return {
    name,
    help,
    type: 'gauge',
    stability: 'stable',
    labels,
    read: (subject) => {
      const values = read(subject);
      return values === undefined ? NONE : [[1, ...values]];
    },
  };
}

/**
 * Creates a state set (OpenMetrics' StateSet as Prometheus writes it): one series per state, 1 for the present one, 0 for
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
  return {
    name,
    help,
    type: 'gauge',
    stability: 'stable',
    labels: [label],
    read: (subject) => samplesOf.get(read(subject)) ?? NONE,
  };
}

/** Creates a gauge that is always 1 and whose label is the present value of an enum. */
export function currentValue<Subject>(
  name: string,
  help: string,
  label: string,
  read: (subject: Subject) => string | undefined,
): Row<Subject> {
  return {
    name,
    help,
    type: 'gauge',
    stability: 'stable',
    labels: [label],
    read: (subject) => {
      const value = read(subject);
      return value === undefined ? NONE : [[1, value]];
    },
  };
}

/** Creates a metric with several samples that differ in its own labels. */
export function samples<Subject>(
  type: MetricType,
  name: string,
  help: string,
  labels: readonly string[],
  read: (subject: Subject) => readonly Sample[],
): Row<Subject> {
  return { name, help, type, labels, stability: 'stable', read };
}

/** Returns the row, exported only where the feature is on. */
export function onlyWith<Subject>(feature: Feature, row: Row<Subject>): Row<Subject> {
  return { ...row, feature };
}

/** Returns the row as one that may change with any version. */
export function experimental<Subject>(row: Row<Subject>): Row<Subject> {
  return { ...row, stability: 'experimental' };
}

/** Converts milliseconds to the base unit that Prometheus asks for; absent stays absent. */
export function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
