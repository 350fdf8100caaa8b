import type { Device, MarketplaceStatus, RentalStatus } from './device.ts';
import type { Rhythm } from './rhythm.ts';
import type { DeviceTimes, Spell, Unseen } from './times.ts';

/** An account's devices after a listing, with facts about the listing. */
export type Fleet = {
  /** The devices by id, in the order they were first listed. */
  readonly devices: ReadonlyMap<string, FleetDevice>;
  /** Number of devices by status; a device without a status counts as `other`. */
  readonly counts: DeviceCounts;
  /** Ids of the devices whose tunnel can be fetched. */
  readonly liveSelfRents: readonly string[];
  /** Devices that are kept although the last listing did not show them, by id. */
  readonly absent: ReadonlyMap<string, Absence>;
  /** Devices that left the list within the last day, by id, in the order they left. */
  readonly left: ReadonlyMap<string, LeftDevice>;
  /** Devices that left the list, kept until the end of the following month, by id, in the order they left. */
  readonly departed: ReadonlyMap<string, DepartedDevice>;
  /** `total` of the device list. */
  readonly reported: number;
  /** The API's clock at the latest page of the listing, in milliseconds since 1970. */
  readonly apiTime: number;
  /** Milliseconds to add to the times of responses because the API's clock was set; usually 0. */
  readonly clockShift: number;
  /** The clock was wrong at this listing, so all ages were measured again from scratch. */
  readonly isClockReset: boolean;
  /** Milliseconds from the listing until the next one was due, and its slack. */
  readonly dueIn: number;
  readonly slack: number;
  readonly listing: ListingFacts;
  /** Periods without a list in the last day, oldest first. */
  readonly unseen: readonly Unseen[];
};

export type DeviceCounts = Readonly<Record<RentalStatus, Readonly<Record<MarketplaceStatus, number>>>>;

/** Properties of a device from features, such as `carrier` → `Kyivstar`. */
export type Properties = ReadonlyMap<string, string>;

export const NO_PROPERTIES: Properties = new Map();

/** Lists the names of the properties of all devices. */
export function propertyNames(fleets: Iterable<Fleet | undefined>): readonly string[] {
  const names = new Set<string>();
  for (const fleet of fleets)
    for (const { properties } of fleet?.devices.values() ?? [])
      for (const name of properties.keys()) names.add(name);
  return [...names].sort();
}

/** A device, and facts derived from a sequence of polls. */
export type FleetDevice = {
  readonly device: Device;
  /** The part of the label that names its group, such as a rack; `''` without one. */
  readonly group: string;
  readonly properties: Properties;
  /** The API's clock at the last page with the device, in milliseconds since 1970. */
  readonly listedAt: number;
  /** That time minus the last heartbeat, never negative; undefined without a usable heartbeat. */
  readonly heartbeatAgeSeconds: number | undefined;
  /** The part of the heartbeat age in which the API was down and the device could not report. */
  readonly outageSeconds: number;
  /** Summary of the gaps between its heartbeats. */
  readonly rhythm: Rhythm;
  /** Heartbeat age above which the device is offline. */
  readonly offlineAfterSeconds: number;
  /** It is set up, and its heartbeat age, not counting outages, exceeds its threshold. */
  readonly offline: boolean;
  /** The heartbeat with which it came back online, in milliseconds since 1970; shown for an hour. */
  readonly backAt: number | undefined;
  /** The last list at which it was muted, in milliseconds since 1970; undefined if it never was. */
  readonly mutedAt: number | undefined;
  /** When its current rental status was first seen, in milliseconds since 1970; undefined without a status. */
  readonly rentalStatusSince: number | undefined;
  /** This process saw the change to the current rental status. Otherwise, the status may have started earlier. */
  readonly rentalStatusBeginSeen: boolean;
  readonly times: DeviceTimes;
  /** Periods of the last day in which it was not simply online, oldest first. */
  readonly spells: readonly Spell[];
  /** When a list first showed that rotation had stopped, by the API's clock; undefined while it is active. */
  readonly rotationStoppedAt: number | undefined;
};

/** Absence of a device from listings. */
export type Absence = {
  /** The API's clock at the last listing with the device, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Milliseconds since then during which listings were read. */
  readonly missing: number;
  /** Number of listings since then. */
  readonly listings: number;
  readonly completeListings: number;
  /** So many devices are missing at once that more listings must confirm it. */
  readonly suspect: boolean;
};

/** A device that left the list: archived or lost; we cannot tell which. Instants are milliseconds since 1970. */
export type LeftDevice = {
  readonly label: string;
  readonly group: string;
  /** The API's clock at the last listing with the device. */
  readonly lastListedAt: number;
  /** The API's clock at the listing that confirmed its removal. */
  readonly removedAt: number;
  readonly wasOffline: boolean;
};

/** Facts about a device that left the list, kept in case it returns. */
export type DepartedDevice = {
  readonly device: Pick<Device, 'label' | 'brand' | 'model' | 'appVersion'>;
  readonly group: string;
  /** The API's clock at the last listing with the device, in milliseconds since 1970. */
  readonly leftAt: number;
  readonly times: DeviceTimes;
  readonly rhythm?: Rhythm;
};

/** Facts about the last listing. */
export type ListingFacts = {
  readonly pages: number;
  /** Number of passes over the list. */
  readonly passes: number;
  /** The number of unique devices was exactly `total`. */
  readonly complete: boolean;
  /** Number of items without a usable id. */
  readonly rejected: number;
  /** A field had a value of an unexpected form and was dropped. */
  readonly faulty: boolean;
  /** So many devices are missing at once that they are kept until later listings confirm it. */
  readonly suspect: boolean;
};
