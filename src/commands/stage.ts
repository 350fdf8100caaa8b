import type { Clock } from '../clock.ts';
import { setting } from '../config/settings.ts';
import { duration, pattern, wholeNumber } from '../config/values.ts';
import { createFleet } from '../simulator/fleet.ts';
import { createMarketplace, type Marketplace } from '../simulator/marketplace.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How large the simulated fleet is, which, and how old: what `demo`, `demo-history` and `simulate` have in common. */
export const FLEET_OPTIONS = {
  phones: setting(wholeNumber(0, 1_000_000), { description: 'Number of simulated phones.', default: 250 }),
  seed: setting(wholeNumber(0, 999_999_999), {
    description: 'Which fleet: the same seed gives the same phones.',
    default: 1,
  }),
  history: setting(duration(HOUR, 30 * DAY), {
    description: 'How long the simulated marketplace has existed; it began at a midnight (UTC) before that.',
    default: '1h',
  }),
};

/** Options of the simulated marketplace as a server. */
export const SIMULATOR_OPTIONS = {
  ...FLEET_OPTIONS,
  port: setting(wholeNumber(0, 65_535), {
    description: 'Port on 127.0.0.1; 0 takes a free one.',
    default: 9824,
  }),
  'key-file': setting(pattern('the path of a file that holds a key', /^[^\0\n]{1,4096}$/).optional(), {
    description: 'File with the API key that the marketplace accepts; without one it accepts the key "demo".',
  }),
  latency: setting(wholeNumber(0, 60_000), {
    description: 'Milliseconds that each answer takes.',
    default: 0,
  }),
};

/** The key that the simulated marketplace accepts where no other is chosen; it opens nothing. */
export const DEMO_KEY = 'demo';

/** A simulated marketplace, as the options describe it. */
export type World = { readonly phones: number; readonly seed: number; readonly history: number };

export type Stage = World & {
  readonly port: number;
  readonly key: string;
  readonly latencyMilliseconds: number;
};

/**
 * The marketplace of the options as of `now`, in milliseconds since 1970. It begins at a midnight, so that it is the same
 * one whenever it is made within a day: the demo goes on where its history ends.
 */
export function createWorldAt({ phones, seed, history }: World, now: number): Marketplace {
  const startAt = Math.floor((now - history) / DAY) * DAY;
  return createMarketplace({ seed, startAt, phones: createFleet({ seed, size: phones }) });
}

/** Starts the simulated marketplace. Rejects with the error of `listen` if the port can't be had. */
export function setStage(
  { port, key, latencyMilliseconds, ...world }: Stage,
  clock: Clock,
): Promise<Simulator> {
  const marketplace = createWorldAt(world, clock.now());
  return startSimulator({
    accounts: [{ name: 'demo', key, marketplace }],
    clock,
    port,
    seed: world.seed,
    latencyMilliseconds,
  });
}

/**
 * Flags and environment that lead to the simulated marketplace at `url`. It takes the place of any other account: a demo
 * must not poll the real marketplace.
 */
export function leadToDemo(
  given: ReadonlyMap<string, string>,
  environment: Environment,
  url: string,
): { readonly flags: ReadonlyMap<string, string>; readonly environment: Environment } {
  const flags = new Map(given).set('accounts[].api_url', url);
  flags.delete('accounts[].api_key_file');
  return { flags, environment: { ...environment, HOSTER_API_KEY: DEMO_KEY, HOSTER_API_KEY_FILE: '' } };
}

type Environment = Readonly<Record<string, string | undefined>>;
