import type { Balance } from './balance.ts';
import type { Device, DeviceKind, DeviceState } from './device.ts';
import type { FailureReason } from './failure.ts';
import type { MarketplaceStatus, RentalStatus } from './status.ts';
import type { Tunnel } from './tunnel.ts';

/** How old what we show is: from the last poll, from an earlier one, or too old to be shown. */
export const DATA_STATES = ['fresh', 'held', 'expired'] as const;

export type DataState = (typeof DATA_STATES)[number];

/**
 * What one collector of one account last learned. A failed poll replaces the facts about the attempt and keeps `data`.
 * Instants are milliseconds since 1970 of our own clock.
 */
export type Reading<Data> = {
  /** Undefined until the first success; also what an expired reading still holds, for when the API returns. */
  readonly data: Data | undefined;
  readonly state: DataState;
  readonly lastSuccessAt: number | undefined;
  readonly lastAttemptAt: number | undefined;
  /** Why the last poll failed; undefined after a success and before the first poll. */
  readonly failure: FailureReason | undefined;
};

/** The data of a reading, if there is any that may still be shown. */
export function shownData<Data>({ data, state }: Reading<Data>): Data | undefined {
  return state === 'expired' ? undefined : data;
}

/** What the devices collector knows: the phones, and what the list said of itself. */
export type Fleet = {
  /** The phones that this process looks after. */
  readonly devices: Phones;
  /** The phones that other shards look after, in the order of their ids; none where there is only this one. */
  readonly neighbours: readonly Neighbour[];
  readonly summary: FleetSummary;
  /** By device id: those of all these phones that the last listing lacked, and of which nothing newer is known. */
  readonly absent: ReadonlyMap<string, Absence>;
  /** `total` of the device list. */
  readonly reported: number;
  /** The clock of the API at the listing, in milliseconds since 1970. */
  readonly apiTime: number;
  readonly listing: ListingFacts;
};

/**
 * Phones in the order of their ids, packed: what is known of each stands in its place in several columns, and is made
 * into objects anew when it is asked for.
 */
export type Phones = Iterable<FleetDevice> & {
  readonly length: number;
  readonly at: (index: number) => FleetDevice | undefined;
  readonly slice: (from: number, to: number) => readonly FleetDevice[];
  /** What the API said of the phone. */
  readonly deviceAt: (index: number) => Device | undefined;
  readonly columns: PhoneColumns;
};

/** A column for each fact of phones. A column in which nothing changes is the same one after the next poll. */
export type PhoneColumns = {
  readonly ids: readonly string[];
  readonly labels: readonly string[];
  readonly kinds: readonly DeviceKind[];
  readonly states: readonly DeviceState[];
  readonly rentalIds: readonly (string | undefined)[];
  /** All their numbers, those of one phone side by side. */
  readonly numbers: Float64Array;
};

/** What is asked of a fleet as a whole, counted once, since a large one takes milliseconds. */
export type FleetSummary = {
  /** Number of phones, those of other shards among them; one without a status counts as `other`. */
  readonly counts: Readonly<Record<RentalStatus, Readonly<Record<MarketplaceStatus, number>>>>;
  /** Ids of the phones that this process looks after and whose tunnel can be asked for. */
  readonly liveSelfRents: readonly string[];
};

/** What is kept of a phone that another shard looks after: enough to miss it, and to count it. */
export type Neighbour = Pick<Device, 'id' | 'state'>;

/** How long listings have lacked a phone that is kept for the time being. */
export type Absence = {
  /** The clock of the API when a listing last showed it, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Listings since then. */
  readonly listings: number;
  /** Those of them that were complete. */
  readonly completeListings: number;
  /** It was lost together with so many others that it takes more listings to believe it. */
  readonly suspect: boolean;
};

/** A phone with what only a sequence of polls can tell. */
export type FleetDevice = {
  readonly device: Device;
  /** API time at the poll minus the last heartbeat, never below 0; undefined without a usable heartbeat. */
  readonly heartbeatAgeSeconds: number | undefined;
  /** When we first saw the present rental status, in milliseconds since 1970; undefined without a status. */
  readonly rentalStatusSince: number | undefined;
  /** Observed seconds in each rental status; only time between two successful polls counts. */
  readonly rentalStatusSeconds: Readonly<Record<RentalStatus, number>>;
};

/** How the last listing went. */
export type ListingFacts = {
  /** How many pages the list has. */
  readonly pages: number;
  /** How often it was read from its start. */
  readonly passes: number;
  /** The unique device ids read were exactly `total`. */
  readonly complete: boolean;
  /** Phones are kept that were lost together with so many others that later listings have to confirm it. */
  readonly suspect: boolean;
};

/** What the tunnels collector knows, by device id, of the phones whose rental was live. */
export type Tunnels = ReadonlyMap<string, TunnelAnswer>;

/** An answer to "which tunnel has this phone?"; no tunnel (404 SELF_RENT_TUNNEL_NOT_FOUND) is one of them. */
export type TunnelAnswer = {
  readonly tunnel: Tunnel | undefined;
  /** When it was last answered, in milliseconds since 1970. */
  readonly answeredAt: number;
};

/** What the balance collector knows: the balance, and the movements seen between successful polls. */
export type Money = {
  readonly balance: Balance;
  readonly observed: Readonly<Record<'available' | 'pending', Movement>>;
};

/** Sums of upward and downward movements in cents; they are not earnings and never called so. */
export type Movement = { readonly increaseCents: number; readonly decreaseCents: number };
