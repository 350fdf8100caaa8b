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
  readonly kind: DeviceKind;
  readonly state: DeviceState;
  /** `lastHeartbeatAt`; undefined where it was missing or no usable instant. */
  readonly lastHeartbeatAt: number | undefined;
  /** `selfRent.rentalId`, which no two phones share. */
  readonly rentalId: string | undefined;
};

/** Phones as a list shows them: each once, in the order of their ids. */
export type Devices = {
  readonly length: number;
  readonly at: (index: number) => Device | undefined;
};

/**
 * What a phone is. Of this and of its state there are some hundred different ones in a fleet of a hundred thousand
 * phones. Whoever reads phones gives equal ones the same object, so that a fleet takes less room, and that what is made
 * of it stays the same can be told at a glance.
 */
export type DeviceKind = {
  readonly brand: string;
  readonly model: string;
  readonly appVersion: string;
};

/** What a phone does, as far as others do the same. */
export type DeviceState = {
  readonly setupStatus: SetupStatus | undefined;
  readonly rentalStatus: RentalStatus | undefined;
  readonly marketplaceStatus: MarketplaceStatus | undefined;
  /** `selfRent.status` and `rotation.status`. */
  readonly selfRentStatus: OpenStatus | undefined;
  readonly rotationStatus: OpenStatus | undefined;
  /** `rotation.intervalInMs`. */
  readonly rotationIntervalMilliseconds: number | undefined;
};

/**
 * Whether the hoster has a live rental of his own for this phone, so that its tunnel can be asked for ("Availability
 * rule" of the API document): it is self-rented, or its `selfRent` carries a `rentalId`.
 */
export function hasLiveSelfRent({ state, rentalId }: Pick<Device, 'state' | 'rentalId'>): boolean {
  return state.rentalStatus === 'self_rented' || rentalId !== undefined;
}

/** The order of device ids, by code units. The id that is missing at the end of a list comes after all others. */
export function compareIds(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  return other === undefined || one < other ? -1 : 1;
}
