import type { MarketplaceStatus, OpenStatus, RentalStatus, SetupStatus } from './status.ts';

/**
 * A phone as the device list describes it ("Device", element of `data.items`). A fact that the API did not give is
 * `undefined`; text that it did not give is `''`, since an `_info` label cannot be absent. Instants are milliseconds
 * since 1970, UTC.
 */
export type Device = {
  /** `deviceId`, matching `[A-Za-z0-9_-]{1,64}`; the identity of the phone within its account. */
  readonly id: string;
  readonly label: string;
  readonly brand: string;
  readonly model: string;
  readonly appVersion: string;
  readonly setupStatus: SetupStatus | undefined;
  readonly rentalStatus: RentalStatus | undefined;
  readonly marketplaceStatus: MarketplaceStatus | undefined;
  /** `lastHeartbeatAt`; undefined where it was missing or no usable instant. */
  readonly lastHeartbeatAt: number | undefined;
  readonly selfRent: SelfRent | undefined;
  readonly rotation: Rotation | undefined;
};

/** `selfRent`: undefined as a whole for a phone whose `selfRent` is absent, null or empty. */
export type SelfRent = {
  readonly status: OpenStatus | undefined;
  readonly rentalId: string | undefined;
};

/** `rotation`: undefined as a whole for a phone whose `rotation` is absent, null or empty. */
export type Rotation = {
  readonly status: OpenStatus | undefined;
  readonly intervalMilliseconds: number | undefined;
};

/**
 * Whether the hoster has a live rental of his own for this phone, so that its tunnel can be asked for ("Availability
 * rule" of the API document): it is self-rented, or its `selfRent` carries a `rentalId`.
 */
export function hasLiveSelfRent(device: Device): boolean {
  return device.rentalStatus === 'self_rented' || device.selfRent?.rentalId !== undefined;
}

/** The order of device ids, by code units. The id that is missing at the end of a list comes after all others. */
export function compareIds(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  return other === undefined || one < other ? -1 : 1;
}
