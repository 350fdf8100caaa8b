import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createMarketplace } from '../../src/features/demo/marketplace.ts';
import type { PhonePatch } from '../../src/features/demo/phone.ts';
import { isReady, type Phone } from '../../src/features/demo/phones.ts';
import { createMarketplaceAt } from '../../src/features/demo/simulate.ts';
import { freePort, MAIN, start } from '../process.ts';
import { PROMETHEUS_FILE, RULES_FILE, shippedText } from '../rules/shipped.ts';
import { readShortened, shortenDurations } from '../rules/shorten.ts';
import { type Simulator, startSimulator } from '../simulator.ts';
import { COMPOSE } from '../unit/stack/compose.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

/** A Prometheus that scrapes the phones of the demo now, and has their history. */
export type Demo = {
  readonly prometheus: Prometheus;
  /** Where the history ends, in seconds since 1970. */
  readonly historyEnd: number;
  readonly stop: () => Promise<void>;
};

const KEY = 'demo';
const SEED = 1;
/** For as long, Prometheus would take the last of the history for the present: phones that are offline in it, for example. */
const LOOKBACK_SECONDS = 5 * 60;

const HOUR = 3_600_000;

/** Less than a day until now, so that no day is whole. */
const HISTORY_HOURS = 23;

/**
 * Writes the history, loads it, and starts the rest, as compose.yaml does: the same commands, files and flags, with
 * addresses of this test, and with rules that run each second. The present has the phones as the history leaves them, and
 * of them nothing but heartbeats moves, so that a test knows what there is to see: two phones are offline, one tunnel is
 * down and one is missing.
 */
export async function startDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-stack-'));
  const prometheusFolder = join(folder, 'prometheus');
  mkdirSync(prometheusFolder);
  const instance = `127.0.0.1:${await freePort()}`;
  const historyEnd = Math.floor(systemClock.now() / 1000) - LOOKBACK_SECONDS;
  loadHistory(folder, instance, historyEnd);
  const simulator = await startStillMarketplace(historyEnd * 1000);
  const flags = [
    `--web.listen-address=${instance}`,
    '--currency=EUR',
    // So often that there are several polls to compute rates from.
    '--poll.devices=*/2 * * * * *',
    '--poll.tunnels=*/2 * * * * *',
    `--state.file=${join(folder, 'state.json')}`,
  ];
  const exporter = start(process.execPath, [MAIN, 'run', ...flags], {
    HOSTER_API_URL: simulator.url,
    HOSTER_API_KEY: KEY,
  });
  await exporter.waitForOutput(/listening/);
  writeFileSync(
    join(prometheusFolder, 'hoster.rules.yml'),
    shippedText(RULES_FILE).replaceAll(/(?<= interval: )\w+/g, '1s'),
  );
  const configuration = shortenDurations(shippedText(PROMETHEUS_FILE), readShortened())
    .replace('exporter:9823', instance)
    .replace('alertmanager:9093', '127.0.0.1:9');
  const prometheus = await startPrometheus(prometheusFolder, configuration);
  return {
    prometheus,
    historyEnd,
    stop: async () => {
      await Promise.all([prometheus.stop(), exporter.stop()]);
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The phones of the demo as they are at `end`, in milliseconds since 1970, in a marketplace that is an hour old. */
function startStillMarketplace(end: number): Promise<Simulator> {
  const command = COMPOSE.services['demo-exporter']?.command?.join(' ') ?? '';
  const size = Number(/--phones=(\d+)/.exec(command)?.[1]);
  const lively = createMarketplaceAt({ phones: size, seed: SEED, history: HISTORY_HOURS * HOUR }, end);
  lively.advance(end);
  const phones = lively.phones();
  const startAt = systemClock.now() - HOUR;
  const marketplace = createMarketplace({ seed: SEED, startAt, phones, lively: false });
  const edit = (phone: Phone | undefined, patch: PhonePatch): void =>
    marketplace.edit([phone?.deviceId ?? ''], patch);
  const ready = phones.filter(isReady);
  for (const phone of ready) edit(phone, { online: true, tunnel: 'up' });
  const [offline, down, missing] = ready.filter(({ rentalStatus }) => rentalStatus === 'sold');
  edit(offline, { online: false });
  edit(
    ready.find(({ rentalStatus }) => rentalStatus === 'idle'),
    { online: false },
  );
  edit(down, { rentalStatus: 'self_rented', tunnel: 'down' });
  edit(missing, { rentalStatus: 'self_rented', tunnel: 'missing' });
  return startSimulator({ accounts: [{ name: 'demo', key: KEY, marketplace }], clock: systemClock });
}

/** Does the same as `demo-history` and `demo-history-blocks` of compose.yaml. */
function loadHistory(folder: string, instance: string, until: number): void {
  const file = join(folder, 'demo.om');
  const flags = (COMPOSE.services['demo-history']?.command ?? []).filter(
    (flag) => !/^--(?:instance|history)=/.test(flag),
  );
  const output = openSync(file, 'w');
  const written = spawnSync(
    process.execPath,
    [
      'packaging/demo-history.mjs',
      ...flags,
      `--instance=${instance}`,
      `--history=${HISTORY_HOURS}h`,
      `--until=${until}`,
    ],
    { stdio: ['ignore', output, 'pipe'], encoding: 'utf8' },
  );
  closeSync(output);
  if (written.status !== 0) throw new Error(`demo-history failed: ${written.stderr}`);
  const blocks = ['tsdb', 'create-blocks-from', '--max-block-duration=24h', 'openmetrics'];
  const loaded = spawnSync('promtool', [...blocks, file, join(folder, 'prometheus/data')], {
    encoding: 'utf8',
  });
  if (loaded.status !== 0) throw new Error(`promtool refused the history: ${loaded.stderr}`);
}
