import { once } from 'node:events';
import { createServer } from 'node:http';
import { systemClock } from '../../src/base/clock.ts';
import { createSimulator } from '../../src/features/demo/simulate.ts';
import { KEY } from '../dependencies.ts';
import { createBenchMarketplace } from '../marketplace.ts';
import { handleRequests } from './handlers.ts';

/** The simulated marketplace over HTTP. Parameters: phones, and milliseconds that each answer takes. */
const [phones = 0, latencyMilliseconds = 0] = process.argv.slice(2).map(Number);

const marketplace = createBenchMarketplace(phones, 1, systemClock.now());
const respond = createSimulator({
  accounts: [{ key: KEY, marketplace }],
  clock: systemClock,
  latencyMilliseconds,
});
let requests = 0;
const server = createServer((incoming, response) => {
  requests += 1;
  respond(incoming, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();

handleRequests({
  port: () => [typeof address === 'object' ? (address?.port ?? 0) : 0],
  /** Number of requests to the API until now. */
  requests: () => [requests],
});
