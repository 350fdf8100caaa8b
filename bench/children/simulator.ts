import { systemClock } from '../../src/clock.ts';
import { startSimulator } from '../../src/simulator/server.ts';
import { KEY } from '../dependencies.ts';
import { createBenchMarketplace } from '../marketplace.ts';
import { answerQuestions } from './answers.ts';

/** The simulated marketplace over HTTP. Parameters: phones, and milliseconds that each answer takes. */
const [phones = 0, latencyMilliseconds = 0] = process.argv.slice(2).map(Number);

const now = systemClock.now();
const simulator = await startSimulator({
  accounts: [{ name: 'bench', key: KEY, marketplace: createBenchMarketplace(phones, 1, now) }],
  clock: systemClock,
  latencyMilliseconds,
});

answerQuestions({
  port: () => [Number(new URL(simulator.url).port)],
  /** How many requests of the API there were until now. */
  requests: () => {
    const { devices, tunnel, balance } = simulator.counts();
    return [devices + tunnel + balance];
  },
});
