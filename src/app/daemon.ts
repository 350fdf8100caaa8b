import { within } from '../clock.ts';
import type { Config } from '../config/schema.ts';
import { createFleetAnswer } from '../http/fleet-json.ts';
import { loadPage } from '../http/page-files.ts';
import { createRoutes, type ReloadReport } from '../http/routes.ts';
import { exposureWarning, startServer } from '../http/server.ts';
import { openWebAccess, type WebAccess } from '../http/web-config/access.ts';
import type { Log } from '../log.ts';
import { EXPOSITION_TYPE } from '../metrics/exposition.ts';
import { memoriesOf, statesOf } from '../state/accounts.ts';
import * as files from '../state/file.ts';
import { createKeeper, type Keeper } from '../state/keeper.ts';
import { createMonitor, type Monitor, type Surroundings } from './monitor.ts';
import { createReload, type Reload } from './reload.ts';

/** How long the end of the daemon may take, in milliseconds; scrapes under way have that long too. */
const STOP_MILLISECONDS = 1_000;

/** Whoever waits for us to be ready has waited long enough after so many milliseconds, however rarely we poll. */
const READY_MILLISECONDS = 30_000;

/** The monitor behind a listener. */
export type Daemon = {
  readonly url: string;
  /** Resolves when the first round of polls has ended, well or badly. */
  readonly firstRound: Promise<void>;
  /** Reads the configuration again. Never rejects. */
  readonly reload: () => Promise<ReloadReport>;
  /** Stops polling, keeps the state, lets scrapes under way be answered, and closes everything. */
  readonly stop: () => Promise<void>;
};

/** Listens first, so that an address that cannot be had costs no request; then polls at once, and on schedule. */
export async function startDaemon(config: Config, surroundings: Surroundings): Promise<Daemon> {
  const { clock, log } = surroundings;
  const { telemetryPath } = config.web;
  const page = loadPage(surroundings.readPageFile, telemetryPath);
  const web = await webOf(config, surroundings);
  const keeper = keeperOf(config, surroundings);
  const left = await keeper?.load();
  const monitor = createMonitor(config, surroundings, memoriesOf(config.accounts, left?.accounts ?? []));
  const { upkeep, snapshot } = monitor;
  const reload = reloadOf(config, surroundings, monitor);
  let ready = false;
  const routes = createRoutes({
    telemetryPath,
    expositionType: EXPOSITION_TYPE,
    scrape: monitor.scrape,
    fleet: fleetOf(surroundings, monitor, reload),
    page,
    discoverable: () => (reload.config().features.tunnelDiscovery ? snapshot() : undefined),
    stalledCollectors: monitor.silences,
    ready: () => ready,
    reload: reload.run,
  });
  const { host, port } = config.web.listenAddress;
  const server = await startServer({
    host,
    port,
    routes,
    onAnswer: monitor.httpAnswered,
    onRefusal: monitor.httpRefused,
    web,
    clock,
    log,
  });
  warnOfExposure(config, web, log);
  monitor.start();
  if (left !== undefined) upkeep.stateLoaded(left.accepted);
  keeper?.start(
    () => ({ snapshot: snapshot(), states: statesOf(reload.config().accounts, snapshot()) }),
    (success) => upkeep.stateSaved(success, clock.now()),
  );
  const firstRound = monitor.pollAll();
  void within(clock, READY_MILLISECONDS, firstRound).then(() => {
    ready = true;
  });
  return {
    url: server.url,
    firstRound,
    reload: reload.run,
    stop: async () => {
      const polls = monitor.stop();
      const ended = Promise.all([polls, keeper?.stop(), server.close()]);
      if (!(await within(clock, STOP_MILLISECONDS, ended))) log.warn({}, 'not everything ended in time');
      web?.stop();
    },
  };
}

/** The fleet as JSON. The interval of the polls may change with a reload, the rest comes with the snapshot. */
function fleetOf(
  { build, clock, scheduler, pause }: Surroundings,
  { snapshot }: Monitor,
  { config }: Reload,
): ReturnType<typeof createFleetAnswer> {
  return createFleetAnswer({
    snapshot,
    exporter: () => ({
      version: build.version,
      // A schedule that is never started, only asked.
      pollIntervalSeconds: scheduler(config().poll.devices, () => {}).intervalSeconds,
    }),
    process: Math.trunc(clock.now()).toString(36),
    pause,
  });
}

/** @throws ConfigError if there is a web configuration file and it can't be used */
async function webOf(config: Config, { clock, log }: Surroundings): Promise<WebAccess | undefined> {
  const { configFile } = config.web;
  return configFile === undefined ? undefined : openWebAccess({ path: configFile, clock, log });
}

function warnOfExposure(config: Config, web: WebAccess | undefined, log: Log): void {
  const { host, port } = config.web.listenAddress;
  const warning = exposureWarning(host, web?.isAuthenticated ?? false);
  if (warning !== undefined) log.warn({ port }, warning);
}

function keeperOf({ state }: Config, { clock, log }: Surroundings): Keeper | undefined {
  const { file, intervalMilliseconds } = state;
  return file === undefined ? undefined : createKeeper({ file, intervalMilliseconds, files, clock, log });
}

function reloadOf(config: Config, surroundings: Surroundings, { replace, upkeep }: Monitor): Reload {
  const { clock, readSetup, log } = surroundings;
  upkeep.reloaded(true, clock.now());
  return createReload({
    config,
    readSetup,
    apply: replace,
    onEnd: (success) => upkeep.reloaded(success, clock.now()),
    log,
  });
}
