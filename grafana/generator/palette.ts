import type { Column } from '../../src/model/times.ts';

/** Colours, states and limits. A colour has the same meaning on all dashboards. */

export const COLOURS = {
  good: 'green',
  own: 'blue',
  waiting: 'semi-dark-purple',
  slight: 'super-light-orange',
  poor: 'orange',
  poorer: 'dark-orange',
  bad: 'red',
  unknown: '#8e8e8e',
  plain: 'text',
  measure: 'super-light-blue',
} as const;

export type Colour = (typeof COLOURS)[keyof typeof COLOURS];

/** A state: its label value in the metrics, its text and its colour. */
export type State = { readonly value: string; readonly text: string; readonly colour: Colour };

/** A state with its number in the values of a query. */
export type Coded = State & { readonly code: number };

/** States with their numbers, which begin with `first`. */
export const coded = (first: number, ...states: readonly State[]): readonly Coded[] =>
  states.map((state, index) => ({ ...state, code: first + index }));

type Named<Value extends string> = Readonly<Record<Value, State>>;
type Looks<Value extends string> = Readonly<Record<Value, readonly [text: string, colour: Colour]>>;

/** States by the value of their label. */
function family<Value extends string>(states: Looks<Value>): Named<Value>;
function family(states: Looks<string>): Named<string> {
  return Object.fromEntries(
    Object.entries(states).map(([value, [text, colour]]) => [value, { value, text, colour }]),
  );
}

export const RENTAL = family({
  sold: ['Sold', COLOURS.good],
  self_rented: ['Self-rented', COLOURS.own],
  idle: ['Idle', COLOURS.waiting],
  other: ['Other', COLOURS.unknown],
});

/** Columns of the month. */
export const COLUMN: Named<Column> = family({
  sold_online: ['Sold, online', COLOURS.good],
  sold_offline: ['Sold, offline', COLOURS.bad],
  self_rented: ['Self-rented', COLOURS.own],
  idle: ['Idle', COLOURS.waiting],
  other: ['Other', COLOURS.unknown],
  maintenance: ['Sold, in maintenance', COLOURS.measure],
});

export const MARKETPLACE = family({
  listed: ['Listed', COLOURS.good],
  not_listed: ['Not listed', COLOURS.plain],
  other: ['Other', COLOURS.unknown],
});

export const SETUP = family({
  complete: ['Set up', COLOURS.good],
  active: ['Set up', COLOURS.good],
  awaiting_agent: ['Awaiting agent', COLOURS.waiting],
  awaiting_device_details: ['Awaiting details', COLOURS.waiting],
  incomplete: ['Incomplete', COLOURS.poor],
  draft: ['Draft', COLOURS.unknown],
  other: ['Other', COLOURS.unknown],
});

export const TUNNEL = family({
  up: ['Up', COLOURS.good],
  down: ['Down', COLOURS.poor],
  missing: ['Missing', COLOURS.poorer],
});

export const ROTATION = family({
  active: ['Rotating', COLOURS.good],
  stopped: ['Not rotating', COLOURS.waiting],
});

export const DATA = family({
  fresh: ['Fresh', COLOURS.good],
  stale: ['Stale', COLOURS.poor],
  expired: ['Expired', COLOURS.bad],
});

/** Time without data. */
export const UNKNOWN: State = { value: 'unknown', text: 'Unknown', colour: COLOURS.unknown };

/** Problems of a phone by their label in metrics, the most costly first, in the colours of their alerts. */
export const PROBLEM = family({
  sold_offline: ['Sold, offline', COLOURS.bad],
  self_rented_offline: ['Self-rented, offline', COLOURS.poor],
  tunnel_missing: ['No tunnel', COLOURS.poorer],
  tunnel_down: ['Tunnel down', COLOURS.poor],
  tunnel_without_login: ['Tunnel without login', COLOURS.poor],
  offline: ['Offline', COLOURS.poor],
  heartbeat_unreadable: ['No heartbeat', COLOURS.poor],
  rotation_stopped: ['Rotation stopped', COLOURS.waiting],
  not_set_up: ['Not set up', COLOURS.plain],
  not_listed: ['Online, not listed', COLOURS.plain],
  idle_too_long: ['Not rented for days', COLOURS.plain],
  given_up: ['Offline for days', COLOURS.plain],
  in_maintenance: ['In maintenance', COLOURS.own],
});

/** Severities of alerts, the worst first. */
export const SEVERITY = family({
  critical: ['Critical', COLOURS.bad],
  warning: ['Warning', COLOURS.poor],
  info: ['Info', COLOURS.plain],
});

/** Minimum values of colours; the first colour starts at 0. */
export type Limits = readonly [base: Colour, ...steps: readonly (readonly [from: number, colour: Colour])[]];

export const LIMITS = {
  none: [COLOURS.plain],
  /** A count that should be 0. */
  anyIsPoor: [COLOURS.plain, [1, COLOURS.poor]],
  anyIsBad: [COLOURS.plain, [1, COLOURS.bad]],
  /** Offline share of a rack: none is no news, a few phones are usual, half of them are an outage. */
  awayShare: [COLOURS.unknown, [0.001, COLOURS.poor], [0.5, COLOURS.bad]],
  /** A share that should be 0. */
  shareIsBad: [COLOURS.plain, [0.001, COLOURS.poor], [0.2, COLOURS.bad]],
} as const satisfies Readonly<Record<string, Limits>>;
