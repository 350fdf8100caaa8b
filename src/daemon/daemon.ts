import { type Clock, every, within } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { FleetDocument, FleetExporter } from '../fleet/document.ts';
import { createFleetResponse } from '../http/fleet-json.ts';
import { shareRuns } from '../http/reply.ts';
import { createRoutes, type ReloadReport } from '../http/routes.ts';
import { exposureWarning, startServer } from '../http/server.ts';
import { openWebAccess } from '../http/web-config/access.ts';
import { EXPOSITION_TYPE } from '../metrics/encode.ts';
import { createStateKeeper } from '../state/keeper.ts';
import type { RunningFeature } from './feature.ts';
import { createMonitor, type Dependencies, type Monitor } from './monitor.ts';
import { createReload, type Reload } from './reload.ts';

/** Maximum duration of a shutdown, also for scrapes in progress. */
const STOP_MILLISECONDS = 1_000;

const STOP_TIMED_OUT = `the shutdown took longer than ${STOP_MILLISECONDS / 1000} s: the latest state may not be saved, and scrapes may be cut off`;

/** Time after which the daemon is ready, even if the first polls are not. */
const READY_MILLISECONDS = 30_000;

/** A running daemon: the monitor behind a listener. */
export type Daemon = {
  readonly url: string;
  /** Resolves when the first round of polls has finished, successfully or not. */
  readonly firstRound: Promise<void>;
  /** Reads the configuration again. Never rejects. */
  readonly reload: () => Promise<ReloadReport>;
  /** Stops polling, saves the state, finishes scrapes in progress, and closes everything. */
  readonly stop: () => Promise<void>;
};

/** Listens, so that an unusable address costs no request; then polls at once, and on schedule. */
export async function startDaemon(config: Config, dependencies: Dependencies): Promise<Daemon> {
  const { clock, disk, ownDisk, log } = dependencies;
  const {
    telemetry_path: telemetryPath,
    external_url: externalUrl,
    config_file: path,
    allowed_origins: allowedOrigins,
  } = config.web;
  const web = path === undefined ? undefined : await openWebAccess({ path, disk, clock, log });
  const { file, interval: intervalMilliseconds } = config.state;
  const keeper =
    file === undefined
      ? undefined
      : createStateKeeper({ file, intervalMilliseconds, clock, disk: ownDisk, log });
  const loaded = await keeper?.load();
  const monitor = createMonitor(config, dependencies, loaded?.state, keeper?.save);
  warnOfAside(monitor, log);
  const { metrics, features } = monitor;
  const reload = createDaemonReload(config, dependencies, monitor);
  let ready = false;
  const routes = createRoutes({
    telemetryPath,
    expositionType: EXPOSITION_TYPE,
    scrape: monitor.scrape,
    fleet: createFleetRoute(dependencies, monitor),
    stalledCollectors: monitor.stalled,
    ready: () => ready,
    reload: config.web.enable_lifecycle ? reload.run : undefined,
    features: features.flatMap((feature) => [...(feature.routes?.() ?? [])]),
  });
  const { host, port } = config.web.listen_address;
  const server = await startServer({
    host,
    port,
    routes,
    onAnswer: metrics.httpResponded,
    onRefusal: metrics.httpRefused,
    web,
    externalUrl,
    allowedOrigins,
    clock,
    log,
  });
  const exposure = exposureWarning(host, web?.isAuthenticated ?? false);
  if (exposure !== undefined) log.warn({ port }, exposure);
  metrics.externalUrl(externalUrl?.href.replace(/\/$/, ''));
  monitor.start();
  if (loaded !== undefined) metrics.stateLoaded(loaded.accepted);
  keeper?.start(monitor.saved, metrics.stateSaved);
  const firstRound = monitor.pollAll();
  let stopWork = (): void => {};
  void firstRound.then(() => {
    warnOfUnmatched(monitor, log);
    stopWork = startWork(features, clock);
  });
  void within(clock, READY_MILLISECONDS, firstRound).then(() => {
    ready = true;
  });
  return {
    url: server.url,
    firstRound,
    reload: reload.run,
    stop: async () => {
      stopWork();
      const polls = monitor.stop();
      const ended = Promise.all([polls, keeper?.stop(), server.close()]);
      if (!(await within(clock, STOP_MILLISECONDS, ended))) log.warn({}, STOP_TIMED_OUT);
      web?.stop();
    },
  };
}

