import { type Clock, every, within } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { FleetExporter } from '../fleet/document.ts';
import { createFleetResponse } from '../http/fleet-json.ts';
import { isUserOf } from '../http/permission.ts';
import { shareRuns } from '../http/reply.ts';
import { createRoutes, type ReloadReport } from '../http/routes.ts';
import { exposureWarning, startServer } from '../http/server.ts';
import { openWebAccess, type WebAccess } from '../http/web-config/access.ts';
import { EXPOSITION_TYPE } from '../metrics/encode.ts';
import { groupOf } from '../model/group.ts';
import { createStateKeeper } from '../state/keeper.ts';
import type { RunningFeature, Unmatched } from './feature.ts';
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
  const { clock, disk, stateDisk, log } = dependencies;
  const {
    telemetry_path: telemetryPath,
    external_url: externalUrl,
    config_file: path,
    allowed_origins: allowedOrigins,
    socket,
    anonymous_reading: anonymousReading,
  } = config.web;
  const web = path === undefined ? undefined : await openWebAccess({ path, disk, clock, log });
  const { file, interval: intervalMilliseconds } = config.state;
  const keeper =
    file === undefined
      ? undefined
      : createStateKeeper({ file, intervalMilliseconds, clock, disk: stateDisk, log });
  const loaded = await keeper?.load();
  const monitor = createMonitor(config, dependencies, loaded?.state, keeper?.save);
  warnOfAside(monitor, log);
  const { metrics, features } = monitor;
  const reload = createDaemonReload(config, dependencies, monitor, web);
  let ready = false;
  const routes = createRoutes({
    telemetryPath,
    expositionType: EXPOSITION_TYPE,
    scrape: monitor.scrape,
    fleet: createFleetRoute(dependencies, monitor),
    stalledCollectors: monitor.stalled,
    ready: () => ready,
    reload: config.web.enable_lifecycle ? reload.run : undefined,
    isReader: (sender) => !isUserOf(config.web.maintenance_users, sender),
    features: features.flatMap((feature) => [...(feature.routes?.() ?? [])]),
  });
  const { host, port } = config.web.listen_address;
  const isAnonymousReading = anonymousReading && web !== undefined && web.users().size > 0;
  const server = await startServer({
    host,
    port,
    routes,
    onAnswer: metrics.httpResponded,
    onRefusal: metrics.httpRefused,
    web,
    socket,
    isAnonymousReading,
    externalUrl,
    allowedOrigins,
    clock,
    log,
  });
  const exposure = exposureWarning(host, web?.isAuthenticated === true && !isAnonymousReading);
  if (exposure !== undefined) log.warn({ port }, exposure);
  metrics.externalUrl(externalUrl?.href.replace(/\/$/, ''));
  monitor.start();
  if (loaded !== undefined) metrics.stateLoaded(loaded.accepted);
  keeper?.start(monitor.saved, metrics.stateSaved);
  const firstRound = monitor.pollAll();
  let stopWork = (): void => {};
  void firstRound.then(() => {
    warnOfUnmatched(monitor, web, log);
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
  { build, clock, disk, stateDisk, scheduler, yieldToEventLoop }: Dependencies,
  { snapshot, timeZone, config, features }: Monitor,
): ReturnType<typeof createFleetResponse> {
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
      let ofFeatures: Partial<FleetExporter> = {};
      for (const feature of features) ofFeatures = { ...ofFeatures, ...feature.exporter?.() };
      const warnings = [...disk.warnings(), ...stateDisk.warnings(), ...(ofFeatures.warnings ?? [])];
      return {
        version: build.version,
        pollSeconds,
        allowsMaintenance: web.enable_maintenance && !isReader,
        timeZone: timeZone().name,
        externalUrl: web.external_url?.href,
        grafanaUrl: web.grafana_url?.href,
        ...ofFeatures,
        ...(warnings.length > 0 && { warnings }),
      };
    },
    withParts: (document) => {
      let whole = document;
      for (const feature of features) whole = { ...whole, ...feature.document?.(whole) };
      return whole;
    },
    prices: () => config().prices,
    isReader: (sender) => !isUserOf(config().web.maintenance_users, sender),
    process: Math.trunc(clock.now()).toString(36),
    yieldToEventLoop,
  });
}

/** Logs the accounts of the state file that are not configured, which may have been renamed by mistake. */
function warnOfAside({ saved }: Monitor, log: Log): void {
  const aside = saved().accounts.filter(({ goneAt }) => goneAt !== undefined);
  if (aside.length === 0) return;
  const accounts = aside.map(({ identity }) => identity.name).join(', ');
  log.warn({ accounts }, 'these accounts are not configured any more: their state is kept for a day');
}

/** Logs names that match nothing, and may be misspelt. Returns them as sentences. */
function warnOfUnmatched(
  { config, snapshot, features }: Monitor,
  web: WebAccess | undefined,
  log: Log,
): readonly string[] {
  const { groups: settings, prices } = config();
  // After a reload, phones may still be in the groups of the previous settings.
  const phones = new Map(
    snapshot().accounts.map(({ name, known }) => [
      name,
      Array.from(known.fleet?.devices.values() ?? [], ({ device }) => ({
        device,
        group: groupOf(device.label, settings),
      })),
    ]),
  );
  const all = [...phones.values()].flat();
  const models = new Set(all.map(({ device }) => device.model));
  const groups = new Set(all.map(({ group }) => group));
  const unmatched = features.flatMap((feature) => [...(feature.unmatched?.({ phones }) ?? [])]);
  const add = (message: string, fields: Unmatched['fields']): void =>
    void unmatched.push({ message, fields });
  for (const user of config().web.maintenance_users ?? [])
    if (web?.users().has(user) !== true)
      add('this user of web.maintenance_users is not in web.config_file', { name: user });
  for (const { group, model } of all.length === 0 ? [] : prices) {
    if (group !== undefined && !groups.has(group)) add('no phone is in this group of a price', { group });
    if (model !== undefined && !models.has(model)) add('no phone has this model of a price', { model });
  }
  for (const { message, fields } of unmatched) log.warn(fields, message);
  return unmatched.map(({ message, fields }) => `${message}: ${Object.values(fields).join(', ')}`);
}

function createDaemonReload(
  config: Config,
  dependencies: Dependencies,
  monitor: Monitor,
  web: WebAccess | undefined,
): Reload {
  const { clock, readSetup, log, schema } = dependencies;
  const { metrics } = monitor;
  metrics.reloaded(true);
  return createReload({
    schema,
    config,
    readSetup,
    apply: async (setup) => {
      await monitor.replace(setup);
      warnOfAside(monitor, log);
      return warnOfUnmatched(monitor, web, log);
    },
    onEnd: metrics.reloaded,
    clock,
    log,
  });
}
