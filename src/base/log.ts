import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { cleanText, INVISIBLE } from '../model/text.ts';
import { MINUTE } from '../model/time.ts';
import { type Clock, systemClock } from './clock.ts';
import { REDACTED } from './secret.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** `logfmt` for people, `json` for programs. */
export type LogFormat = 'logfmt' | 'json';

/** Additional fields of a line. An Error goes under `error`; the names that every line has are reserved. */
export type Fields = {
  readonly [name: string]: unknown;
  readonly time?: never;
  readonly level?: never;
  readonly msg?: never;
};

type Write = (fields: Fields, message: string) => void;

export type Log = Readonly<Record<LogLevel, Write>> & {
  /** A log whose lines all carry these fields too. */
  readonly child: (fields: Fields) => Log;
};

/** A log whose level can be changed at run time; its children follow. */
export type AdjustableLog = Log & { readonly setLevel: (level: LogLevel) => void };

type LogDestination = { readonly write: (line: string) => void };

type LogOptions = {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly destination: LogDestination;
  /** False leaves the time out of logfmt, for a journal that has its own. */
  readonly timestamps?: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly now?: () => number;
};

/**
 * Creates a log. Messages and fields can't forge a line: they are quoted and their control characters escaped. Fields
 * named like a secret print `[redacted]`. An Error prints its name, message, code and causes; at `debug`, its stack.
 */
export function createLog({
  level,
  format,
  destination,
  timestamps = true,
  now = systemClock.now,
}: LogOptions): AdjustableLog {
  const formatted = (line: string): string => (format === 'json' ? line : lineOfPairs(line, timestamps));
  const logger: Logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(fields, logger.isLevelEnabled('debug')),
      },
      hooks: { streamWrite: (line) => escapeUnprintable(formatted(line)) },
    },
    destination,
  );
  const withFields = (common: Fields): Log => {
    const at =
      (chosen: LogLevel): Write =>
      (fields, message) =>
        logger[chosen]({ ...common, ...fields }, message);
    return {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      // A pino child keeps its level when its parent's changes.
      child: (fields) => withFields({ ...common, ...fields }),
    };
  };
  const setLevel = (chosen: LogLevel): void => {
    logger.level = chosen;
  };
  return { ...withFields({}), setLevel };
}

/** Matches names in lower case without hyphens and underscores: `x-api-key` and `apiKey` become `apikey`. */
const SECRET_FIELD = /^(?:x?apikey|key|user(?:name)?|token|cookie)$|password|secret|credential|authorization/;

const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;
const MAX_TEXT_LENGTH = 1_000;

/** Returns fields as plain, bounded data without secrets. pino only redacts listed paths, not names at any depth. */
function redactFields(fields: object, stacks: boolean, depth = 0): Record<string, unknown> {
  const entries = Object.entries(fields).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([name, value]) => [name, redact(name, value, stacks, depth)]));
}

function redact(name: string, value: unknown, stacks: boolean, depth: number): unknown {
  if (SECRET_FIELD.test(name.toLowerCase().replace(/[-_]/g, ''))) return REDACTED;
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  // The limit also ends circular references.
  if (depth >= MAX_DEPTH) return '[deeper]';
  const inner = value instanceof Error ? errorFields(value, stacks) : value;
  if ('toJSON' in inner && typeof inner.toJSON === 'function')
    return redact('', inner.toJSON(), stacks, depth + 1);
  if (Array.isArray(inner))
    return inner.slice(0, MAX_ENTRIES).map((item) => redact('', item, stacks, depth + 1));
  return redactFields(inner, stacks, depth + 1);
}

/** Fields of an error that may be logged. No others: HTTP clients' errors can contain requests and bodies. */
function errorFields(error: Error, stacks: boolean): object {
  return {
    name: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause instanceof Error ? { cause: error.cause } : {}),
    ...(stacks ? { stack: error.stack } : {}),
  };
}

/** Invisible characters, except the line feed that ends a line. */
const UNPRINTABLE = new RegExp(String.raw`(?!\n)[${INVISIBLE}\u200D]`, 'gu');

