import type { Clock } from '../clock.ts';
import { pattern, wholeNumber } from '../config/forms.ts';
import { setting } from '../config/setting.ts';
import { createFleet } from '../simulator/fleet.ts';
import { createMarketplace } from '../simulator/marketplace.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';

/** How large the simulated fleet is, and which: what `demo` and `simulate` have in common. */
export const FLEET_OPTIONS = {
  phones: setting(wholeNumber(0, 1_000_000), { meaning: 'Number of simulated phones.', default: 250 }),
  seed: setting(wholeNumber(0, 999_999_999), {
    meaning: 'Which fleet: the same seed gives the same phones.',
    default: 1,
  }),
};

/** Options of the simulated marketplace as a server. */
export const SIMULATOR_OPTIONS = {
  ...FLEET_OPTIONS,
  port: setting(wholeNumber(0, 65_535), { meaning: 'Port on 127.0.0.1; 0 takes a free one.', default: 9824 }),
  'key-file': setting(pattern('the path of a file that holds a key', /^[^\0\n]{1,4096}$/).optional(), {
    meaning: 'File with the API key that the marketplace accepts; without one it accepts the key "demo".',
  }),
  latency: setting(wholeNumber(0, 60_000), { meaning: 'Milliseconds that each answer takes.', default: 0 }),
};

/** The key that the simulated marketplace accepts where no other is chosen; it opens nothing. */
export const DEMO_KEY = 'demo';

export type Stage = {
  readonly phones: number;
  readonly seed: number;
  readonly port: number;
  readonly key: string;
  readonly latencyMilliseconds: number;
};

/** An hour of life before the curtain rises, so that some phones are silent by then and some rentals over. */
const PROLOGUE_MILLISECONDS = 60 * 60 * 1000;

/** Starts the simulated marketplace. Rejects with the error of `listen` if the port can't be had. */
export function setStage(
  { phones, seed, port, key, latencyMilliseconds }: Stage,
  clock: Clock,
): Promise<Simulator> {
  const startAt = clock.now() - PROLOGUE_MILLISECONDS;
  const marketplace = createMarketplace({ seed, startAt, phones: createFleet({ seed, size: phones }) });
  return startSimulator({
    accounts: [{ name: 'demo', key, marketplace }],
    clock,
    port,
    seed,
    latencyMilliseconds,
  });
}
