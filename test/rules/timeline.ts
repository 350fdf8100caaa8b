import { COLLECTORS, type Collector, DATA_STATES, type DataState } from '../../src/model/enums.ts';
import { type IncidentProblem, TOPICS, topicOf } from '../../src/model/incident.ts';
import { type AccountSnapshot, isDataCurrent } from '../../src/model/snapshot.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, healthyDevice, judged, NOON } from '../builders.ts';

/** Seconds between two samples, and between two evaluations of the rules. */
export const STEP = 15;

/** A part of a timeline in minutes: from this one on, and until before that one. */
export type Span = readonly [from: number, until: number];

type Labels = Readonly<Record<string, string>>;

/** A series: what it shows at a minute; undefined if it is not exposed. */
export type Shown = (minute: number) => number | undefined;

/** An incident as an exporter shows it; a label that is not given is empty. */
export type ShownIncident = {
  readonly incident: string;
  readonly problem: IncidentProblem;
  readonly account?: string;
  readonly device_id?: string;
  readonly label?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly value?: string;
  /** Since when it is wrong, in seconds of the timeline. */
  readonly since: number;
  /** Open from the first minute until the second. */
  readonly open: Span;
  /** Why it ended; not given where it is lost or changed without a word. */
  readonly reason?: string;
  /** Phones that it stands for: those that are sold, and others. */
  readonly devices?: readonly [sold: number, others: number];
  /** Number of phones of a mass outage when people were last notified, each from a minute on. */
  readonly notified?: readonly (readonly [size: number, from: number])[];
};

/** An exporter, on a timeline in minutes. */
export type ExporterTimeline = {
  readonly instance: string;
  /** It responds only then; always, if not given. */
  readonly up?: readonly Span[];
  /** It is a target only then; always, if not given. */
  readonly target?: Span;
  /** Prometheus scrapes nothing then, and does not notice it. */
  readonly gap?: Span;
  /** Accounts that it polls, and when; account `a`, always, if not given. */
  readonly accounts?: Readonly<Record<string, Span>>;
  /** State of its data, each from a minute on; fresh, if not given. */
  readonly data?: Partial<
    Readonly<Record<Collector, readonly (readonly [state: DataState, from: number])[]>>
  >;
  /** Minutes at which it starts without a state file, and learns again from scratch. */
  readonly forgets?: readonly number[];
  /** Minutes of the grace period of phones after an outage of the API. */
  readonly doubts?: Span;
  readonly incidents?: readonly ShownIncident[];
  /** Other series of it, by name and labels in the notation of PromQL without braces. */
  readonly series?: Readonly<Record<string, Shown>>;
};

type InputSeries = { readonly series: string; readonly values: string };

const ALWAYS: Span = [0, Number.POSITIVE_INFINITY];

/** Minutes during which an ended incident is shown both as open and as ended. */
const LINGERS = 1;
const ENDED = 24 * 60;

/** An account with a phone that was listed for the first time. */
const FRESH = judged(accountOf({ devices: freshReading(fleetOf(fleetDevice(healthyDevice({ id: 'p1' })))) }));

const isWithin = (minute: number, [from, until]: Span): boolean => minute >= from && minute < until;

/**
 * Returns the series that Prometheus has of an exporter: none while it does not respond.
 *
 * @param site labels of the target besides job and instance
 */
