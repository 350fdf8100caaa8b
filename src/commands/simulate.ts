import { readKey } from '../api-key.ts';
import { command } from './command.ts';
import { DEMO_KEY, SIMULATOR_OPTIONS, setStage } from './stage.ts';

export const simulate = command({
  name: 'simulate',
  summary: 'A simulated marketplace alone, with faults to switch on.',
  options: SIMULATOR_OPTIONS,
  run: async ({ options: own }, io) => {
    const keyFile = own['key-file'];
    const key =
      keyFile === undefined ? DEMO_KEY : readKey({ file: keyFile }, io.readFile, io.environment).reveal();
    const simulator = await setStage({ ...own, key, latencyMilliseconds: own.latency }, io.clock);
    await io.print(`A simulated marketplace with ${own.phones} phones listens.

  HOSTER_API_URL=${simulator.url}
  HOSTER_API_KEY${keyFile === undefined ? `=${DEMO_KEY}` : `_FILE=${keyFile}`}

  Faults, and how to switch them on and off:
  curl ${simulator.url}/-/faults
  curl -X PUT ${simulator.url}/-/faults/all/internal-error
  curl -X DELETE ${simulator.url}/-/faults

Ctrl-C ends it.
`);
    await io.interrupted;
    await simulator.close();
    return 0;
  },
});
