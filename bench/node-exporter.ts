import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { freePort } from '../test/process.ts';
import { sleep } from './measure.ts';

/** Where Debian's package prometheus-node-exporter puts it. */
const PROGRAM = '/usr/bin/prometheus-node-exporter';

/**
 * Starts an exporter in Go, for comparison; undefined if it is not installed.
 *
 * @param webFile its web configuration file; empty for none
 */
export async function startNodeExporter(
  webFile: string,
): Promise<{ readonly port: number; readonly pid: number; readonly stop: () => Promise<void> } | undefined> {
  if (!existsSync(PROGRAM)) return undefined;
  const port = await freePort();
  const web = webFile === '' ? [] : [`--web.config.file=${webFile}`];
  const child = spawn(PROGRAM, [`--web.listen-address=127.0.0.1:${port}`, ...web], { stdio: 'ignore' });
  await sleep(1_000);
  return {
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