export function seriesOf(
  exporter: ExporterTimeline,
  minutes: number,
  site: Labels = {},
): readonly InputSeries[] {
  const { instance, target = ALWAYS, up = [ALWAYS], gap = [0, 0], data = {} } = exporter;
  const { accounts = { a: ALWAYS }, forgets = [], doubts = [0, 0], incidents = [], series = {} } = exporter;
  const isUp = (minute: number): boolean =>
    isWithin(minute, target) && up.some((span) => isWithin(minute, span));
  /** What is shown under the name and labels of a series: an incident may open again. */
  const all = new Map<string, Shown[]>();
  const add = (name: string, labels: Labels, shown: Shown): void => {
    const written = Object.entries({ job: 'hoster', instance, ...site, ...labels })
      .filter(([, value]) => value !== '')
      .map(([label, value]) => `${label}=${JSON.stringify(value)}`);
    const series = `${name}{${written.join(',')}}`;
    all.set(series, [...(all.get(series) ?? []), (minute) => (isUp(minute) ? shown(minute) : undefined)]);
  };
  const own = Object.entries(site).map(([label, value]) => `,${label}="${value}"`);
  all.set(`up{job="hoster",instance="${instance}"${own.join('')}}`, [
    (minute) => (isWithin(minute, target) ? Number(isUp(minute)) : undefined),
  ]);
  const stateOf = (collector: Collector, minute: number): DataState =>
    data[collector]?.findLast(([, from]) => from <= minute)?.[0] ?? 'fresh';
  const accountAt = (minute: number): AccountSnapshot => {
    const memory = minute - (forgets.findLast((from) => from <= minute) ?? Number.NEGATIVE_INFINITY);
    const gracePeriodEndsAt = isWithin(minute, doubts) ? 0 : undefined;
    return {
      ...FRESH,
      known: {
        ...FRESH.known,
        at: NOON + memory * 60_000,
        judgement: FRESH.known.judgement && { ...FRESH.known.judgement, gracePeriodEndsAt },
      },
      devices: { ...FRESH.devices, state: stateOf('devices', minute) },
      tunnels: { ...FRESH.tunnels, state: stateOf('tunnels', minute) },
      balance: { ...FRESH.balance, state: stateOf('balance', minute) },
    };
  };
  for (const [account, polled] of Object.entries(accounts)) {
    const whilePolled =
      (shown: Shown): Shown =>
      (minute) =>
        isWithin(minute, polled) ? shown(minute) : undefined;
    for (const collector of COLLECTORS) {
      for (const state of DATA_STATES)
        add(
          'hoster_exporter_data_state',
          { account, collector, state },
          whilePolled((minute) => Number(stateOf(collector, minute) === state)),
        );
    }
    for (const about of TOPICS)
      add(
        'hoster_exporter_data_current',
        { account, about },
        whilePolled((minute) => (isDataCurrent(accountAt(minute), about) ? 1 : undefined)),
      );
    const isFresh = (minute: number): boolean =>
      COLLECTORS.every((each) => stateOf(each, minute) === 'fresh');
    add(
      'hoster_up',
      { account },
      whilePolled((minute) => Number(isFresh(minute))),
    );
    add(
      'hoster_devices_reported',
      { account },
      whilePolled((minute) => (stateOf('devices', minute) === 'expired' ? undefined : 100)),
    );
  }
  /** Returns when an incident opens again: from then on it has not ended. */
  const reopened = (incident: string, until: number): number =>
    Math.min(
      ...incidents
        .filter((each) => each.incident === incident && each.open[0] >= until)
        .map(({ open: [from] }) => from),
      Number.POSITIVE_INFINITY,
    );
  for (const { open, reason, since, devices, notified, ...texts } of incidents) {
    const { incident, problem, account = 'a' } = texts;
    const polled = accounts[account] ?? ALWAYS;
    const during =
      ([from, until]: Span, value: number): Shown =>
      (minute) =>
        isWithin(minute, [from, until]) && isWithin(minute, polled) ? value : undefined;
    const [from, until] = open;
    const shown: Span = [from, reason === undefined ? until : until + LINGERS];
    const about = topicOf(problem);
    add('hoster_incident_since_timestamp_seconds', { account, about, ...texts }, during(shown, since));
    for (const [index, [size, begin]] of (notified ?? []).entries()) {
      const end = notified?.[index + 1]?.[1] ?? shown[1];
      add(
        'hoster_incident_notified_devices',
        { account, incident },
        during([begin, Math.min(end, shown[1])], size),
      );
    }
    if (reason !== undefined)
      add(
        'hoster_incident_ended_seconds',
        { account, incident, problem, reason },
        during([until, Math.min(until + ENDED, reopened(incident, until))], until * 60 - since),
      );
    for (const [index, count] of (devices ?? []).entries())
      add('hoster_incident_devices', { account, incident, sold: String(index === 0) }, during(shown, count));
  }
  for (const [text, shown] of Object.entries(series)) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? [];
    const parsed = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [
      label,
      value,
    ]);
    add(name, Object.fromEntries(parsed), shown);
  }
  return [...all].flatMap(([written, parts]) => {
    const shown: Shown = (minute) => parts.map((part) => part(minute)).find((value) => value !== undefined);
    const values = valuesOf(shown, minutes, gap);
    return values === undefined ? [] : [{ series: written, values }];
  });
}

/** Returns the values in the notation of promtool; undefined if none is shown. */
function valuesOf(shown: Shown, minutes: number, gap: Span): string | undefined {
  const runs: { readonly text: string; count: number }[] = [];
  let was: number | undefined;
  for (let step = 0; step <= (minutes * 60) / STEP; step += 1) {
    const minute = (step * STEP) / 60;
    const value = isWithin(minute, gap) ? was : shown(minute);
    const isShown = value !== undefined && !isWithin(minute, gap);
    // A zero that is repeated would read as a hexadecimal number.
    const text = isShown ? (value === 0 ? '0+0' : String(value)) : value === was ? '_' : 'stale';
    was = value;
    const last = runs.at(-1);
    if (last?.text === text) last.count += 1;
    else runs.push({ text, count: 1 });
  }
  if (runs.every(({ text }) => text === '_')) return undefined;
  return runs
    .map(({ text, count }) =>
      count === 1 ? text.replace('0+0', '0') : `${text}x${text === '_' ? count : count - 1}`,
    )
    .join(' ');
}
