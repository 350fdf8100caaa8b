import { readFileSync } from 'node:fs';
import { stayAlive, systemClock, within } from './clock.ts';
import { dispatch } from './commands/dispatch.ts';
import type { Io } from './commands/io.ts';
import { readPasswords } from './commands/password-input.ts';
import { describeCrash } from './crash.ts';
import { createLog, fileDestination } from './log.ts';
import { cronScheduler } from './poller/schedule.ts';
import { openStandardError, standStill, writeBriefly } from './standard-error.ts';

/*
 * How long the end may take, in milliseconds after the signal: the command, then the log, then the threads. A person or
 * a supervisor loses patience after two seconds.
 */
const COMMAND_MILLISECONDS = 1_200;
const FLUSH_MILLISECONDS = 400;
const ALL_MILLISECONDS = 1_600;

const standardError = openStandardError();

// Node opens its inspector, and with it the whole heap, to whoever may send SIGUSR1 to a process that has no listener.
process.on('SIGUSR1', () => {});

// The promises that nobody handles come here too.
process.on('uncaughtException', (error) => {
  writeBriefly(standardError, describeCrash(error));
  failNow();
});

// Node prints its warnings itself, and blocks where nobody reads them.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => log?.warn({ name, message }, 'Node.js warns'));

process.stdout.on('error', (error) => {
  const code = 'code' in error ? String(error.code) : error.name;
  // Who reads our output may stop reading (`once | head`): that is no fault, and there is nobody left to tell.
  if (code !== 'EPIPE') writeBriefly(standardError, `cannot write to standard output (${code})\n`);
  failNow();
});

let log: ReturnType<typeof createLog> | undefined;
let countDroppedLine = (): void => {};
const destination = fileDestination(standardError, () => countDroppedLine());

/** The signal that asked to end, and when it came, by the monotonic clock. */
let interrupted: { readonly signal: 'SIGINT' | 'SIGTERM'; readonly at: number } | undefined;

const io: Io = {
  build: {
    version: packageVersion(),
    revision: process.env['REVISION'] || 'unknown',
    nodeVersion: process.version,
  },
  clock: systemClock,
  random: () => Math.random(),
  scheduler: cronScheduler(systemClock, Math.random),
  pause,
  print: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  complain: (text) => writeBriefly(standardError, text),
  colour: process.stdout.isTTY === true && !process.env['NO_COLOR'],
  environment: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  readPageFile: (name) => readFileSync(new URL(`./http/fleet/page/${name}`, import.meta.url)),
  readPasswords: () =>
    readPasswords({
      input: process.stdin,
      show: (text) => writeBriefly(standardError, text),
      interrupt: () => process.kill(process.pid, 'SIGINT'),
    }),
  openLog: (level, format) => {
    log = createLog({ level, format, destination });
    return log;
  },
  onLogDropped: (listener) => {
    countDroppedLine = listener;
  },
  interrupted: new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        interrupted ??= { signal, at: systemClock.monotonic() };
        // The first signal asks to end; a second one means at once.
        process.once(signal, failNow);
        resolve();
      });
    }
  }),
  onHangup: (listener) => process.on('SIGHUP', listener),
};

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const content: unknown = JSON.parse(text);
  const known =
    typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;
  return typeof known === 'string' ? known : 'unknown';
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Whether a thread of Node's pool is in a system call that may take long: a resolver without an answer, a file on a disk
 * that hangs. `process.exit` waits for them, for as long as it takes.
 */
function hasBusyThreads(): boolean {
  return process.getActiveResourcesInfo().some((kind) => /^(?:GetAddrInfo|GetNameInfo|FSReq)/.test(kind));
}

/** Ends the process with the code, or, where its threads don't let it, by a signal that says the same. */
async function leave(code: number): Promise<void> {
  const deadline = (interrupted?.at ?? systemClock.monotonic()) + ALL_MILLISECONDS;
  while (hasBusyThreads() && systemClock.monotonic() < deadline) {
    await pause();
    standStill(5);
  }
  if (hasBusyThreads()) {
    const { signal } = interrupted ?? { signal: 'SIGTERM' };
    process.removeAllListeners(signal);
    process.kill(process.pid, code === 0 ? signal : 'SIGKILL');
  }
  process.exit(code);
}

/** Ends the process as one that failed: at once, unless a thread is busy. */
function failNow(): void {
  if (!hasBusyThreads()) process.exit(1);
  void leave(1);
}

/** A command that goes on although it was interrupted is left behind. */
const overdue = io.interrupted.then(async () => {
  await within(systemClock, COMMAND_MILLISECONDS, new Promise(() => {}));
  return 1;
});

// A command may do nothing but wait, as before it tries a request again.
stayAlive();
const code = await Promise.race([dispatch(process.argv.slice(2), io), overdue]);
await within(systemClock, FLUSH_MILLISECONDS, destination.flush());
await leave(code);
