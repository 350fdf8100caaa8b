import { KeyError } from '../base/api-key.ts';
import type { Log } from '../base/log.ts';
import { ConfigError } from '../config/messages.ts';
import { type Config, splitByRestart } from '../config/schema.ts';
import type { ReloadReport } from '../http/routes.ts';
import type { LoadedConfig } from './accounts.ts';
import type { Dependencies } from './monitor.ts';

type ReloadOptions = Pick<Dependencies, 'schema' | 'readSetup' | 'clock' | 'log'> & {
  /** The configuration at the start. */
  readonly config: Config;
  /** Applies a setup. Resolves to its warnings. Rejects with a KeyError without changing anything. */
  readonly apply: (setup: LoadedConfig) => Promise<readonly string[]>;
  readonly onEnd: (success: boolean) => void;
};

/** Minimum time between two reloads, in milliseconds. */
const INTERVAL = 1_000;

/** Returns a function that reads the configuration and applies it, or keeps the current one. It never rejects. */
export function createReload(options: ReloadOptions): () => Promise<ReloadReport> {
  const { log } = options;
  let config = options.config;
  /** A reload and the interval after it. */
  let current: Promise<void> | undefined;
  let waiting: Promise<ReloadReport> | undefined;

  const reload = async (): Promise<ReloadReport> => {
    const before = config;
    try {
      const setup = await options.readSetup();
      const applicable = splitByRestart(options.schema, config, setup.config);
      // Set first, since the next snapshot is shown with these settings.
      config = applicable.config;
      const warnings = await options.apply({ ...setup, config });
      return { problems: [], warnings, pending: applicable.pending };
    } catch (error) {
      config = before;
      return { problems: problemsOf(error, log), warnings: [], pending: [] };
    }
  };
  const run = async (): Promise<ReloadReport> => {
    const report = await reload();
    logReport(report, config, log);
    options.onEnd(report.problems.length === 0);
    return report;
  };
  /** Requests during a reload, or soon after one, share the next one. */
  const request = (): Promise<ReloadReport> => {
    if (current === undefined) {
      const report = run();
      current = report.then(() => new Promise((resolve) => options.clock.after(INTERVAL, resolve)));
      return report;
    }
    waiting ??= current.then(() => {
      current = undefined;
      waiting = undefined;
      return request();
    });
    return waiting;
  };
  return request;
}

function problemsOf(error: unknown, log: Log): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  if (error instanceof KeyError) return [error.message];
  log.error({ error }, 'reloading the configuration failed: this is a bug');
  return ['unexpected error, see the log: this is a bug'];
}

function logReport({ problems, pending }: ReloadReport, { accounts }: Config, log: Log): void {
  for (const problem of problems)
    log.error({ problem }, 'reload failed: the previous configuration stays active');
  if (problems.length === 0) log.info({ accounts: accounts.length }, 'configuration reloaded');
  if (pending.length > 0) log.warn({ settings: pending }, 'restart the exporter to apply these settings');
}
