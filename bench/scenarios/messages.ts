import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import { createMarketplace, type Marketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet, type Phone } from '../../src/features/demo/phones.ts';
import { startAlertmanager } from '../../test/e2e/alertmanager.ts';
import { startPrometheus } from '../../test/e2e/prometheus.ts';
import { startFaultySimulator } from '../../test/faults/simulated/faults.ts';
import { freePort, type Running, start } from '../../test/process.ts';
import { type Message, openHttpInbox, openMailInbox } from '../../test/rules/inbox.ts';
import { PROMETHEUS_FILE, ROOT, RULES_FILE, shippedText } from '../../test/rules/shipped.ts';
import { sleep } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';

/** Time in which the exporter learns the rhythm of phones that report every minute. */
const WARM_UP_MINUTES = 14;

const RUNS = [1, 2, 3];
const MINUTE = 60_000;

/** A marketplace with an account of its own, watched by an exporter of its own. */
type Site = {
  readonly account: string;
  readonly marketplace: Marketplace;
  readonly refuse: (isRefused: boolean) => void;
  readonly fail: (fails: boolean) => void;
  readonly startExporter: () => Promise<void>;
  readonly killExporter: () => void;
  readonly instance: string;
  readonly stop: () => Promise<void>;
};

/** Real time, as shipped: this takes about 45 minutes. */
export const messages: Scenario = {
  name: 'messages',
  title:
    'Seconds from what happens to the message, by a real Prometheus and Alertmanager as shipped, median of three',
  isSlow: true,
  async *run() {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-messages-'));
    const inboxes = { http: await openHttpInbox(), mail: await openMailInbox() };
    const alertmanager = await startAlertmanager(join(folder, 'alertmanager'), inboxes, (text) => text);
    const sites = new Map<string, Site>();
    for (const kind of ['sold', 'rack', 'api', 'key', 'killed'])
      for (const run of RUNS) sites.set(`${kind}-${run}`, await openSite(`${kind}-${run}`, folder));
    const targets = [...sites.values()].map(({ instance }) => `'${instance}'`).join(', ');
    const own = join(folder, 'prometheus');
    mkdirSync(own);
    writeFileSync(join(own, 'hoster.rules.yml'), shippedText(RULES_FILE));
    const configuration = shippedText(PROMETHEUS_FILE)
      .replace("'exporter:9823'", targets)
      .replace("'alertmanager:9093'", `'${new URL(alertmanager.url).host}'`);
    const prometheus = await startPrometheus(own, configuration);
    await sleep(WARM_UP_MINUTES * MINUTE);
    const received = (): readonly Received[] => receivedOf(inboxes.http.messages);
    const stories = RUNS.flatMap((run) => {
      const site = (kind: string): Site => known(sites, `${kind}-${run}`);
      // Each run meets the polls, scrapes and evaluations at other times.
      const later = <T>(story: () => Promise<T>): Promise<T> => sleep(run * 11_000).then(story);
      return [
        later(() => soldPhones(site('sold'), received)),
        later(() => rackCut(site('rack'), received)),
        later(() =>
          outage(site('api'), 'API down', (is) => site('api').fail(is), 'HosterApiUnavailable', received),
        ),
        later(() =>
          outage(site('key'), 'key refused', (is) => site('key').refuse(is), 'HosterKeyRefused', received),
        ),
        later(() => kill(site('killed'), received)),
      ];
    });
    const found = (await Promise.all(stories)).flat();
    // Ends of alerts that are still to be told.
    await sleep(3 * MINUTE);
    for (const { at, text } of received())
      console.log(`${new Date(at).toISOString().slice(11, 19)} ${text.replaceAll('\n', ' | ')}`);
    for (const [name, bar] of BARS) yield figureOf(name, found, bar);
    yield {
      name: 'messages about single phones of a rack',
      phones: 250,
      unit: '',
      value: ofRacks(received()),
      bar: { atMost: 0 },
    };
    await prometheus.stop();
    await Promise.all([alertmanager.stop(), ...[...sites.values()].map(({ stop }) => stop())]);
    await Promise.all([inboxes.http.close(), inboxes.mail.close()]);
    rmSync(folder, { recursive: true, force: true });
  },
};

/** DESIGN of the watch: from the last heartbeat, or from the beginning of an outage, in seconds. */
const BARS: readonly (readonly [name: string, bar: number])[] = [
  ['sold phone', 330],
  ['sold phone, five minutes after another one was told', 330],
  ['rack of 40 loses its power', 390],
  ['exporter killed', 240],
  ['key refused', 240],
  ['API down', 480],
];

type Found = { readonly name: string; readonly seconds: number };

function figureOf(name: string, found: readonly Found[], bar: number): Figure {
  const seconds = found.filter((each) => each.name === name).map((each) => each.seconds);
  seconds.sort((one, other) => one - other);
  console.log(`${name}: ${seconds.map((each) => each.toFixed(0)).join(', ')} s`);
  return {
    name,
    phones: 250,
    unit: 's',
    value: seconds[seconds.length >> 1] ?? Number.NaN,
    bar: { atMost: bar },
  };
}

/** A message to the hoster, as it came to Telegram. */
type Received = { readonly at: number; readonly text: string };

const Sent = z.object({ text: z.string() });

function receivedOf(sent: readonly Message[]): readonly Received[] {
  return sent
    .filter(({ path }) => path.endsWith('sendMessage'))
    .map(({ at, body }) => ({ at, text: Sent.parse(JSON.parse(body)).text }));
}

function ofRacks(received: readonly Received[]): number {
  return received.filter(({ text }) => / (?:is|has) .*\(account rack-\d\)/.test(text)).length;
}

