/** Seconds between two samples, and between two evaluations of the rules. */
export const STEP = 15;

/** A part of a timeline: from this minute on, and until before that one. */
export type Span = readonly [from: number, until: number];

type Labels = Readonly<Record<string, string>>;

/** A series: what it shows at a minute; undefined where it is not exposed. */
export type Shown = (minute: number) => number | undefined;

/** A problem of a phone as an exporter shows it, since a second of the timeline. */
export type ShownProblem = {
  readonly id: string;
  readonly problem: string;
  readonly since: number;
  readonly span: Span;
};

/** A cause as an exporter shows it, with its phones. */
export type ShownCause = {
  readonly kind: string;
  readonly value: string;
  readonly ids: readonly string[];
  readonly span: Span;
};

/** An exporter of account `a`, on a timeline in minutes. */
export type ExporterTimeline = {
  readonly instance: string;
  /** It responds only then; always, if not given. */
  readonly up?: readonly Span[];
  /** It is a target only then; always, if not given. */
  readonly target?: Span;
  /** State of its data, each from a minute on; fresh, if not given. */
  readonly data?: readonly (readonly [state: 'fresh' | 'held' | 'expired', from: number])[];
  /** Phones of the account, each in the group of its name. */
  readonly phones?: readonly string[];
  /** Phones that it lists only then. */
  readonly listed?: Readonly<Record<string, Span>>;
  readonly problems?: readonly ShownProblem[];
  readonly causes?: readonly ShownCause[];
  /** Other series of it, by name and labels in the notation of PromQL without braces. */
  readonly series?: Readonly<Record<string, Shown>>;
};

type InputSeries = { readonly series: string; readonly values: string };

const isWithin = (minute: number, [from, until]: Span): boolean => minute >= from && minute < until;

/** Returns the series that Prometheus has of an exporter: none while it does not respond. */
export function seriesOf(exporter: ExporterTimeline, minutes: number): readonly InputSeries[] {
  const { instance, target = ALWAYS, up = [ALWAYS], data = [['fresh', 0]], phones = ['p1', 'p2'] } = exporter;
  const { listed = {}, problems = [], causes = [], series = {} } = exporter;
  const of = { job: 'hoster', instance };
  const isUp = (minute: number): boolean =>
    isWithin(minute, target) && up.some((span) => isWithin(minute, span));
  const stateAt = (minute: number): string => data.findLast(([, from]) => from <= minute)?.[0] ?? 'expired';
  const result: InputSeries[] = [];
  const add = (name: string, labels: Labels, shown: Shown): void => {
    const written = Object.entries({ ...of, ...labels }).map(
      ([label, value]) => `${label}=${JSON.stringify(value)}`,
    );
    const values = valuesOf((minute) => (isUp(minute) ? shown(minute) : undefined), minutes);
    if (values !== undefined) result.push({ series: `${name}{${written.join(',')}}`, values });
  };
  const up01 = valuesOf((minute) => (isWithin(minute, target) ? Number(isUp(minute)) : undefined), minutes);
  if (up01 !== undefined) result.push({ series: `up{job="hoster",instance="${instance}"}`, values: up01 });
  for (const state of ['fresh', 'held', 'expired'])
    add('hoster_exporter_data_state', { account: 'a', collector: 'devices', state }, (minute) =>
      Number(stateAt(minute) === state),
    );
  add('hoster_exporter_poll_success', { account: 'a', collector: 'devices' }, (minute) =>
    Number(stateAt(minute) === 'fresh'),
  );
  const isShown = (id: string, minute: number): boolean =>
    stateAt(minute) !== 'expired' && isWithin(minute, listed[id] ?? ALWAYS);
  add('hoster_devices_reported', { account: 'a' }, (minute) =>
    stateAt(minute) === 'expired' ? undefined : phones.filter((id) => isShown(id, minute)).length,
  );
  for (const id of phones)
    add(
      'hoster_device_info',
      { account: 'a', device_id: id, label: `rack/${id}`, model: 'M1', group: 'rack' },
      (minute) => (isShown(id, minute) ? 1 : undefined),
    );
  for (const { id, problem } of problems.filter((each, index) => firstOf(problems, each) === index))
    add(
      'hoster_device_problem_since_timestamp_seconds',
      { account: 'a', device_id: id, problem },
      (minute) =>
        problems.find((each) => each.id === id && each.problem === problem && isWithin(minute, each.span))
          ?.since,
    );
  for (const { kind, value, ids, span } of causes) {
    const shown = (count: number) => (minute: number) => (isWithin(minute, span) ? count : undefined);
    add('hoster_common_cause_devices', { account: 'a', kind, value }, shown(ids.length));
    for (const id of ids)
      add('hoster_device_common_cause', { account: 'a', device_id: id, kind, value }, shown(1));
  }
  for (const [text, shown] of Object.entries(series)) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? [];
    const parsed = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [
      label,
      value,
    ]);
    add(name, Object.fromEntries(parsed), shown);
  }
  return result;
}

/** A problem may come again: its series is one. */
function firstOf(problems: readonly ShownProblem[], { id, problem }: ShownProblem): number {
  return problems.findIndex((each) => each.id === id && each.problem === problem);
}

const ALWAYS: Span = [0, Number.POSITIVE_INFINITY];

/** Returns the values in the notation of promtool; undefined where none is shown. */
function valuesOf(shown: Shown, minutes: number): string | undefined {
  let was: number | undefined;
  let isAny = false;
  const values = Array.from({ length: (minutes * 60) / STEP + 1 }, (_, index) => {
    const value = shown((index * STEP) / 60);
    const text = value === undefined ? (was === undefined ? '_' : 'stale') : String(value);
    was = value;
    isAny ||= value !== undefined;
    return text;
  });
  return isAny ? values.join(' ') : undefined;
}
