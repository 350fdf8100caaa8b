import { command } from './command.ts';
import { prepare } from './prepare.ts';
import { serve } from './serve.ts';

export const run = command({
  name: 'run',
  summary: 'The daemon: polls the accounts and serves what it learns. The default.',
  options: {},
  run: async ({ given }, io) => {
    const { config, surroundings } = prepare(given, io);
    const { log, build } = surroundings;
    const code = await serve(config, surroundings, io, async ({ url }) => {
      log.info({ url, version: build.version, accounts: config.accounts.length }, 'listening');
    });
    if (code === 0) log.info({}, 'stopped');
    return code;
  },
});