/** Resolves with the time at which a message came that fits. */
async function messageOf(pattern: RegExp, received: () => readonly Received[]): Promise<number> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const message = received().find(({ text }) => pattern.test(text));
    if (message !== undefined) return message.at;
    await sleep(500);
  }
  return Number.NaN;
}

async function soldPhones(
  { account, marketplace }: Site,
  received: () => readonly Received[],
): Promise<readonly Found[]> {
  const [first, second] = marketplace.phones().filter(({ rentalStatus }) => rentalStatus === 'sold');
  const unplugged = async (name: string, phone: Phone | undefined): Promise<Found> => {
    const { deviceId = '', label = '' } = phone ?? {};
    marketplace.edit([deviceId], { online: false });
    const last = lastHeartbeatOf(marketplace, deviceId);
    const told = await messageOf(new RegExp(`^\\[PAGE\\] ${label} .*account ${account}`), received);
    return { name, seconds: (told - last) / 1000 };
  };
  const found = [await unplugged('sold phone', first)];
  await sleep(5 * MINUTE);
  found.push(await unplugged('sold phone, five minutes after another one was told', second));
  marketplace.edit([first?.deviceId ?? ''], { online: true });
  await sleep(2 * MINUTE);
  marketplace.archive([second?.deviceId ?? '']);
  await sleep(5 * MINUTE);
  return found;
}

function lastHeartbeatOf(marketplace: Marketplace, id: string): number {
  const { items } = marketplace.devices(1, 100);
  return Date.parse(items.find(({ deviceId }) => deviceId === id)?.lastHeartbeatAt ?? '');
}

async function rackCut(
  { account, marketplace }: Site,
  received: () => readonly Received[],
): Promise<readonly Found[]> {
  const rack = marketplace.phones().filter(({ label }) => label.startsWith('rack-01/'));
  const ids = rack.map(({ deviceId }) => deviceId);
  const at = systemClock.now();
  marketplace.edit(ids, { online: false });
  const told = await messageOf(new RegExp(`^\\[PAGE\\] .* of rack-01 .*account ${account}`), received);
  await sleep(8 * MINUTE);
  marketplace.edit(ids, { online: true });
  return [{ name: 'rack of 40 loses its power', seconds: (told - at) / 1000 }];
}

async function outage(
  { account }: Site,
  name: string,
  is: (isOut: boolean) => void,
  alert: string,
  received: () => readonly Received[],
): Promise<readonly Found[]> {
  const at = systemClock.now();
  is(true);
  const told = await messageOf(
    alert === 'HosterKeyRefused'
      ? new RegExp(`^\\[PAGE\\] .*account ${account}`)
      : /^\[WARNING\] .*account api-/,
    received,
  );
  await sleep(5 * MINUTE);
  is(false);
  await sleep(3 * MINUTE);
  return [{ name, seconds: (told - at) / 1000 }];
}

async function kill(
  { instance, killExporter, startExporter }: Site,
  received: () => readonly Received[],
): Promise<readonly Found[]> {
  const at = systemClock.now();
  killExporter();
  const told = await messageOf(new RegExp(`^\\[PAGE\\] .*${instance}`), received);
  await sleep(3 * MINUTE);
  await startExporter();
  return [{ name: 'exporter killed', seconds: (told - at) / 1000 }];
}

function known(sites: ReadonlyMap<string, Site>, account: string): Site {
  const site = sites.get(account);
  if (site === undefined) throw new Error(`There is no account ${account}.`);
  return site;
}

/** 250 phones in racks of 40 and 42 that report every minute; two of three are sold. */
function phonesOf(seed: number): readonly Phone[] {
  return createFleet({ seed, size: 250 }).map((phone, index) => ({
    ...phone,
    label: `rack-0${1 + Math.floor(index / 42)}/slot-${String(index % 42).padStart(2, '0')}`,
    setupStatus: 'complete',
    rentalStatus: index % 3 === 0 ? 'idle' : 'sold',
    marketplaceStatus: 'listed',
    online: true,
    heartbeatIntervalMilliseconds: MINUTE,
  }));
}

async function openSite(account: string, folder: string): Promise<Site> {
  const seed = account.length + Number(account.at(-1));
  const marketplace = createMarketplace({
    seed,
    startAt: systemClock.now(),
    phones: phonesOf(seed),
    lively: false,
  });
  const key = `the-key-of-${account}`;
  let accepted = key;
  const hoster = {
    name: account,
    get key() {
      return accepted;
    },
    marketplace,
  };
  const simulator = await startFaultySimulator({ accounts: [hoster], clock: systemClock });
  const instance = `127.0.0.1:${await freePort()}`;
  const file = join(folder, `${account}.yml`);
  writeFileSync(join(folder, `${account}.key`), key);
  writeFileSync(
    file,
    JSON.stringify({
      accounts: [{ name: account, api_url: simulator.url, api_key_file: join(folder, `${account}.key`) }],
      web: { listen_address: instance },
      state: { file: join(folder, `${account}.state.json`) },
    }),
  );
  let running: Running;
  const startExporter = async (): Promise<void> => {
    running = start(process.execPath, [MAIN, 'run', `--config.file=${file}`]);
    await running.waitForOutput(/listening/);
  };
  await startExporter();
  return {
    account,
    marketplace,
    instance,
    startExporter,
    refuse: (isRefused) => {
      accepted = isRefused ? 'another-key' : key;
    },
    fail: (fails) => {
      if (fails) simulator.faults.on('all', 'internal-error');
      else simulator.faults.off();
    },
    killExporter: () => {
      running.child.kill('SIGKILL');
    },
    stop: async () => {
      await running.stop();
      await simulator.close();
    },
  };
}

const MAIN = join(ROOT, 'dist/main.js');
