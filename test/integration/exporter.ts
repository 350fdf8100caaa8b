import type { StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createMarketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet } from '../../src/features/demo/phones.ts';
import { freePort, MAIN, type Running, start } from '../process.ts';
import { type RunningCommand, startCommand } from '../run-command.ts';
import { type Simulator, startSimulator } from '../simulator.ts';

export const KEY = 'canary-key';

/** Time between two requests of a test that waits, which leaves the processor to the program. */
const POLL_MILLISECONDS = 200;

/** A simulated marketplace in real time. */
export function startMarketplace(phones: number): Promise<Simulator> {
  const startAt = systemClock.now() - 3_600_000;
  const marketplace = createMarketplace({ seed: 1, startAt, phones: createFleet({ seed: 1, size: phones }) });
  return startSimulator({ accounts: [{ name: 'main', key: KEY, marketplace }], clock: systemClock });
}

/** An exporter over HTTP, whatever runs it. */
export type Served = {
  readonly url: string;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string) => Promise<Answer>;
  /** Scrapes until the page shows this. */
  readonly shows: (pattern: RegExp) => Promise<string>;
};

export type Exporter = Running &
  Served & {
    /** Sends a signal; resolves with how it ended. Rejects if Node warned of anything. */
    readonly end: (signal: NodeJS.Signals) => Promise<End>;
  };

export type Answer = { readonly status: number | undefined; readonly body: string };

export type End = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
};

export type ExporterOptions = {
  /** Undefined if a configuration file names the accounts. */
  readonly apiUrl: string | undefined;
  readonly parameters?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdio?: StdioOptions;
};

/** Polls everything each second, for tests that need more than the first round. */
export const EACH_SECOND = ['devices', 'tunnels', 'balance'].map(
  (collector) => `--poll.${collector}=* * * * * *`,
);

/** Starts the built program on a port of its own; resolves when it answers. */
export async function startExporter(options: ExporterOptions): Promise<Exporter> {
  const port = await freePort();
  const { apiUrl, parameters = [], environment = {}, stdio } = options;
  const running = start(
    process.execPath,
    [MAIN, 'run', `--web.listen-address=127.0.0.1:${port}`, ...parameters],
    { ...(apiUrl !== undefined && { HOSTER_API_URL: apiUrl, HOSTER_API_KEY: KEY }), ...environment },
    stdio,
  );
  const exporter: Exporter = {
    ...running,
    ...servedAt(port),
    end: async (signal) => {
      // Not `exit`, after which the last words may still be on their way.
      const exited = once(running.child, 'close');
      running.child.kill(signal);
      await exited;
      // Node warns on standard error, of a leak of listeners for example.
      if (/Warning: /.test(running.output())) throw new Error(`the exporter warns: ${running.output()}`);
      const { exitCode: code, signalCode } = running.child;
      return { code, signal: signalCode };
    },
  };
  while (running.child.exitCode === null && running.child.signalCode === null) {
    const answer = await exporter.get('/-/healthy').catch(() => undefined);
    if (answer?.status === 200) return exporter;
    await setTimeout(POLL_MILLISECONDS);
  }
  throw new Error(`the exporter ended with ${running.child.exitCode}: ${running.output()}`);
}

function servedAt(port: number): Served {
  const url = `http://127.0.0.1:${port}`;
  const ask = (method: string, path: string) => answerOf(method, `${url}${path}`);
  return {
    url,
    get: (path) => ask('GET', path),
    post: (path) => ask('POST', path),
    shows: async (pattern) => {
      for (;;) {
        const { body } = await ask('GET', '/metrics');
        if (pattern.test(body)) return body;
        await setTimeout(POLL_MILLISECONDS);
      }
    },
  };
}

export type InProcess = RunningCommand & Served;

/** Starts the daemon in this process on a port of its own; resolves when it answers. For tests of what it serves. */
export async function serveExporter(options: Omit<ExporterOptions, 'stdio'>): Promise<InProcess> {
  const port = await freePort();
  const { apiUrl, parameters = [], environment = {} } = options;
  const running = startCommand(['run', `--web.listen-address=127.0.0.1:${port}`, ...parameters], {
    ...(apiUrl !== undefined && { HOSTER_API_URL: apiUrl, HOSTER_API_KEY: KEY }),
    ...environment,
  });
  await running.waitForOutput(/listening/);
  return { ...running, ...servedAt(port) };
}

/** Declares a test with exporters of its own, which end with it at the latest, so that such tests can run side by side. */
export const exporterTest = test.extend<{
  /** As a process, where its signals, streams or death matter. */
  readonly run: typeof startExporter;
  /** In this process. */
  readonly serve: typeof serveExporter;
}>({
  serve: async ({ onTestFinished }, use) => {
    await use(async (options) => {
      const exporter = await serveExporter(options);
      onTestFinished(async () => void (await exporter.stop()));
      return exporter;
    });
  },
  run: async ({ onTestFinished }, use) => {
    await use(async (options) => {
      const exporter = await startExporter(options);
      onTestFinished(() => void exporter.child.kill('SIGKILL'));
      return exporter;
    });
  },
});

function answerOf(method: string, url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent: false }, async (response) => {
      resolve({ status: response.statusCode, body: await text(response) });
    });
    asked.on('error', reject);
    asked.end();
  });
}
