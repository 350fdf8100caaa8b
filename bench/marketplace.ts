import { createRandom, hexDigits } from '../src/base/random.ts';
import { createMarketplace, type Marketplace } from '../src/features/demo/marketplace.ts';
import { createFleet } from '../src/features/demo/phones.ts';

/** When a made-up marketplace begins, in milliseconds since 1970. */
export const START = Date.UTC(2026, 2, 1, 12);

/**
 * A marketplace whose phones have ids that are random throughout. Those that the simulator gives resemble each other,
 * as those of a database do, and compress to two thirds; so what is measured is the worse case.
 */
export function createBenchMarketplace(phones: number, seed: number, startAt = START): Marketplace {
  const random = createRandom(seed);
  const ids = Array.from({ length: phones }, () => hexDigits(random, 24)).toSorted();
  const fleet = createFleet({ seed, size: phones }).map((phone, index) => ({
    ...phone,
    deviceId: ids[index] ?? phone.deviceId,
  }));
  return createMarketplace({ seed, startAt, phones: fleet });
}
