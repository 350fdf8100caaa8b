/**
 * States from the API document ("States and transitions"). Any other value becomes `other`, so a state set over
 * `[...LIST, OTHER]` always has exactly one series at 1.
 */
export const OTHER = 'other';

export const RENTAL_STATUSES = ['sold', 'self_rented', 'idle'] as const;
export const MARKETPLACE_STATUSES = ['listed', 'not_listed'] as const;
export const SETUP_STATUSES = [
  'awaiting_device_details',
  'awaiting_agent',
  'active',
  'draft',
  'incomplete',
  'complete',
] as const;

export type RentalStatus = (typeof RENTAL_STATUSES)[number] | typeof OTHER;
export type MarketplaceStatus = (typeof MARKETPLACE_STATUSES)[number] | typeof OTHER;
export type SetupStatus = (typeof SETUP_STATUSES)[number] | typeof OTHER;

/**
 * Value of a field whose "allowed values" are "not shown" in the API document: lower-case `[a-z0-9_]{1,32}`, else
 * `other`.
 */
export type OpenStatus = string;

/**
 * A device of the device list ("Device", element of `data.items`). A missing fact is `undefined`; a missing text is `''`,
 * since an `_info` label cannot be absent. Instants are milliseconds since 1970, UTC.
 */
export type Device = {
  /** `deviceId`, matching `[A-Za-z0-9_-]{1,64}`; the identity of the device within its account. */
  readonly id: string;
  readonly label: string;
  readonly brand: string;
  readonly model: string;
  readonly appVersion: string;
  readonly setupStatus: SetupStatus | undefined;
  readonly rentalStatus: RentalStatus | undefined;
  readonly marketplaceStatus: MarketplaceStatus | undefined;
  /** `lastHeartbeatAt`; undefined if missing or not a usable instant. */
  readonly lastHeartbeatAt: number | undefined;
  /** `selfRent.status`. */
  readonly selfRentStatus: OpenStatus | undefined;
  /** `selfRent.rentalId`. */
  readonly rentalId: string | undefined;
  /** `rotation.status`. */
  readonly rotationStatus: OpenStatus | undefined;
  /** `rotation.intervalInMs`. */
  readonly rotationIntervalMilliseconds: number | undefined;
};

/**
 * Reports whether a device has a live self-rental, so that its tunnel can be fetched ("Availability rule" in the API
 * document): it is self-rented, or its `selfRent` has a `rentalId`.
 */
export function hasLiveSelfRent({ rentalStatus, rentalId }: Device): boolean {
  return rentalStatus === 'self_rented' || rentalId !== undefined;
}

/** Setup states of a device that was never set up. */
const NOT_SET_UP: ReadonlySet<SetupStatus | undefined> = new Set([
  'awaiting_device_details',
  'awaiting_agent',
  'draft',
  'incomplete',
]);

/** Reports whether a device was set up. An unknown status counts as set up. */
export function isSetUp(setupStatus: SetupStatus | undefined): boolean {
  return !NOT_SET_UP.has(setupStatus);
}