/** Starts the regular work of the features. Returns a function that stops it. */
function startWork(features: readonly RunningFeature[], clock: Clock): () => void {
  const stops = features.flatMap(({ work }) => {
    if (work === undefined) return [];
    const run = shareRuns(work.run);
    void run();
    return every(clock, work.every, () => void run());
  });
  return () => {
    for (const stop of stops) stop();
  };
}

/** Creates the route of the fleet JSON. */
function createFleetRoute(
  { build, clock, disk, ownDisk, scheduler, yieldToEventLoop }: Dependencies,
  { snapshot, timeZone, config, features }: Monitor,
): ReturnType<typeof createFleetResponse> {
  const merged = <Facts extends object>(partOf: (feature: RunningFeature) => Partial<Facts> | undefined) => {
    let facts: Partial<Facts> = {};
    for (const feature of features) facts = { ...facts, ...partOf(feature) };
    return facts;
  };
  return createFleetResponse({
    snapshot,
    exporter: (isReader) => {
      const { poll, web } = config();
      // A schedule that is never started, for its interval.
      const secondsOf = (expression: string) => scheduler(expression, () => {}).intervalSeconds;
      const pollSeconds = {
        devices: secondsOf(poll.devices),
        tunnels: secondsOf(poll.tunnels),
        balance: secondsOf(poll.balance),
      };
      const ofFeatures = merged<FleetExporter>((feature) => feature.exporter?.(isReader));
      const warnings = [...disk.warnings(), ...ownDisk.warnings(), ...(ofFeatures.warnings ?? [])];
      return {
        version: build.version,
        pollSeconds,
        allowsMaintenance: false,
        timeZone: timeZone().name,
        externalUrl: web.external_url?.href,
        grafanaUrl: web.grafana_url?.href,
        ...ofFeatures,
        ...(warnings.length > 0 && { warnings }),
      };
    },
    parts: () => merged<FleetDocument>((feature) => feature.document?.()),
    prices: () => config().prices,
    isReader: (sender) => features.some((feature) => feature.isReader?.(sender)),
    process: Math.trunc(clock.now()).toString(36),
    yieldToEventLoop,
  });
}

/** Logs the accounts of the state file that are not configured, which may have been renamed by mistake. */
function warnOfAside({ saved }: Monitor, log: Log): void {
  const aside = saved().accounts.filter(({ goneAt }) => goneAt !== undefined);
  if (aside.length === 0) return;
  const accounts = aside.map(({ identity }) => identity.name).join(', ');
  log.warn(
    { accounts },
    'the state file has accounts that are not configured: their state is kept for a day',
  );
}

/** Logs settings that match no phone, and may be misspelt. */
function warnOfUnmatched({ config, snapshot, features }: Monitor, log: Log): void {
  const devices = snapshot().accounts.flatMap(({ known }) => [...(known.fleet?.devices.values() ?? [])]);
  if (devices.length === 0) return;
  const models = new Set(devices.map(({ device }) => device.model));
  const groups = new Set(devices.map(({ group }) => group));
  for (const feature of features) feature.warnOfUnmatched?.(groups);
  for (const { group, model } of config().prices) {
    if (group !== undefined && !groups.has(group))
      log.warn({ group }, 'no phone is in this group of a price');
    if (model !== undefined && !models.has(model)) log.warn({ model }, 'no phone has this model of a price');
  }
}

function createDaemonReload(config: Config, dependencies: Dependencies, monitor: Monitor): Reload {
  const { clock, readSetup, log, schema } = dependencies;
  const { metrics } = monitor;
  metrics.reloaded(true);
  return createReload({
    schema,
    config,
    readSetup,
    apply: async (setup) => {
      await monitor.replace(setup);
      warnOfUnmatched(monitor, log);
    },
    onEnd: metrics.reloaded,
    clock,
    log,
  });
}
