import type { AccessState } from '../../model/access.ts';
import type { FailureReason } from '../../model/failure.ts';
import type { DataState } from '../../model/reading.ts';
import type { Shard } from '../../model/shard.ts';
import type { MarketplaceStatus, OpenStatus, RentalStatus, SetupStatus } from '../../model/status.ts';
import type { Finding } from './finding.ts';

/** Grows when a field is renamed, removed or comes to mean something else; a new field alone is no reason. */
export const FLEET_VERSION = 1;

/*
 * What `GET /api/v1/fleet` answers, and all that the page is made of (docs/API.md). Instants are texts in ISO 8601, UTC.
 * What is not known is `undefined` here and left out of the JSON, never null.
 */

export type FleetDocument = {
  readonly version: typeof FLEET_VERSION;
  readonly exporter: FleetExporter;
  /** The part of the phones that this exporter looks after; left out where that is all of them. */
  readonly shard: Shard | undefined;
  /** In the order of the configuration. */
  readonly accounts: readonly FleetAccount[];
  /** By account, then by id. Those of an account whose device list has expired are left out. */
  readonly phones: readonly FleetPhone[];
};

export type FleetExporter = {
  readonly version: string;
  /** Longest number of seconds between two polls of the device list. */
  readonly pollIntervalSeconds: number;
};

export type FleetAccount = {
  readonly name: string;
  /** Configured, since the API names none. */
  readonly currency: string | undefined;
  /** What the last answer of the API said of the key; left out before the first one. */
  readonly access: AccessState | undefined;
  /** How old what is said here is, by collector. */
  readonly readings: {
    readonly devices: FleetReading;
    readonly tunnels: FleetReading;
    readonly balance: FleetReading;
  };
  /** Left out while no device list may be shown. */
  readonly totals: FleetTotals | undefined;
  /** Left out while no balance may be shown. */
  readonly balance: FleetBalance | undefined;
};

export type FleetReading = {
  readonly state: DataState;
  /** When a poll last succeeded, by the clock of the exporter. */
  readonly lastSuccessAt: string | undefined;
  /** When a poll last ended, well or badly. */
  readonly lastAttemptAt: string | undefined;
  /** Why the last poll failed; left out after a success. */
  readonly failure: FailureReason | undefined;
};

/** Numbers of phones of one account. */
export type FleetTotals = {
  readonly phones: number;
  readonly online: number;
  readonly sold: number;
  readonly selfRented: number;
  readonly idle: number;
  readonly listed: number;
  /** By what is found; every finding is there, at 0 if need be. */
  readonly findings: Readonly<Record<Finding, number>>;
};

/** In integer cents. */
export type FleetBalance = {
  readonly availableCents: number | undefined;
  readonly pendingCents: number | undefined;
  readonly totalCents: number | undefined;
};

export type FleetPhone = {
  readonly account: string;
  readonly id: string;
  readonly label: string;
  readonly brand: string;
  readonly model: string;
  readonly appVersion: string;
  /** The first that applies; left out for a phone that needs no hand. */
  readonly finding: Finding | undefined;
  readonly rentalStatus: RentalStatus | undefined;
  /** When this exporter first saw the present rental status. */
  readonly rentalStatusSince: string | undefined;
  readonly marketplaceStatus: MarketplaceStatus | undefined;
  readonly setupStatus: SetupStatus | undefined;
  readonly lastHeartbeatAt: string | undefined;
  /** At the poll, by the clock of the API; it does not grow between polls. */
  readonly heartbeatAgeSeconds: number | undefined;
  /** Whether the last heartbeat was at most 15 minutes old at the poll; left out without one. */
  readonly online: boolean | undefined;
  readonly selfRentStatus: OpenStatus | undefined;
  readonly rotationStatus: OpenStatus | undefined;
  readonly rotationIntervalSeconds: number | undefined;
  /** Left out for a phone whose tunnel nobody asked for or nobody knows. */
  readonly tunnel: FleetTunnel | undefined;
  /** The last device list lacked the phone; it is kept until later ones confirm that. Left out where it did not. */
  readonly absent: true | undefined;
};

export type FleetTunnel = {
  /** False where the API says that there is none; then nothing else is known. */
  readonly live: boolean;
  readonly status: OpenStatus | undefined;
  readonly uptimeStatus: OpenStatus | undefined;
};
