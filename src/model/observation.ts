import type { Device } from './device.ts';
import type { Due } from './due.ts';
import type { Collector, FailureReason } from './enums.ts';
import type { ListingFacts } from './fleet.ts';
import type { Balance } from './money.ts';
import type { Tunnel } from './tunnel.ts';

/**
 * Data about an account at one instant. Instants are whole milliseconds since 1970 by the API's clock, or by our own if
 * responses have no date.
 */
export type Observation =
  | ListObservation
  | TunnelsObservation
  | BalanceObservation
  | FailureObservation
  | PartObservation;

/** Our own clocks at an observation. They show whether a date from the API can be believed. */
export type OwnClocks = {
  /** The wall clock, in milliseconds since 1970. */
  readonly wall: number;
  /** Whole milliseconds since the last device list of this process; undefined before it. */
  readonly sinceList: number | undefined;
};

/** Times around a poll, in whole milliseconds of a monotonic clock. */
export type PollTimes = Due & {
  /** Since the last observation of this kind in this process; undefined for the first one. */
  readonly elapsed: number | undefined;
};

/** A device, and the time of the page that showed it. */
export type ListedDevice = { readonly device: Device; readonly listedAt: number };

/** A successful poll of the device list. */
export type ListObservation = {
  readonly kind: 'list';
  readonly times: PollTimes;
  readonly devices: ReadonlyMap<string, ListedDevice>;
  /** `total` of the list. */
  readonly reported: number;
  /** The time of its latest page. */
  readonly apiTime: number;
  readonly listing: Omit<ListingFacts, 'suspect'>;
};

/** A device's tunnel at an instant; undefined if it has none (404 SELF_RENT_TUNNEL_NOT_FOUND). */
export type TunnelResult = { readonly tunnel: Tunnel | undefined; readonly apiTime: number };

/** Results of a round over all tunnels, or for devices that were just rented. */
export type TunnelsObservation = {
  readonly kind: 'tunnels';
  readonly results: ReadonlyMap<string, TunnelResult>;
  /** Undefined for results outside a round. */
  readonly round: PollTimes | undefined;
  /** The time of the latest response; undefined if there was none. */
  readonly apiTime: number | undefined;
};

export type BalanceObservation = {
  readonly kind: 'balance';
  /** Milliseconds since the last balance in this process; undefined for the first one. */
  readonly elapsed: number | undefined;
  readonly balance: Balance;
  readonly apiTime: number;
};

export type PartObservation = { readonly kind: 'part'; readonly part: string; readonly effect: unknown };

/** A failed poll. */
export type FailureObservation = {
  readonly kind: 'failure';
  /** Milliseconds since this collector's last poll in this process, failed or not; undefined for the first one. */
  readonly elapsed: number | undefined;
  readonly collector: Collector;
  readonly reason: FailureReason;
  readonly at: number;
};