/** Escapes characters in a way that JSON and logfmt share. Both have already quoted such texts. */
function escapeUnprintable(line: string): string {
  return line.replace(UNPRINTABLE, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function lineOfPairs(line: string, timestamps: boolean): string {
  const { time, level, msg, ...fields } = JSON.parse(line);
  return `${toLogfmt({ ...(timestamps && { time }), level, msg, ...fields })}\n`;
}

/** Formats plain data as `name=value` pairs; nested fields get dotted names. */
function toLogfmt(fields: object, prefix = ''): string {
  return Object.entries(fields)
    .flatMap(([key, value]) => {
      const name = `${prefix}${key.replace(/[^\w.-]/g, '_')}`;
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return toLogfmt(value, `${name}.`) || [];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${name}=${/^[^\s"=\\\p{C}]+$/u.test(text) ? text : JSON.stringify(text)}`;
    })
    .join(' ');
}

/** Bytes that may be buffered for a slow reader; further lines are dropped. */
const MAX_BUFFERED_BYTES = 1_048_576;

/**
 * Writes lines to a file descriptor without waiting for its reader. `flush` resolves when all lines are written. With a stuck reader that is never, so callers limit it.
 *
 * @param fileDescriptor must not block (see {@link openStandardError})
 */
export function createFileDestination(
  fileDescriptor: number,
): LogDestination & { readonly flush: () => Promise<void> } {
  const stream = pino.destination({
    dest: fileDescriptor,
    sync: false,
    maxLength: MAX_BUFFERED_BYTES,
    // With 0, pino's flush calls back before anything is written.
    minLength: 1,
  });
  // pino flushes at exit, and would retry endlessly if the disk is full or the reader is stuck.
  stream.flushSync = () => undefined;
  // Without a listener, a full disk would end the process.
  stream.on('error', () => undefined);
  // After an error, pino retries only on request.
  stream.on('drop', () => stream.flush());
  return {
    write: (line) => {
      stream.write(line);
    },
    flush: () => new Promise((resolve) => stream.flush(() => resolve())),
  };
}

const STANDARD_ERROR = 2;

/**
 * Opens standard error in non-blocking mode and returns its descriptor: a blocked write would occupy a thread of Node's
 * pool, and the process could not exit. If that is impossible, returns standard error as it is.
 */
export function openStandardError(): number {
  const stats = fstatSync(STANDARD_ERROR);
  // Node's own stream over a socket is non-blocking from the start.
  if (stats.isSocket()) return process.stderr.fd;
  if (!stats.isFIFO() && !stats.isCharacterDevice()) return STANDARD_ERROR;
  try {
    // Opened again: a flag on the inherited description would affect all processes that share it.
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    return openSync(`/proc/self/fd/${STANDARD_ERROR}`, flags);
  } catch {
    return STANDARD_ERROR;
  }
}

/** Writes synchronously. Text that a stuck reader leaves no room for is lost. */
export function writeNow(fileDescriptor: number, text: string): void {
  try {
    writeSync(fileDescriptor, text);
  } catch {
    // Nobody could read a message about this.
  }
}

const MAX_STACK_FRAMES = 12;

/**
 * Describes an unexpected exception: its kind, stack, and message. The message is left out if it may quote data, since
 * that may be an API response with a password in it.
 */
export function describeCrash(reason: unknown): string {
  return `hoster-exporter: ${describeReason(reason)}\nThis is a bug; please report it.\n`;
}

function describeReason(reason: unknown): string {
  if (!(reason instanceof Error)) return `unexpected ${typeof reason} thrown in place of an error`;
  const { name, message, stack = '' } = reason;
  const code = 'code' in reason && typeof reason.code === 'string' ? ` (${cleanText(reason.code)})` : '';
  const shown = mayQuoteData(reason) ? '' : `: ${cleanText(message)}`;
  const frames = stack.split('\n').filter((line) => /^ +at /.test(line));
  return [`unexpected ${cleanText(name)}${code}${shown}`, ...frames.slice(0, MAX_STACK_FRAMES)].join('\n');
}

/** JSON.parse quotes its text; Node's own errors (ERR_…) quote arguments and values of rejected promises. */
function mayQuoteData(error: Error): boolean {
  return error instanceof SyntaxError || ('code' in error && String(error.code).startsWith('ERR_'));
}

/**
 * Returns a log that writes at most `max` lines in any minute; the next line says how many were left out. Levels below
 * `info` are not limited.
 */
export function limitLog(log: Log, clock: Pick<Clock, 'monotonic'>, max: number): Log {
  let writtenAt: readonly number[] = [];
  let leftOut = 0;
  const limited =
    (write: Write): Write =>
    (fields, message) => {
      const now = clock.monotonic();
      writtenAt = writtenAt.filter((at) => now - at < MINUTE);
      if (writtenAt.length >= max) {
        leftOut += 1;
        return;
      }
      writtenAt = [...writtenAt, now];
      write(leftOut === 0 ? fields : { ...fields, left_out: leftOut }, message);
      leftOut = 0;
    };
  return { ...log, info: limited(log.info), warn: limited(log.warn), error: limited(log.error) };
}
