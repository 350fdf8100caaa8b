import { systemClock } from '../../src/base/clock.ts';
import { startSimulator } from '../../src/features/demo/server.ts';
import { KEY } from '../dependencies.ts';
import { createBenchMarketplace } from '../marketplace.ts';
import { handleRequests } from './handlers.ts';

/** The simulated marketplace over HTTP. Parameters: phones, and milliseconds that each answer takes. */
const [phones = 0, latencyMilliseconds = 0] = process.argv.slice(2).map(Number);

const now = systemClock.now();
const simulator = await startSimulator({
  accounts: [{ name: 'bench', key: KEY, marketplace: createBenchMarketplace(phones, 1, now) }],
  clock: systemClock,
  latencyMilliseconds,
});

handleRequests({
  port: () => [Number(new URL(simulator.url).port)],
  /** Number of requests to the API until now. */
  requests: () => {
    const { devices, tunnel, balance } = simulator.counts();
    return [devices + tunnel + balance];
  },
});
