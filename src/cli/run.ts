import type { Config } from '../config/schema.ts';
import { type Daemon, startDaemon } from '../daemon/daemon.ts';
import type { Dependencies } from '../daemon/monitor.ts';
import { SocketError } from '../http/unix-socket.ts';
import { defineCommand, type ExitCode, type Io, prepare } from './command.ts';

export const run = defineCommand({
  options: {},
  run: async ({ flags }, io) => {
    let isDue = false;
    let reload: () => unknown = () => {
      isDue = true;
    };
    io.onHangup(() => void reload());
    const { config, dependencies } = await prepare(flags, io);
    const { log, build } = dependencies;
    const code = await serve(config, dependencies, io, async (daemon) => {
      reload = daemon.reload;
      if (isDue) void reload();
      const { url } = daemon;
      log.info(
        { url, socket: config.web.socket, version: build.version, accounts: config.accounts.length },
        'listening',
      );
    });
    if (code === 0) log.info({}, 'stopped');
    return code;
  },
});

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it: stop it, or choose another address with --web.listen-address',
  EACCES: 'permission denied: choose a port above 1023 with --web.listen-address',
  EADDRNOTAVAIL: 'this machine does not have this address: choose another with --web.listen-address',
  EMFILE: 'too few file descriptors: raise the limit (ulimit -n 1024)',
  ENOTFOUND: 'the host could not be resolved: choose another with --web.listen-address',
};

/**
 * Runs the daemon until it is interrupted.
 *
 * @param onListening called once the daemon is listening; an interruption does not wait for its promise
 */
export async function serve(
  config: Config,
  dependencies: Dependencies,
  io: Io,
  onListening: (daemon: Daemon) => Promise<void>,
): Promise<ExitCode> {
  let daemon: Daemon;
  try {
    daemon = await startDaemon(config, dependencies);
  } catch (error) {
    const {
      listen_address: { host, port },
      socket,
    } = config.web;
    if (error instanceof SocketError) {
      io.printError(`cannot listen on the socket ${socket} (web.socket): ${error.message}\n`);
      return 1;
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const advice = LISTEN_ERRORS[code];
    if (advice === undefined) throw error;
    io.printError(`cannot listen on ${host}:${port} (${code}): ${advice}\n`);
    // Not 2, so that systemd retries: the address may become available.
    return 1;
  }
  await Promise.race([onListening(daemon), io.interrupted]);
  await io.interrupted;
  await daemon.stop();
  return 0;
}
