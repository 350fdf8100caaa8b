import type { Column } from '../../src/model/times.ts';

/** Colours, states and limits: what a colour means is decided here, so that it means the same on every dashboard. */

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

/** One state of something: the label value in the metrics, the number that a panel draws it by, its words and colour. */
export type State = {
  readonly value: string;
  /** Unique among all states, so that rows of different subjects can share a panel. */
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
  sold_online: ['Sold, reporting', COLOURS.good],
  sold_offline: ['Sold, offline', COLOURS.bad],
  self_rented: ['Self-rented', COLOURS.own],
  idle: ['Idle', COLOURS.waiting],
  other: ['Other', COLOURS.unknown],
  maintenance: ['Sold, offline, planned', COLOURS.measure],
});

export const MARKETPLACE = family(30, {
  listed: ['Listed', COLOURS.good],
  not_listed: ['Not listed', COLOURS.poor],
  other: ['Other', COLOURS.unknown],
});

export const SETUP = family(40, {
  complete: ['Complete', COLOURS.good],
  active: ['Active', COLOURS.good],
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

/** A phone that is known and has no tunnel. */
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
  held: ['Old', COLOURS.poor],
  expired: ['Too old', COLOURS.bad],
  unseen: ['Not scraped', COLOURS.bad],
});

/** Stands where nothing is known: in a table of problems for an account, in a timeline for all of it. */
export const NO_DATA = { value: 'no_data', code: 100, text: 'Unknown', colour: COLOURS.unknown } as const;

/** What the code of a state is raised by if the data that it is of is not fresh: panels show it in grey. */
export const AS_LAST_READ_CODE = 1000;

/** States, and behind them the same in grey. */
export function orGrey(states: readonly State[]): readonly State[] {
  const grey = states.map((state) => ({
    ...state,
    value: `${state.value}, as last read`,
    code: AS_LAST_READ_CODE + state.code,
    colour: COLOURS.unknown,
  }));
  return [...states, ...grey];
}

/** The same in a column of durations, of which the longest come first. */
export const NO_DURATION = { ...NO_DATA, code: 1e12 } as const;

/**
 * Problems of a phone, the costliest first, by the label of `hoster_device_problem_since_timestamp_seconds`. Each has the
 * colour of the severity of its alert.
 */
export const PROBLEM = family(101, {
  sold_offline: ['Sold and offline', COLOURS.bad],
  self_rented_offline: ['Self-rented, offline', COLOURS.poor],
  tunnel_missing: ['Tunnel missing', COLOURS.poorer],
  tunnel_down: ['Tunnel down', COLOURS.poor],
  tunnel_without_login: ['No active login', COLOURS.poor],
  offline: ['Offline', COLOURS.poor],
  heartbeat_unreadable: ['Heartbeat unreadable', COLOURS.poor],
  rotation_stopped: ['Rotation stopped', COLOURS.waiting],
  not_set_up: ['Not set up', COLOURS.plain],
  not_listed: ['Not listed', COLOURS.plain],
  idle_too_long: ['Idle too long', COLOURS.plain],
  given_up: ['Given up', COLOURS.plain],
  in_maintenance: ['In maintenance', COLOURS.own],
});

/** A phone that is known and has no problem. */
export const HEALTHY = { value: 'none', code: 120, text: 'None', colour: COLOURS.good } as const;

/** Severities of alerts, the worst first. */
export const SEVERITY = family(121, {
  critical: ['Critical', COLOURS.bad],
  warning: ['Warning', COLOURS.poor],
  info: ['Info', COLOURS.plain],
});

/** From which value on which colour holds; the first colour holds from 0. */
export type Limits = readonly [base: Colour, ...steps: readonly (readonly [from: number, colour: Colour])[]];

export const LIMITS = {
  none: [COLOURS.plain],
  /** A count that should be 0. */
  anyIsPoor: [COLOURS.plain, [1, COLOURS.poor]],
  anyIsBad: [COLOURS.plain, [1, COLOURS.bad]],
  /** The share of phones of a rack that are away: one of many is usual, one half is a cut. */
  awayShare: [COLOURS.good, [0.001, COLOURS.slight], [0.15, COLOURS.poor], [0.5, COLOURS.bad]],
  /** A share that should be 0. */
  shareIsBad: [COLOURS.plain, [0.001, COLOURS.poor], [0.2, COLOURS.bad]],
} as const satisfies Readonly<Record<string, Limits>>;
