import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, MAIN, type Running, start } from '../../process.ts';
import { readShortened } from '../../rules/shorten.ts';

/** An account as the exporter needs to know it. */
export type WatchedAccount = { readonly name: string; readonly apiUrl: string; readonly keyFile: string };

/** A real exporter that can be killed and started again at the same address. */
export type Exporter = {
  /** As Prometheus calls it. */
  readonly instance: string;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Longer than the marketplace of a story takes between two heartbeats. */
const OFFLINE_AFTER = '3s';

/** Polls every second instead of every 30. */
const EACH_SECOND = '* * * * * *';

/** @param folder where its configuration is kept, under the name of the first account */
export async function createExporter(folder: string, accounts: readonly WatchedAccount[]): Promise<Exporter> {
  const instance = `127.0.0.1:${await freePort()}`;
  const file = join(folder, `${accounts[0]?.name}.exporter.yml`);
  writeFileSync(
    file,
    JSON.stringify({
      accounts: accounts.map(({ name, apiUrl, keyFile }) => ({
        name,
        api_url: apiUrl,
        api_key_file: keyFile,
        currency: 'EUR',
        balance_low_cents: 500,
      })),
      poll: {
        devices: EACH_SECOND,
        tunnels: EACH_SECOND,
        balance: EACH_SECOND,
        stale_after: readShortened().durations['15m'],
      },
      offline: { after: OFFLINE_AFTER },
      web: { listen_address: instance },
      state: { file: join(folder, `${accounts[0]?.name}.state.json`), interval: '1s' },
    }),
  );
  let running: Running | undefined;
  return {
    instance,
    start: async () => {
      running = start(process.execPath, [MAIN, 'run', `--config.file=${file}`]);
      await running.waitForOutput(/listening/);
    },
    kill: async () => {
      if (running === undefined) return;
      const ended = once(running.child, 'exit');
      running.child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      await running?.stop();
    },
  };
}
