/** Conditions of an account that polls show. The first five are API faults. */
export const CONDITIONS = [
  'list_incomplete',
  'devices_rejected',
  'fields_unreadable',
  'heartbeats_unreadable',
  'tunnels_unanswered',
  'balance_unreadable',
  'balance_low',
] as const;

export type ConditionName = (typeof CONDITIONS)[number];

/** A condition that polls show, or showed until recently. Durations are milliseconds of a monotonic clock. */
export type Condition = {
  /** The first poll that showed it, by the API's clock, in milliseconds since 1970. */
  readonly since: number;
  /** Time between polls that showed it. */
  readonly lasted: number;
  /** Time since the last poll that showed it; 0 while polls show it. */
  readonly gone: number;
};

export type Conditions = Readonly<Partial<Record<ConditionName, Condition>>>;
