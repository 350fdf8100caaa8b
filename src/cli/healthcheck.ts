import { bytesReadBefore, THIS_MACHINE } from '../base/outbound.ts';
import { defineCommand } from './command.ts';
import { type ExporterAddress, loadOwn, reasonFor, senderTo } from './own-exporter.ts';

/**
 * Checks whether the daemon is alive. The check has neither a password nor a client certificate, since a container's
 * health command should not hold them: a daemon that asks for one is alive.
 */
export const healthcheck = defineCommand({
  options: {},
  run: async ({ flags }, io) => {
    const { address } = await loadOwn(flags, io);
    const problem = await problemOf(address);
    if (problem === undefined) return 0;
    io.printError(`unhealthy: ${address.origin} ${problem}\n`);
    return 1;
  },
});

const TIMEOUT_MILLISECONDS = 3_000;

/** Part of OpenSSL's message if the peer gave a reason for ending the handshake. */
const TLS_ALERT = /SSL alert number/;

/**
 * Requests the health of a daemon. Certificates are not verified: the request stays on this machine and is not secret.
 *
 * @returns what is wrong; undefined if the daemon is alive
 */
async function problemOf(address: ExporterAddress): Promise<string | undefined> {
  try {
    const send = senderTo(address, THIS_MACHINE, TIMEOUT_MILLISECONDS);
    const { status } = await send('/-/healthy', { method: 'GET' });
    return status === 200 || status === 401 ? undefined : `returned status ${status}, expected 200`;
  } catch (error) {
    const isAlert = error instanceof Error && TLS_ALERT.test(error.message);
    const wantsCertificate =
      address.origin.startsWith('https:') && (isAlert || bytesReadBefore(error) !== undefined);
    return wantsCertificate ? undefined : `did not respond (${reasonFor(address, error)})`;
  }
}
