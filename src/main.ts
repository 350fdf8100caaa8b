#!/usr/bin/env node

/*
 * Entry point. It imports nothing before the first line has run.
 */

// Older versions of Node parse this file, but not the rest of the program.
const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number);
if (1_000_000 * major + 1_000 * minor + patch < 20_018_001) {
  process.stderr.write(
    `hoster-exporter: needs Node.js 20.18.1 or newer, and this is ${process.versions.node}: install a newer one\n`,
  );
  process.exit(2);
}

// Without a listener, SIGUSR1 opens Node's inspector, with access to the heap, to everyone on this machine.
process.on('SIGUSR1', () => {});

/** Signals that arrived while the program was loading. Only the daemon, the default command, handles SIGHUP. */
const early = new Set<NodeJS.Signals>();
const [, , command = 'run'] = process.argv;
const takesHangup = command === 'run' || command.startsWith('-');
for (const signal of ['SIGINT', 'SIGTERM', ...(takesHangup ? (['SIGHUP'] as const) : [])] as const) {
  process.on(signal, () => early.add(signal));
}

/** Calls the listener on each signal since the start of the program. */
function listen(signal: NodeJS.Signals, listener: () => void): void {
  process.on(signal, listener);
  if (early.has(signal)) listener();
}

const INCOMPLETE =
  'a part of the program is missing, or there are too few file descriptors: raise the limit (ulimit -n 1024), or reinstall it';

const LOAD_ERRORS: Readonly<Record<string, string>> = {
  EMFILE: 'too few file descriptors: raise the limit (ulimit -n 1024)',
  ENFILE: 'the machine has no file descriptors left: end other programs, or raise fs.file-max',
  ERR_MODULE_NOT_FOUND: INCOMPLETE,
  ERR_INVALID_PACKAGE_CONFIG: INCOMPLETE,
};

try {
  const { runProgram } = await import('./program.ts');
  await runProgram(listen);
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const advice = LOAD_ERRORS[code];
  if (advice === undefined) throw error;
  process.stderr.write(`hoster-exporter: could not start (${code}): ${advice}\n`);
  process.exit(1);
}
