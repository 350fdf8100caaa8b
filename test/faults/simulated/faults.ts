import { createRandom } from '../../../src/base/random.ts';
import { respond } from '../../../src/features/demo/response.ts';
import { type Simulator, startSimulator, type TestedSimulatorOptions } from '../../simulator.ts';
import { DATA_FAULTS } from './data.ts';
import { applyFaults, type Fault } from './fault.ts';
import { STATUS_FAULTS } from './status.ts';
import { createSwitchboard, type Switchboard } from './switchboard.ts';
import { USUAL_FAULTS } from './usual.ts';
import { WIRE_FAULTS } from './wire.ts';

/** All faults of responses. */
export const FAULTS: readonly Fault[] = [...USUAL_FAULTS, ...STATUS_FAULTS, ...WIRE_FAULTS, ...DATA_FAULTS];

/** A running simulated marketplace whose faults a test switches on. */
export type FaultySimulator = Simulator & { readonly faults: Switchboard };

/** Starts a simulated marketplace with all faults. */
export async function startFaultySimulator(options: TestedSimulatorOptions): Promise<FaultySimulator> {
  const { accounts, clock } = options;
  const faults = createSwitchboard(FAULTS, createRandom(1));
  const simulator = await startSimulator(options, ({ request, endpoint, response }) => {
    const acting = faults.next(endpoint);
    const { socket } = response;
    if (acting.length === 0 || socket === null) return false;
    const now = clock.now();
    for (const { marketplace } of accounts) marketplace.advance(now);
    const encoded = applyFaults(respond(accounts, request), acting, {
      endpoint,
      path: request.path,
      now,
      otherOrigin: `http://localhost:${socket.localPort}`,
      respondWith: (parameters) =>
        respond(accounts, { ...request, query: withParameters(request.query, parameters) }),
    });
    const socketFault = acting.map(({ fault }) => fault).find((fault) => 'onSocket' in fault);
    if (socketFault === undefined) {
      response.writeHead(encoded.status, { ...encoded.headers, 'content-length': encoded.body.length });
      response.end(encoded.body);
    } else {
      socketFault.onSocket({ socket, after: clock.after }, encoded);
    }
    return true;
  });
  return { ...simulator, faults };
}

function withParameters(
  query: URLSearchParams,
  parameters: Readonly<Record<string, string>>,
): URLSearchParams {
  const result = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) result.set(name, value);
  return result;
}
