import { type AccountCause, type Causes, NO_CAUSES } from './cause.ts';
import type { Conditions } from './condition.ts';
import type { Collector, FailureReason } from './enums.ts';
import type { Fleet } from './fleet.ts';
import { type Incidents, NO_INCIDENTS } from './incident.ts';
import type { Money } from './money.ts';
import type { Judgement } from './problem.ts';
import type { Tunnels } from './tunnel.ts';

/** Polls of a collector that fail. */
export type Failing = {
  /** The first of them, by the clock of the API. */
  readonly since: number;
  readonly reason: FailureReason;
  /**
   * Milliseconds between polls that both failed, by a clock that nobody sets; of tunnels and balance only while the device
   * list could be read.
   */
  readonly lasted: number;
};

/**
 * Everything that is known of one hoster account: a value that observations change, and that the state file keeps whole. So
 * a restart is nothing but the next observation. Instants are whole milliseconds since 1970 by the clock of the API.
 */
export type Account = {
  /** The last observation; undefined before the first one. */
  readonly at: number | undefined;
  /** Undefined before the first device list. */
  readonly fleet: Fleet | undefined;
  /** Undefined before the first round of tunnels. */
  readonly tunnels: Tunnels | undefined;
  /** Undefined before the first balance. */
  readonly money: Money | undefined;
  /** Undefined before the first device list. */
  readonly judgement: Judgement | undefined;
  /** Common causes of its offline devices, which are found among all accounts. */
  readonly causes: readonly AccountCause[];
  /** Collectors whose last poll failed. */
  readonly failing: Readonly<Partial<Record<Collector, Failing>>>;
  /** What is not right with what the API shows, or the balance. */
  readonly conditions: Conditions;
  /** What the hoster is told. */
  readonly incidents: Incidents;
  /** Memory of features: the value of each part (judge/part.ts) by its name. */
  readonly parts: Readonly<Record<string, unknown>>;
};

/** An account by its configured name. */
export type NamedAccount = { readonly name: string; readonly account: Account };

/** An account of which nothing is known. */
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

/** Identifies an account over restarts and reloads: another address may be another hoster. */
export type AccountIdentity = { readonly name: string; readonly apiUrl: string };

/** An account as it is kept over a restart. */
export type SavedAccount = {
  readonly identity: AccountIdentity;
  /** When it was last configured, in milliseconds since 1970; undefined while it is. */
  readonly goneAt: number | undefined;
  readonly account: Account;
};

/** Everything that is known. */
export type SavedState = { readonly accounts: readonly SavedAccount[]; readonly causes: Causes };

export const NOTHING_KNOWN: SavedState = { accounts: [], causes: NO_CAUSES };
