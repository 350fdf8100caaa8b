import { pino } from 'pino';
import { systemClock } from './clock.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** `logfmt` for people, `json` for programs. */
export type LogFormat = 'logfmt' | 'json';

/** Facts beside the message. An Error goes under `error`; the names that each line has anyway are not to be had. */
export type Fields = {
  readonly [name: string]: unknown;
  readonly time?: never;
  readonly level?: never;
  readonly msg?: never;
};

type Write = (fields: Fields, message: string) => void;

export type Log = Readonly<Record<LogLevel, Write>> & {
  /** A log all of whose lines carry these fields too. */
  readonly child: (fields: Fields) => Log;
};

/** A log that can be made to say more or less while it is in use; its children follow. */
export type AdjustableLog = Log & { readonly setLevel: (level: LogLevel) => void };

/** Where lines go. */
export type LogDestination = { readonly write: (line: string) => void };

export type LogOptions = {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly destination: LogDestination;
  /** Milliseconds since 1970, UTC. */
  readonly now?: () => number;
};

/**
 * A log of lines that cannot be forged: whatever stands in a message or a field, it stays within its quotes and shows
 * its control characters as escapes. Fields whose names speak of secrets print `[redacted]`, as a second net below those
 * who don't log them; of an Error print name, message, code and causes, and the stack from `debug` on.
 */
export function createLog({ level, format, destination, now = systemClock.now }: LogOptions): AdjustableLog {
  let stacks = showsStacks(level);
  const layOut = format === 'json' ? escapeUnprintable : (line: string) => escapeUnprintable(logfmt(line));
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) =>
          Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [name, clean(name, value, stacks)]),
          ),
      },
    },
    { write: (line) => destination.write(layOut(line)) },
  );
  const withFields = (always: Fields): Log => {
    const at =
      (chosen: LogLevel): Write =>
      (fields, message) =>
        logger[chosen]({ ...always, ...fields }, message);
    return {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => withFields({ ...always, ...fields }),
    };
  };
  const setLevel = (chosen: LogLevel): void => {
    logger.level = chosen;
    stacks = showsStacks(chosen);
  };
  return { ...withFields({}), setLevel };
}

function showsStacks(level: LogLevel): boolean {
  return level === 'debug' || level === 'trace';
}

const REDACTED = '[redacted]';

/** Tried on names in lower case without hyphens and underscores, so that `x-api-key` and `apiKey` are `apikey`. */
const SECRET_NAME = /^(?:x?apikey|key|user(?:name)?|token|cookie)$|password|secret|credential|authorization/;

const DEEPEST = 6;
const MOST_ENTRIES = 50;
const LONGEST_TEXT = 1_000;

/** A value as plain, bounded data without secrets. */
function clean(name: string, value: unknown, stacks: boolean, depth = 0): unknown {
  if (SECRET_NAME.test(name.toLowerCase().replace(/[-_]/g, ''))) return REDACTED;
  if (typeof value === 'string') {
    return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  }
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  // A limit on depth ends circles too.
  if (depth >= DEEPEST) return '[deeper]';
  const inner = value instanceof Error ? factsOf(value, stacks) : value;
  // Dates, addresses and secrets know best what to show.
  if ('toJSON' in inner && typeof inner.toJSON === 'function') {
    return clean('', inner.toJSON(), stacks, depth + 1);
  }
  if (Array.isArray(inner)) {
    return inner.slice(0, MOST_ENTRIES).map((item) => clean('', item, stacks, depth + 1));
  }
  const entries = Object.entries(inner).slice(0, MOST_ENTRIES);
  return Object.fromEntries(entries.map(([key, item]) => [key, clean(key, item, stacks, depth + 1)]));
}

/** What may be shown of an error. Nothing else: errors of HTTP clients can carry requests and bodies. */
function factsOf(error: Error, stacks: boolean): object {
  return {
    name: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause instanceof Error ? { cause: error.cause } : {}),
    ...(stacks ? { stack: error.stack } : {}),
  };
}

/** Control, bidirectional and zero-width characters, but for the line feed that ends a line. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/** JSON and logfmt have quoted the others by now; in both, `\u` escapes are understood. */
function escapeUnprintable(line: string): string {
  return line.replace(UNPRINTABLE, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A line of JSON as `time=… level=… msg=… name=value`, fields within fields with dots in their names. */
function logfmt(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  return `${pairs('', { time, level, msg, ...fields }).join(' ')}\n`;
}

function pairs(prefix: string, fields: object): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const name = `${prefix}${key.replace(/[^\w.-]/g, '_')}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return pairs(`${name}.`, value);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${name}=${/^[^\s"=\\\p{C}]+$/u.test(text) ? text : JSON.stringify(text)}`;
  });
}

/** Lines that wait for a slow reader; what would make them more is dropped. */
const MOST_BYTES_WAITING = 1_048_576;

/**
 * Writes to a file descriptor without ever waiting for whoever reads it. `onDrop` is called for each line that is lost
 * because too many wait already. `flush` resolves when all lines are written or can't be: never, where the reader is
 * stuck, so that the caller has to limit it. Nothing is written at the exit of the process without it.
 *
 * @param fileDescriptor writing to it must not block where it has a reader (`openStandardError`)
 */
export function fileDestination(
  fileDescriptor: number,
  onDrop: () => void,
): LogDestination & { readonly flush: () => Promise<void> } {
  const stream = pino.destination({
    dest: fileDescriptor,
    sync: false,
    maxLength: MOST_BYTES_WAITING,
    // With 0, pino's flush calls back before anything is written.
    minLength: 1,
  });
  // pino's own way to flush at the exit tries for ever where the disk is full or the reader is stuck.
  stream.flushSync = () => undefined;
  // A full disk may have room again later; without a listener it would end the process.
  stream.on('error', () => undefined);
  stream.on('drop', () => {
    onDrop();
    // After an error, nothing but this would try to write again.
    stream.flush();
  });
  return {
    write: (line) => {
      stream.write(line);
    },
    flush: () => new Promise((resolve) => stream.flush(() => resolve())),
  };
}
