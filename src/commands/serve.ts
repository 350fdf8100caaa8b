import { type Daemon, startDaemon } from '../app/daemon.ts';
import type { Surroundings } from '../app/monitor.ts';
import type { Config } from '../config/schema.ts';
import type { ExitCode } from './command.ts';
import type { Io } from './io.ts';

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it: stop that one, or choose another with --web.listen-address',
  EACCES: 'this user may not: choose a port above 1023 with --web.listen-address',
  EADDRNOTAVAIL: 'this machine has no such address: choose another with --web.listen-address',
  ENOTFOUND: 'the name could not be resolved: choose another with --web.listen-address',
};

/**
 * Runs the daemon until somebody wants it to end.
 *
 * @param onListening is told of the daemon when it listens; an interruption does not wait for what it does
 */
export async function serve(
  config: Config,
  surroundings: Surroundings,
  io: Io,
  onListening: (daemon: Daemon) => Promise<void>,
): Promise<ExitCode> {
  let daemon: Daemon;
  try {
    daemon = await startDaemon(config, surroundings);
  } catch (error) {
    const { host, port } = config.web.listenAddress;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const advice = ADVICE[code];
    if (advice === undefined) throw error;
    io.complain(`cannot listen on ${host}:${port} (${code}): ${advice}\n`);
    return 2;
  }
  await Promise.race([onListening(daemon), io.interrupted]);
  await io.interrupted;
  await daemon.stop();
  return 0;
}
