#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs';
import { systemClock } from './clock.ts';
import { dispatch } from './commands/dispatch.ts';
import type { Io } from './commands/io.ts';
import { createLog, fileDestination } from './log.ts';
import { cronScheduler } from './poller/schedule.ts';

// Node opens its inspector, and with it the whole heap, to whoever may send SIGUSR1 to a process that has no listener.
process.on('SIGUSR1', () => {});

process.on('uncaughtException', (error) => {
  writeSync(2, `hoster-exporter: ${error.stack ?? error.message}\nThis is a bug; please report it.\n`);
  process.exit(1);
});

// Who reads our output may stop reading; there is nobody left to tell then.
process.stdout.on('error', () => process.exit(1));

/** How long the end of the process waits for the log, in milliseconds. */
const FLUSH_MILLISECONDS = 500;

let countDroppedLine = (): void => {};
const destination = fileDestination(2, () => countDroppedLine());

const io: Io = {
  build: {
    version: packageVersion(),
    revision: process.env['REVISION'] || 'unknown',
    nodeVersion: process.version,
  },
  clock: systemClock,
  scheduler: cronScheduler,
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  print: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  complain: (text) => writeSync(2, text),
  colour: process.stdout.isTTY === true && !process.env['NO_COLOR'],
  environment: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  openLog: (level, format) => createLog({ level, format, destination }),
  onLogDropped: (listener) => {
    countDroppedLine = listener;
  },
  interrupted: new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // The first signal asks to end; a second one means at once.
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  }),
};

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const content: unknown = JSON.parse(text);
  const known =
    typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;
  return typeof known === 'string' ? known : 'unknown';
}

/** The last lines of the log, unless whoever reads it is stuck. */
function flushLog(): Promise<unknown> {
  const given = new Promise<void>((resolve) => {
    systemClock.after(FLUSH_MILLISECONDS, resolve);
  });
  return Promise.race([destination.flush(), given]);
}

const code = await dispatch(process.argv.slice(2), io);
await flushLog();
process.exit(code);
