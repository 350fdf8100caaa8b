import { type AccountCause, type Causes, NO_CAUSES } from './cause.ts';
import type { Conditions } from './condition.ts';
import type { Collector, FailureReason } from './enums.ts';
import type { Fleet } from './fleet.ts';
import { type Incidents, NO_INCIDENTS } from './incident.ts';
import type { Money } from './money.ts';
import type { Judgement } from './problem.ts';
import type { Tunnels } from './tunnel.ts';

/** Failing polls of a collector. */
export type Failing = {
  /** First failed poll, by the API's clock. */
  readonly since: number;
  readonly reason: FailureReason;
  /**
   * Milliseconds between failed polls, by a monotonic clock; for tunnels and balance, only if devices can be listed.
   */
  readonly lasted: number;
};

/**
 * Everything known about one hoster account: a value that observations change and the state file keeps, so that a restart
 * loses nothing. Instants are whole milliseconds since 1970 by the API's clock.
 */
export type Account = {
  /** The last observation; undefined before the first one. */
  readonly at: number | undefined;
  /** The same, unless the API's clock has jumped. It decides when data is forgotten and when days end. */
  readonly agreedAt?: number;
  /** Undefined before the first device list. */
  readonly fleet: Fleet | undefined;
  /** Undefined before the first round of tunnels. */
  readonly tunnels: Tunnels | undefined;
  /** Undefined before the first balance. */
  readonly money: Money | undefined;
  /** Undefined before the first device list. */
  readonly judgement: Judgement | undefined;
  /** Common causes of its offline devices, found across all accounts. */
  readonly causes: readonly AccountCause[];
  /** Collectors whose last poll failed. */
  readonly failing: Readonly<Partial<Record<Collector, Failing>>>;
  readonly conditions: Conditions;
  readonly incidents: Incidents;
  /** The features' memory: the value of each part (judge/part.ts), by name. */
  readonly parts: Readonly<Record<string, unknown>>;
};

export type NamedAccount = { readonly name: string; readonly account: Account };

/** An account without any data. */
export const NEW_ACCOUNT: Account = {
  at: undefined,
  fleet: undefined,
  tunnels: undefined,
  money: undefined,
  judgement: undefined,
  causes: [],
  failing: {},
  conditions: {},
  incidents: NO_INCIDENTS,
  parts: {},
};

/** Identity of an account across restarts and reloads. Another address may be another hoster's. */
export type AccountIdentity = { readonly name: string; readonly apiUrl: string };

/** An account as it is kept across a restart. */
export type SavedAccount = {
  readonly identity: AccountIdentity;
  /** When it was removed from the configuration, in milliseconds since 1970; undefined while configured. */
  readonly goneAt: number | undefined;
  readonly account: Account;
};

export type SavedState = { readonly accounts: readonly SavedAccount[]; readonly causes: Causes };

export const NOTHING_KNOWN: SavedState = { accounts: [], causes: NO_CAUSES };
