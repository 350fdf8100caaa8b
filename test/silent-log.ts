import type { Log } from '../src/base/log.ts';

/** A log that nobody reads. */
export const silentLog: Log = {
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
