import { systemClock } from '../../src/base/clock.ts';
import { createMarketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet } from '../../src/features/demo/phones.ts';
import { type Simulator, startSimulator } from '../simulator.ts';

const MINUTE = 60_000;

/** A world of so many phones that stops after an hour of life. Whoever asks, and whenever, gets the same answer. */
export async function startFrozenMarketplace(phones: number, key: string): Promise<Simulator> {
  const now = systemClock.now();
  const marketplace = createMarketplace({
    seed: 5,
    startAt: now - 60 * MINUTE,
    phones: createFleet({ seed: 5, size: phones }),
  });
  marketplace.advance(now - 30 * MINUTE);
  // Every fifteenth phone falls offline, half an hour ago.
  marketplace.edit(
    marketplace
      .phones()
      .filter((_, index) => index % 15 === 0)
      .map(({ deviceId }) => deviceId),
    { online: false },
  );
  marketplace.advance(now);
  return startSimulator({
    accounts: [{ name: 'main', key, marketplace }],
    clock: { ...systemClock, now: () => now },
  });
}
