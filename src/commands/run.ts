import { command } from './command.ts';
import { prepare } from './prepare.ts';
import { serve } from './serve.ts';

export const run = command({
  name: 'run',
  summary: 'The daemon: polls the accounts and serves what it learns. The default.',
  options: {},
  run: async ({ flags: given }, io) => {
    const { config, surroundings } = prepare(given, io);
    const { log, build } = surroundings;
    // From the beginning, since a hangup that nobody listens to would end the process; there is nothing to reload yet.
    let reload = async (): Promise<unknown> => undefined;
    io.onHangup(() => void reload());
    const code = await serve(config, surroundings, io, async (daemon) => {
      reload = daemon.reload;
      const { url } = daemon;
      log.info({ url, version: build.version, accounts: config.accounts.length }, 'listening');
    });
    if (code === 0) log.info({}, 'stopped');
    return code;
  },
});
