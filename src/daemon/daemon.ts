import { type Clock, every, within } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { CoreDocument, FleetExporter } from '../fleet/document.ts';
import { createFleetResponse } from '../http/fleet-json.ts';
import { isUserOf } from '../http/permission.ts';
import { shareRuns } from '../http/reply.ts';
import { createRoutes, type ReloadReport } from '../http/routes.ts';
import { exposureWarning, startServer } from '../http/server.ts';
import { openWebAccess, type WebAccess } from '../http/web-config/access.ts';
import { EXPOSITION_TYPE } from '../metrics/encode.ts';
import { groupOf } from '../model/group.ts';
import { createStateKeeper } from '../state/keeper.ts';
import type { RunningFeature } from './feature.ts';
import { createMonitor, type Dependencies, type Monitor } from './monitor.ts';
import { createReload } from './reload.ts';

/** Maximum duration of a shutdown, including scrapes in progress. */
const STOP_MILLISECONDS = 1_000;

const STOP_TIMED_OUT = `the shutdown took longer than ${STOP_MILLISECONDS / 1000} s: the latest state may not be saved, and scrapes may be cut off`;

/** Time after which the daemon is ready even if the first polls have not ended. */
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

/** Listens first, so that an unusable address costs no request. Then polls at once, and on schedule. */
export async function startDaemon(config: Config, dependencies: Dependencies): Promise<Daemon> {
  const { clock, disk, stateDisk, log } = dependencies;
  const {
    telemetry_path: telemetryPath,
    external_url: externalUrl,
    config_file: path,
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
  metrics.reloaded(true);
  const reload = createReload({
    ...dependencies,
    config,
    apply: async (setup) => {
      await monitor.replace(setup);
      warnOfAside(monitor, log);
      return warnOfUnmatched(monitor, web, log);
    },
    onEnd: metrics.reloaded,
  });
  let ready = false;
  const routes = createRoutes({
    telemetryPath,
    expositionType: EXPOSITION_TYPE,
    scrape: monitor.scrape,
    fleet: createFleetRoute(dependencies, monitor),
    stalledCollectors: monitor.stalled,
    ready: () => ready,
    reload: config.web.enable_lifecycle ? reload : undefined,
    isReader: (sender) => !isUserOf(config.web.change_users, sender),
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
    clock,
    log,
  });
  const exposure = exposureWarning(host, web?.isAuthenticated === true && !isAnonymousReading);
  if (exposure !== undefined) log.warn({ port }, exposure);
  metrics.externalUrl(externalUrl?.href.replace(/\/$/, ''));
  monitor.start();
  if (loaded !== undefined) metrics.stateLoaded(loaded.accepted);
  keeper?.start(monitor.saved, (problem) => {
    metrics.stateSaved(problem === undefined);
    monitor.noteFiles('state', problem);
  });
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
    reload,
    stop: async () => {
      stopWork();
      const polls = monitor.stop();
      const ended = Promise.all([polls, keeper?.stop(), server.close()]);
      if (!(await within(clock, STOP_MILLISECONDS, ended))) log.warn({}, STOP_TIMED_OUT);
      web?.stop();
    },
  };
}

/** Starts the features' regular work. Returns a function that stops it. */
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

function createFleetRoute(
  { build, clock, disk, stateDisk, scheduler, yieldToEventLoop }: Dependencies,
  { snapshot, timeZone, config, features, fileProblems }: Monitor,
): ReturnType<typeof createFleetResponse> {
  return createFleetResponse({
    snapshot,
    exporter: (isReader) => {
      const { poll, web } = config();
      // A schedule that is never started: only its interval is needed.
      const secondsOf = (expression: string) => scheduler(expression, () => {}).intervalSeconds;
      const pollSeconds = {
        devices: secondsOf(poll.devices),
        tunnels: secondsOf(poll.tunnels),
        balance: secondsOf(poll.balance),
      };
      let ofFeatures: Partial<FleetExporter> = {};
      for (const feature of features) ofFeatures = { ...ofFeatures, ...feature.exporter?.() };
      const problems = [...disk.warnings(), ...stateDisk.warnings(), ...fileProblems()];
      return {
        version: build.version,
        pollSeconds,
        allowsChanges: web.enable_changes && !isReader,
        timeZone: timeZone().name,
        language: config().language,
        externalUrl: web.external_url?.href,
        grafanaUrl: web.grafana_url?.href,
        ...ofFeatures,
        ...(problems.length > 0 && { fileProblems: problems }),
      };
    },
    withParts: (document) => {
      let whole: CoreDocument = document;
      for (const feature of features) whole = { ...whole, ...feature.document?.(whole) };
      return whole;
    },
    prices: () => config().prices,
    isReader: (sender) => !isUserOf(config().web.change_users, sender),
    process: Math.trunc(clock.now()).toString(36),
    yieldToEventLoop,
  });
}

/** Logs the accounts in the state file that are not configured. They may have been renamed by mistake. */
function warnOfAside({ saved }: Monitor, log: Log): void {
  const aside = saved().accounts.filter(({ goneAt }) => goneAt !== undefined);
  if (aside.length === 0) return;
  const accounts = aside.map(({ identity }) => identity.name).join(', ');
  log.warn({ accounts }, 'these accounts are no longer configured: their state is kept for a day');
}

/** Logs names that match nothing and may be misspelt. Returns them as sentences. */
function warnOfUnmatched(
  { config, snapshot, features }: Monitor,
  web: WebAccess | undefined,
  log: Log,
): readonly string[] {
  const { groups: settings, prices } = config();
  // After a reload, phones may still be in the groups from the previous settings.
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
  const known = web?.users();
  const warnings = [
    ...features.flatMap((feature) => [...(feature.warnings?.({ phones }) ?? [])]),
    ...(config().web.change_users ?? [])
      .filter((user) => known?.has(user) !== true)
      .map((user) => `this user of web.change_users is not in web.config_file: ${user}`),
    ...(all.length === 0 ? [] : prices).flatMap(({ group, model }) => [
      ...(group === undefined || groups.has(group)
        ? []
        : [`a price names a group that has no phones: ${group}`]),
      ...(model === undefined || models.has(model)
        ? []
        : [`a price names a model that no phone has: ${model}`]),
    ]),
  ];
  for (const warning of warnings) log.warn({}, warning);
  return warnings;
}
