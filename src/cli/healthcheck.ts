import { createFileCache, type FileCache } from '../base/files.ts';
import { bytesReadBefore, reasonOf, THIS_MACHINE } from '../base/outbound.ts';
import { readConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import { addressOf } from '../config/values.ts';
import { readWebConfig, type WebConfig } from '../http/web-config/parse.ts';
import { defineCommand, type Io } from './command.ts';
import { type ExporterAddress, senderTo, socketAddress } from './own-exporter.ts';

/*
 * The check has neither a password nor a client certificate, since the health command of a container should not hold them. A
 * daemon that requires one, according to its web configuration file, is alive.
 */

export const healthcheck = defineCommand({
  options: {},
  run: async ({ flags }, io) => {
    const { schema, environment } = io;
    const files = createFileCache(io.readFile);
    const { config } = await readConfig({ schema, flags, environment, accounts: 'optional' }, files);
    const { config_file: configFile, listen_address: listenAddress, socket: socketPath } = config.web;
    const rules = configFile === undefined ? PLAIN_HTTP : await readAccessRules(configFile, files, io);
    if (rules === undefined) return 1;
    // The socket has neither TLS nor logins.
    const access = socketPath === undefined ? rules : PLAIN_HTTP;
    const address =
      socketPath === undefined
        ? addressOf(access.tls === undefined ? 'http' : 'https', listenAddress)
        : socketAddress(socketPath);
    try {
      const status = await requestStatus(address);
      if (isAlive(status, access)) return 0;
      const got = status === 'closed' ? 'ended the connection' : `returned status ${status}`;
      io.printError(`unhealthy: ${address.origin} ${got}, expected 200\n`);
    } catch (error) {
      io.printError(`unhealthy: ${address.origin} did not respond (${reasonOf(error)})\n`);
    }
    return 1;
  },
});

/** Rules of the web configuration file for the responses of a healthy daemon. */
type AccessRules = Pick<WebConfig, 'tls' | 'users'>;

const PLAIN_HTTP: AccessRules = { tls: undefined, users: new Map() };

/** Reads the rules. Prints the errors of an invalid file, with which the daemon rejects every request. */
async function readAccessRules(
  path: string,
  files: FileCache,
  { printError }: Io,
): Promise<AccessRules | undefined> {
  try {
    return (await readWebConfig(path, files)).config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) printError(`unhealthy: ${problem}\n`);
    return undefined;
  }
}

function isAlive(status: number | 'closed', { tls, users }: AccessRules): boolean {
  switch (status) {
    case 200:
      return true;
    case 401:
      return users.size > 0;
    case 'closed':
      return tls !== undefined && tls.clientAuthentication !== 'ignore';
    default:
      return false;
  }
}

const TIMEOUT_MILLISECONDS = 3_000;

/** OpenSSL's message when the peer ended the handshake with a reason. */
const TLS_ALERT = /SSL alert number/;

/**
 * Returns the status of a GET request, or `closed` if the peer accepted the connection and then closed it. Certificates are not
 * verified: the request stays on this machine and has no secret.
 */
async function requestStatus(address: ExporterAddress): Promise<number | 'closed'> {
  try {
    const send = senderTo(address, THIS_MACHINE, TIMEOUT_MILLISECONDS);
    return (await send('/-/healthy', { method: 'GET' })).status;
  } catch (error) {
    const isAlert = error instanceof Error && TLS_ALERT.test(error.message);
    if (isAlert || bytesReadBefore(error) !== undefined) return 'closed';
    throw error;
  }
}
