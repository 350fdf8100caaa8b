import { loadConfig } from '../config/load.ts';
import { command } from './command.ts';
import { localUrl, statusOf } from './listening.ts';

export const healthcheck = command({
  name: 'healthcheck',
  summary: 'Asks the daemon that runs on this machine whether it lives; for containers.',
  options: {},
  run: async ({ given }, io) => {
    const { environment, readFile } = io;
    const { config } = loadConfig({ flags: given, environment, readFile, accounts: 'optional' });
    const url = localUrl(config.web.listenAddress, '/-/healthy');
    try {
      const status = await statusOf(url);
      if (status === 200) return 0;
      io.complain(`unhealthy: ${url} answered ${status}, expected 200\n`);
    } catch (error) {
      io.complain(
        `unhealthy: ${url} did not answer (${error instanceof Error ? error.message : 'no reason given'})\n`,
      );
    }
    return 1;
  },
});
