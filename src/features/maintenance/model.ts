import * as z from 'zod';
import { list, object } from '../../fleet/fields.ts';
import { DAY, MINUTE } from '../../model/time.ts';

/* Maintenance mutes the alerts of phones. Instants are milliseconds since 1970 by the API's clock. */

/** Phones by group and by name. If neither is given, all phones of the accounts. */
export type MaintenanceScope = {
  /** Names of accounts; all if empty. */
  readonly accounts: readonly string[];
  readonly groups: readonly string[];
  /** Ids or labels. */
  readonly devices: readonly string[];
};

/** A recurring window (`maintenance` of the configuration). */
export type MaintenanceWindow = {
  readonly name: string;
  readonly scope: MaintenanceScope;
  readonly durationMilliseconds: number;
  /** Returns its last start up to one instant and after another; undefined if there is none. */
  readonly lastStart: (upTo: number, laterThan: number) => number | undefined;
};

/** Limits on the duration of a request, and of one until phones are back online, in milliseconds. */
export const MIN_DURATION = MINUTE;
export const MAX_DURATION = 30 * DAY;
export const MAX_UNTIL_BACK = 7 * DAY;

/** A request at run time. */
export type MaintenanceRequest = {
  readonly id: string;
  readonly scope: MaintenanceScope;
  readonly reason: string;
  /** The login, or `loopback`. */
  readonly by: string;
  readonly startedAt: number;
  /** Latest end. */
  readonly until: number;
  /** It ends for each phone that was offline and was then online in two lists. */
  readonly untilBack: boolean;
  /** Phones that have been offline since its start, each with the number of lists since then that showed it online. */
  readonly away: ReadonlyMap<string, number>;
};

/** A request as people send it. */
export type NewMaintenance = Pick<MaintenanceRequest, 'scope' | 'until' | 'untilBack' | 'reason' | 'by'>;

/** An active window or request. */
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
  /** Number of phones that it covers, and how many of them are offline. */
  readonly devices: number;
  readonly offline: number;
};

/** The response to a started or ended request. */
export const MAINTENANCE_RESPONSE = object({
  id: z.string(),
  covers: z.string().optional(),
  text: z.string(),
});

/** The field in the fleet's document: active maintenance, each entry once for all its accounts. */
export const MAINTENANCE_FIELDS = {
  document: {
    maintenance: list(
      object({
        id: z.string(),
        source: z.enum(['configured', 'requested']),
        covers: z.string(),
        accounts: list(z.string()),
        groups: list(z.string()),
        devices: list(z.string()),
        since: z.string().optional(),
        until: z.string().optional(),
        untilBack: z.boolean(),
        reason: z.string(),
        by: z.string(),
        phones: z.number(),
        offlinePhones: z.number(),
      }),
    ),
  },
};

type MaintenanceFields = z.output<z.ZodObject<(typeof MAINTENANCE_FIELDS)['document']>>;

export type FleetMaintenance = MaintenanceFields['maintenance'][number];

declare module '../../fleet/document.ts' {
  interface DocumentFields extends MaintenanceFields {}
}
