import { loadConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import { readWebSetup } from '../config/web/read.ts';
import type { WebConfig } from '../config/web/web-config.ts';
import { command } from './command.ts';
import type { Io } from './io.ts';
import { askLocally, localUrl } from './listening.ts';

/*
 * The check has no password and no certificate, since a container's health command is no place for them: a daemon that
 * asks for one lives. What it may ask for is read in its own web configuration file.
 */

export const healthcheck = command({
  name: 'healthcheck',
  summary:
    'Asks the daemon that runs on this machine whether it lives; for containers. Being asked for a password counts as yes.',
  options: {},
  run: async ({ flags: given }, io) => {
    const { environment, readFile } = io;
    const { config } = loadConfig({ flags: given, environment, readFile, accounts: 'optional' });
    const { configFile, listenAddress } = config.web;
    const web = configFile === undefined ? PLAIN : readWeb(configFile, io);
    if (web === undefined) return 1;
    const url = localUrl(web.tls === undefined ? 'http' : 'https', listenAddress, '/-/healthy');
    try {
      const answer = await askLocally(url);
      if (isOfTheLiving(answer, web)) return 0;
      const got = answer === 'closed' ? 'ended the connection' : `answered ${answer}`;
      io.complain(`unhealthy: ${url} ${got}, expected 200\n`);
    } catch (error) {
      io.complain(
        `unhealthy: ${url} did not answer (${error instanceof Error ? error.message : 'no reason given'})\n`,
      );
    }
    return 1;
  },
});

type Demands = Pick<WebConfig, 'tls' | 'users' | 'rateLimit'>;

const PLAIN: Demands = { tls: undefined, users: new Map(), rateLimit: undefined };

/** With a file that can't be used, the daemon lets nobody in. */
function readWeb(path: string, { readFile, complain }: Io): Demands | undefined {
  try {
    return readWebSetup(path, readFile).config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) complain(`unhealthy: ${problem}\n`);
    return undefined;
  }
}

function isOfTheLiving(answer: number | 'closed', { tls, users, rateLimit }: Demands): boolean {
  switch (answer) {
    case 200:
      return true;
    case 401:
      return users.size > 0;
    case 429:
      return users.size > 0 || rateLimit !== undefined;
    case 'closed':
      return tls !== undefined && tls.clientAuthentication !== 'ignore';
    default:
      return false;
  }
}
