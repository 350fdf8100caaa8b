import type { FleetDevice, Money } from './reading.ts';
import type { RentalStatus } from './status.ts';

/**
 * What only a sequence of polls can tell of an account, as an earlier process left it. It is taken over by our own
 * readings as they come in: a memory has to survive another restart that comes before them.
 */
export type Memory = {
  /** By device id; empty once a complete listing has said which of these phones still exist. */
  readonly phones: ReadonlyMap<string, PhoneMemory>;
  /** Undefined where nothing is remembered. */
  readonly money: Money | undefined;
};

/** What is remembered of a phone: the counters of the fleet, and the status that they go on from. */
export type PhoneMemory = Pick<FleetDevice, 'rentalStatusSince' | 'rentalStatusSeconds'> & {
  readonly rentalStatus: RentalStatus | undefined;
};

export const NO_PHONES: Memory['phones'] = new Map();

export const NO_MEMORY: Memory = { phones: NO_PHONES, money: undefined };
