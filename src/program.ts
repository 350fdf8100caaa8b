import { fstatSync, readFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { keepProcessAlive, systemClock, within, yieldToEventLoop } from './base/clock.ts';
import { createDisk } from './base/disk.ts';
import { isReadableByAll, readRegularFile } from './base/files.ts';
import {
  type AdjustableLog,
  createFileDestination,
  createLog,
  describeCrash,
  openStandardError,
  writeNow,
} from './base/log.ts';
import { readBuild } from './cli/build.ts';
import type { Io } from './cli/command.ts';
import { dispatch } from './cli/dispatch.ts';
import { CONFIG_SCHEMA, FEATURES } from './features.ts';
import { cronScheduler } from './poll/schedule.ts';

/** Maximum times from a signal until the command, the log and the process have ended. Supervisors allow 2 s or more. */
const COMMAND_MILLISECONDS = 1_200;
const FLUSH_MILLISECONDS = 400;
const EXIT_MILLISECONDS = 1_600;

const standardError = openStandardError();
let log: AdjustableLog | undefined;
const destination = createFileDestination(standardError);

const nodeFlags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');

/** Closes the inspector, which a SIGUSR1 opens before main.ts listens. */
function closeInspector(): void {
  if (inspector.url() !== undefined && !/--inspect(?!-port)/.test(nodeFlags)) inspector.close();
}
closeInspector();
// Node may open it in the first turn of the event loop.
setImmediate(closeInspector);

// Unhandled rejections arrive here too.
process.on('uncaughtException', (error) => {
  writeNow(standardError, describeCrash(error));
  fail();
});

// Node would print warnings with blocking writes.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => log?.warn({ name, message }, 'warning from Node.js'));

process.stdout.on('error', (error) => {
  const code = 'code' in error ? String(error.code) : error.name;
  // EPIPE: the reader closed the pipe (`once | head`).
  if (code !== 'EPIPE') writeNow(standardError, `cannot write to standard output (${code})\n`);
  fail();
});

/** On Windows, Node maps closing the console to SIGHUP, and Ctrl-Break to SIGBREAK. */
const IS_WINDOWS = process.platform === 'win32';
const END_SIGNALS = ['SIGINT', 'SIGTERM', ...(IS_WINDOWS ? (['SIGHUP', 'SIGBREAK'] as const) : [])] as const;

/** The first signal to end the process, and its time by the monotonic clock. */
let interruption: { readonly signal: (typeof END_SIGNALS)[number]; readonly at: number } | undefined;

/**
 * Reports whether one of Node's pool threads is resolving a name or waiting for a disk. `process.exit` waits for it.
 */
function hasBusyThread(): boolean {
  return process.getActiveResourcesInfo().some((kind) => /^(?:GetAddrInfo|GetNameInfo|FSReq)/.test(kind));
}

/**
 * Ends the process with a code. If a thread is stuck, the process ends by the signal it received, or else when the thread
 * does.
 */
async function exit(code: number): Promise<void> {
  const deadline = (interruption?.at ?? systemClock.monotonic()) + EXIT_MILLISECONDS;
  while (hasBusyThread() && systemClock.monotonic() < deadline) {
    await within(systemClock, 5, new Promise(() => {}));
  }
  if (hasBusyThread()) {
    // Without listeners, a signal ends the wait for the thread.
    for (const signal of END_SIGNALS) process.removeAllListeners(signal);
    if (interruption !== undefined) process.kill(process.pid, interruption.signal);
  }
  process.exit(code);
}

/** Ends the process with code 1: at once, unless a thread is busy. */
function fail(): void {
  void exit(1);
}

/**
 * Runs the command line, and ends the process.
 *
 * @param listen calls a listener on each signal since the start of the program
 */
export async function runProgram(
  listen: (signal: NodeJS.Signals, listener: () => void) => void,
): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of END_SIGNALS) {
      listen(signal, () => {
        interruption ??= { signal, at: systemClock.monotonic() };
        // A second signal ends the process at once.
        process.once(signal, fail);
        resolve();
      });
    }
  });

  const disk = createDisk(systemClock, 2);
  const io: Io = {
    build: readBuild(),
    features: FEATURES,
    schema: CONFIG_SCHEMA,
    clock: systemClock,
    random: () => Math.random(),
    scheduler: cronScheduler(systemClock, Math.random),
    yieldToEventLoop,
    print: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
    printError: (text) => writeNow(standardError, text),
    colour: process.stdout.isTTY === true && !process.env['NO_COLOR'],
    environment: process.env,
    openTerminal: async () => {
      if (process.stdin.isTTY !== true || process.env['HOSTER_UNATTENDED']) return undefined;
      const { openTerminal } = await import('./cli/terminal.ts');
      return openTerminal(process.stdin, process.stdout);
    },
    disk,
    stateDisk: createDisk(systemClock, 1),
    readFile: (path) => disk.use(path, () => readRegularFile(path)),
    isReadableByAll: (path) => disk.use(path, () => isReadableByAll(path)),
    readPageFile: (name) => readFileSync(new URL(`./page/${name}`, import.meta.url)),
    openLog: (level, format) => {
      log = createLog({ level, format, destination, timestamps: !isJournal() });
      return log;
    },
    interrupted,
    onHangup: (listener) => {
      if (!IS_WINDOWS) listen('SIGHUP', listener);
    },
  };

  // Resolves with code 1 when a command takes too long after an interruption.
  const overdue = interrupted.then(async () => {
    await within(systemClock, COMMAND_MILLISECONDS, new Promise(() => {}));
    return 1;
  });

  // A command may be waiting only for a timer, as before a retry.
  keepProcessAlive();
  const code = await Promise.race([dispatch(process.argv.slice(2), io), overdue]);
  await within(systemClock, FLUSH_MILLISECONDS, destination.flush());
  await exit(code);
}

/** Reports whether standard error is systemd's journal. A service's child inherits the variable, but not the stream. */
function isJournal(): boolean {
  const stream = process.env['JOURNAL_STREAM'];
  if (stream === undefined) return false;
  const { dev, ino } = fstatSync(2);
  return stream === `${dev}:${ino}`;
}
