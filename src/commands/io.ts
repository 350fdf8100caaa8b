import type { Surroundings } from '../app/monitor.ts';
import type { AdjustableLog, LogFormat, LogLevel } from '../log.ts';

/** What a command may do to the world. */
export type Io = Omit<Surroundings, 'key' | 'network' | 'readSetup' | 'log' | 'setLogLevel'> & {
  /** Writes to standard output; resolves when it was taken, so that the process may end. */
  readonly print: (text: string) => Promise<void>;
  /** Writes to standard error. */
  readonly complain: (text: string) => void;
  /** Whether standard output is a terminal that shows colours. */
  readonly colour: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The text of a file. Throws Node's error if it can't be read. */
  readonly readFile: (path: string) => string;
  /** A password from standard input, as often as it was typed. */
  readonly readPasswords: () => Promise<readonly [string, ...string[]]>;
  /** The log, on standard error. */
  readonly openLog: (level: LogLevel, format: LogFormat) => AdjustableLog;
  /** Resolves when the person or the supervisor wants the process to end (SIGINT, SIGTERM). */
  readonly interrupted: Promise<void>;
  /** Calls back whenever the supervisor wants the configuration to be read again (SIGHUP), which would else end the process. */
  readonly onHangup: (listener: () => void) => void;
};
