import type { AccountCause, Causes } from './cause.ts';
import type { RentalStatus } from './device.ts';
import type { AccessState } from './enums.ts';
import type { FleetEvent } from './event.ts';
import type { Fleet, FleetDevice, LeftDevice } from './fleet.ts';
import type { LastAmounts, Money } from './money.ts';
import type { DeviceProblem, Judgement } from './problem.ts';
import type { Reading } from './reading.ts';
import type { Rhythm } from './rhythm.ts';
import type { Tunnels } from './tunnel.ts';

/**
 * The state of all accounts at one instant; `/metrics` is a pure function of it. Immutable: the poller replaces it as a
 * whole, everything else only reads it.
 */
export type Snapshot = {
  readonly accounts: readonly AccountSnapshot[];
  /** The common causes of silent devices of all accounts. */
  readonly causes: Causes;
  /** The latest events, oldest first. */
  readonly events: readonly FleetEvent[];
};

/** One hoster account in a snapshot. */
export type AccountSnapshot = {
  /** The configured name, which becomes the label `account`; never derived from the key. */
  readonly name: string;
  /** Configured, since the API names no currency; undefined where it is not. */
  readonly currency: string | undefined;
  /** Configured limit below which the balance is low; undefined where it is not. */
  readonly balanceLowCents: number | undefined;
  /** Path of the file with the key; undefined where the key is in an environment variable. */
  readonly keyFile: string | undefined;
  /** State of the key according to the last answers; undefined before the first one. */
  readonly access: AccessState | undefined;
  readonly devices: Reading<Fleet>;
  readonly tunnels: Reading<Tunnels>;
  readonly balance: Reading<Money>;
  /** Undefined before the first device list. */
  readonly judgement: Judgement | undefined;
  /** Devices that an event told to be silent, and none yet to be back. */
  readonly toldSilent: ReadonlySet<string>;
  /** Common causes of its silent devices. */
  readonly causes: readonly AccountCause[];
  /** Facts from before a restart that no poll has taken over yet; never shown. */
  readonly memory: Memory;
};

/**
 * Facts about an account that need a sequence of polls, as an earlier process saved them. They are kept until the polls
 * of this process replace them, so that they survive another restart.
 */
export type Memory = {
  /** By device id; empty after the first complete listing. */
  readonly devices: ReadonlyMap<string, DeviceMemory>;
  /** Devices that had left the list; empty once this process has listed devices. */
  readonly left: ReadonlyMap<string, LeftDevice>;
  /** The last readable amounts of the balance; undefined once this process has read it. */
  readonly lastAmounts: LastAmounts | undefined;
};

/** A remembered device: since when things last, and its rhythm. Counters begin at 0 with each process. */
export type DeviceMemory = Pick<FleetDevice, 'rentalStatusSince'> & {
  readonly rentalStatus: RentalStatus | undefined;
  readonly rhythm: Rhythm | undefined;
  readonly problem: DeviceProblem | undefined;
};

export const NO_MEMORY: Memory = { devices: new Map(), left: new Map(), lastAmounts: undefined };
