import { DAY, MINUTE } from '../../model/time.ts';

/*
 * The owner's word: phones that are worked on, of which nothing is told until it is over. Instants are milliseconds since
 * 1970 by the clock of the API.
 */

/** Which phones are meant: those of the groups and those that are named; all where neither is given. */
export type MaintenanceScope = {
  /** Names of accounts; all where none is given. */
  readonly accounts: readonly string[];
  readonly groups: readonly string[];
  /** Ids or labels. */
  readonly devices: readonly string[];
};

/** A window that recurs (`maintenance` of the configuration). */
export type MaintenanceWindow = {
  readonly name: string;
  readonly scope: MaintenanceScope;
  /** When it begins, as a cron expression of five fields; {@link timeZone} says by which clock. */
  readonly schedule: string;
  readonly timeZone: string;
  readonly durationMilliseconds: number;
};

/** Shortest and longest time that can be asked for, and the longest until a phone is back, in milliseconds. */
export const MIN_DURATION = MINUTE;
export const MAX_DURATION = 30 * DAY;
export const MAX_UNTIL_BACK = 7 * DAY;

/** What an owner said at run time. */
export type MaintenanceRequest = {
  readonly id: string;
  readonly scope: MaintenanceScope;
  readonly reason: string;
  /** The log-in, or `loopback`. */
  readonly by: string;
  readonly startedAt: number;
  /** When it ends at the latest. */
  readonly until: number;
  /** It ends for each phone that was offline and has reported at two lists. */
  readonly untilBack: boolean;
  /** Phones that were offline since it began, each with the number of lists since then that showed it reporting. */
  readonly away: ReadonlyMap<string, number>;
};

/** A window or a request that holds now. */
export type Maintenance = {
  /** The name of the window, or the id of the request. */
  readonly id: string;
  readonly source: 'configured' | 'requested';
  readonly scope: MaintenanceScope;
  readonly since: number;
  readonly until: number;
  readonly untilBack: boolean;
  readonly reason: string;
  readonly by: string;
  /** Number of phones that it covers, whatever else covers them, and of those that are offline. */
  readonly devices: number;
  readonly offline: number;
};
