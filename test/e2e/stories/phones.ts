import { createFleet, type Phone } from '../../../src/features/demo/phones.ts';

const SEED = 7;

/** Thresholds of silence are a few seconds here, so phones report each second. */
const HEARTBEAT_MILLISECONDS = 1_000;

/** Every twelfth phone of a fleet is self-rented. */
const SELF_RENTED_EACH = 12;

/**
 * A fleet in which all is well: set up, listed, and reporting. The first phone is self-rented and its tunnel up, all
 * that follow until the next self-rented one are sold.
 */
export function healthyPhones(size: number): readonly Phone[] {
  return createFleet({ seed: SEED, size }).map((phone, index) => ({
    ...phone,
    setupStatus: 'complete',
    rentalStatus: index % SELF_RENTED_EACH === 0 ? 'self_rented' : 'sold',
    marketplaceStatus: 'listed',
    selfRentStatus: 'active',
    tunnel: 'up',
    online: true,
    heartbeatIntervalMilliseconds: HEARTBEAT_MILLISECONDS,
  }));
}
