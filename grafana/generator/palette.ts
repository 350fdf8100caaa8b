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
  /** Backgrounds of white text. */
  goodFill: 'dark-green',
  ownFill: 'semi-dark-blue',
  badFill: 'semi-dark-red',
} as const;

export type Colour = (typeof COLOURS)[keyof typeof COLOURS];

/** A state: its label value in the metrics, its code in panels, its text and its colour. */
export type State = {
  readonly value: string;
  /** Unique among all states, so that different subjects can share a panel. */
  readonly code: number;
  readonly text: string;
  readonly colour: Colour;
};

type Named<Value extends string> = Readonly<Record<Value, State>>;

/** States by the value of their label; `first` keeps the codes of different subjects apart. */
function family<Value extends string>(
  first: number,
  states: Readonly<Record<Value, readonly [text: string, colour: Colour]>>,
): Named<Value>;
function family(first: number, states: Readonly<Record<string, readonly [string, Colour]>>): Named<string> {
  return Object.fromEntries(
    Object.entries(states).map(([value, [text, colour]], index) => [
      value,
      { value, code: first + index, text, colour },
    ]),
  );
}

export const RENTAL = family(20, {
  sold: ['Sold', COLOURS.good],
  self_rented: ['Self-rented', COLOURS.own],
  idle: ['Idle', COLOURS.waiting],
  other: ['Other', COLOURS.unknown],
});

/** Columns of the month. */
export const COLUMN: Named<Column> = family(140, {
  sold_online: ['Sold, online', COLOURS.good],
  sold_offline: ['Sold, offline', COLOURS.bad],
  self_rented: ['Self-rented', COLOURS.own],
  idle: ['Idle', COLOURS.waiting],
  other: ['Other', COLOURS.unknown],
  maintenance: ['Sold, in maintenance', COLOURS.measure],
});

export const MARKETPLACE = family(30, {
  listed: ['Listed', COLOURS.good],
  not_listed: ['Not listed', COLOURS.plain],
  other: ['Other', COLOURS.unknown],
});

export const SETUP = family(40, {
  complete: ['Set up', COLOURS.good],
  active: ['Set up', COLOURS.good],
  awaiting_agent: ['Awaiting agent', COLOURS.waiting],
  awaiting_device_details: ['Awaiting details', COLOURS.waiting],
  incomplete: ['Incomplete', COLOURS.poor],
  draft: ['Draft', COLOURS.unknown],
  other: ['Other', COLOURS.unknown],
});

export const TUNNEL = family(50, {
  up: ['Up', COLOURS.good],
  down: ['Down', COLOURS.poor],
  missing: ['Missing', COLOURS.poorer],
});

/** A known phone without a tunnel. */
export const NO_TUNNEL = {
  value: 'none',
  code: 49,
  text: 'Not self-rented',
  colour: COLOURS.unknown,
} as const;

export const ROTATION = family(60, {
  active: ['Rotating', COLOURS.good],
  stopped: ['Not rotating', COLOURS.waiting],
});

export const ENABLED = family(65, {
  yes: ['Enabled', COLOURS.good],
  no: ['Not enabled', COLOURS.poor],
});

export const ACCESS = family(70, {
  granted: ['Granted', COLOURS.good],
  missing_key: ['Key missing', COLOURS.bad],
  invalid_key: ['Key refused', COLOURS.bad],
  suspended: ['Suspended', COLOURS.bad],
  denied: ['Denied', COLOURS.bad],
});

export const DATA = family(80, {
  fresh: ['Fresh', COLOURS.good],
  stale: ['Stale', COLOURS.poor],
  expired: ['Expired', COLOURS.bad],
  unseen: ['Not scraped', COLOURS.bad],
});

/** The state without data: of an account in a table of problems, of the whole range in a timeline. */
export const NO_DATA = { value: 'no_data', code: 100, text: 'Unknown', colour: COLOURS.unknown } as const;

/** Offset of the codes of states that are not current: panels show them in grey, and sort them as the state that they were. */
export const AS_LAST_READ_CODE = 0.5;

/** States, followed by the same states in grey. */
export function orGrey(states: readonly State[]): readonly State[] {
  const grey = states.map((state) => ({
    ...state,
    value: `${state.value}, as last read`,
    code: AS_LAST_READ_CODE + state.code,
    colour: COLOURS.unknown,
  }));
  return [...states, ...grey];
}

/** The same in a column of durations, sorted from the longest. */
export const NO_DURATION = { ...NO_DATA, code: 1e12 } as const;

/**
 * Problems of a phone, the most costly first, by the label of `hoster_device_problem_since_timestamp_seconds`. Each has the
 * colour of the severity of its alert.
 */
export const PROBLEM = family(101, {
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

/** A known phone without a problem. */
export const HEALTHY = { value: 'none', code: 120, text: 'None', colour: COLOURS.good } as const;

/** Severities of alerts, the worst first. */
export const SEVERITY = family(121, {
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
  /** Offline share of a rack: a few phones are normal, half of them are an outage. */
  awayShare: [COLOURS.good, [0.001, COLOURS.slight], [0.15, COLOURS.poor], [0.5, COLOURS.bad]],
  /** A share that should be 0. */
  shareIsBad: [COLOURS.plain, [0.001, COLOURS.poor], [0.2, COLOURS.bad]],
} as const satisfies Readonly<Record<string, Limits>>;
