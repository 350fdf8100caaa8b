import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { homeFolder } from '../base/files.ts';
import { isTimeZone } from '../base/time-zone.ts';
import { cleanName, MAX_NAME } from '../model/text.ts';
import { UNITS } from '../model/time.ts';
import { nearest } from './messages.ts';

/*
 * Types of settings. Each accepts values from YAML, and text from flags and variables. The message of an issue
 * completes "got …, expected …".
 */

/** The value of a text, or the expected form ("a duration such as 15m"). */
export type ParseResult<Value> = { readonly value: Value } | { readonly expected: string };

/** Creates the type of the texts that `parse` accepts. */
export function parsedText<Value>(
  expected: string,
  parse: (text: string) => ParseResult<Value>,
): z.ZodType<Value> {
  return z.string({ error: expected }).transform((text, context) => {
    const result = parse(text);
    if ('value' in result) return result.value;
    context.addIssue({ code: 'custom', message: result.expected });
    return z.NEVER;
  });
}

export function pattern(expected: string, expression: RegExp): z.ZodType<string> {
  return parsedText(expected, (text) => (expression.test(text) ? { value: text } : { expected }));
}

/** Creates the type of whole numbers between two bounds, inclusive. */
export function wholeNumber(least: number, most: number): z.ZodType<number> {
  const error = `a whole number from ${least} to ${most}`;
  const digits = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number);
  return z
    .union([z.number(), digits], { error })
    .pipe(z.int({ error }).min(least, { error }).max(most, { error }));
}

/** `true` or `false`; `on` and `off` are the same. */
export const onOff: z.ZodType<boolean> = z.union(
  [z.boolean(), z.stringbool({ truthy: ['true', 'on'], falsy: ['false', 'off'], case: 'sensitive' })],
  { error: 'true or false' },
);

export function names(what: string): z.ZodType<readonly string[]> {
  const error = `a list of ${what}`;
  const item = nameText(error)
    .min(1, { error })
    .transform(cleanName)
    .pipe(z.string().max(MAX_NAME, { error }));
  return z.array(item, { error }).max(1_000, { error });
}

/** Creates the type of a name from the API. */
export function name(expected: string): z.ZodType<string, string> {
  return nameText(expected).transform(cleanName);
}

/** YAML reads `01` as a number, and `true` as a boolean. */
function nameText(expected: string): z.ZodString {
  const isText = (input: unknown) => typeof input !== 'number' && typeof input !== 'boolean';
  return z.string({ error: ({ input }) => (isText(input) ? expected : `${expected}: put it in quotes`) });
}

/** Creates the type of one of several words, in any case. */
export function oneOf<const Choice extends string>(choices: readonly Choice[]): z.ZodType<Choice> {
  const error = `one of ${choices.join(', ')}`;
  return z.string({ error }).toLowerCase().pipe(z.enum(choices, { error }));
}

/** Creates the type of durations between two bounds, inclusive, in milliseconds. */
export function duration(least: number, most: number): z.ZodType<number> {
  const expected = `a duration such as 15m or 1h30m, from ${formatDuration(least)} to ${formatDuration(most)}`;
  return parsedText(expected, (text) => {
    const milliseconds = parseDuration(text);
    if (milliseconds === undefined || milliseconds < least || milliseconds > most) return { expected };
    return { value: milliseconds };
  });
}

/** Creates the type of durations like {@link duration}, or `auto`, which becomes undefined. */
export function autoOrDuration(least: number, most: number): z.ZodType<number | undefined> {
  const expected = `auto, or a duration such as 10m, from ${formatDuration(least)} to ${formatDuration(most)}`;
  const auto = z
    .string()
    .toLowerCase()
    .pipe(z.literal('auto'))
    .transform(() => undefined);
  return z.union([auto, duration(least, most)], { error: expected });
}

const DURATION = new RegExp(
  `^${Object.keys(UNITS)
    .map((unit) => `(?:(?<${unit}>\\d{1,9})${unit})?`)
    .join('')}$`,
);

/**
 * Parses a duration such as `15m`, `1h30m` or `500ms` into milliseconds, in the notation of Prometheus; undefined for anything
 * else.
 */
export function parseDuration(text: string): number | undefined {
  const amounts = DURATION.exec(text)?.groups;
  if (amounts === undefined || text === '') return undefined;
  return Object.entries(UNITS).reduce((sum, [unit, length]) => sum + Number(amounts[unit] ?? 0) * length, 0);
}

/** Formats milliseconds in the notation of {@link parseDuration}. */
export function formatDuration(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (const [unit, length] of Object.entries(UNITS)) {
    const amount = Math.floor(rest / length);
    if (amount > 0) text += `${amount}${unit}`;
    rest -= amount * length;
  }
  return text === '' ? '0s' : text;
}

/** Address to listen on. An empty `host` means all addresses of the machine; port 0 means a free port. */
type ListenAddress = { readonly host: string; readonly port: number };

const LISTEN_ADDRESS = /^(?:\[(?<six>[^\]]*)\]|(?<name>[^:[\]]*)):(?<port>\d{1,5})$/;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9][a-z0-9-]{0,62})*$/i;

/** Parses `host:port`, `:port` for all addresses, or `[address]:port` for IPv6, as in Prometheus. */
export function parseListenAddress(text: string): ParseResult<ListenAddress> {
  const { six, name, port } = LISTEN_ADDRESS.exec(text)?.groups ?? {};
  const isValid = six === undefined ? name !== undefined && isHost(name) : isIPv6(six);
  if (!isValid || Number(port) > 65_535)
    return { expected: 'an address such as 127.0.0.1:9823, :9823 or [::1]:9823' };
  return { value: { host: six ?? name ?? '', port: Number(port) } };
}

function isHost(name: string): boolean {
  // An invalid IPv4 address would be resolved as a name, and fail much later.
  return name === '' || (/^[\d.]+$/.test(name) ? isIPv4(name) : HOST_NAME.test(name));
}

/**
 * Parses the base address of the API, and removes trailing slashes. Credentials are not allowed, and plain HTTP only for this
 * machine, since each request contains the key.
 */
export function parseApiUrl(text: string): ParseResult<URL> {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text))
    return { expected: 'an address such as https://api.example.com' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || text.includes('@'))
    return { expected: 'an address without a user name: use api_key_file or api_key_env for the API key' };
  if (/[?#]/.test(text)) return { expected: 'an address without a query (?…) or fragment (#…)' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return {
      expected: 'https, since plain http would send the API key unencrypted: write https://',
    };
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { value: url };
}

/** Parses an http or https address without a user name, query and fragment. */
export function parseExternalUrl(text: string): ParseResult<URL> {
  if (/^https?:\/\/[^\s\\@?#]+$/i.test(text) && URL.canParse(text)) return { value: new URL(text) };
  return {
    expected: 'an address such as https://hoster.example.com, without a user name, query or fragment',
  };
}

/** Also matches IPv4 addresses in IPv6 form (`::ffff:127.0.0.1`). */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Tests whether a host is this machine. False for an empty host, which means all addresses of the machine.
 *
 * @param host a name or an address, IPv6 with or without brackets
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(address)) return LOOPBACK.check(address);
  if (isIPv6(address)) return LOOPBACK.check(address, 'ipv6');
  return /(?:^|\.)localhost$/i.test(host);
}

const URL_PATH = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;

/** Paths that the exporter uses for other purposes. */
const RESERVED_PATH = /^\/(?:-|api|assets|runbooks|sd)(?:\/|$)/;

/** Parses the metrics path: one or more plain segments. */
export function parseTelemetryPath(text: string): ParseResult<string> {
  if (!URL_PATH.test(text) || text.length > 100) return { expected: 'a path such as /metrics' };
  if (RESERVED_PATH.test(text))
    return {
      expected: 'a path that is not below /-, /api, /assets, /runbooks or /sd',
    };
  return { value: text };
}

/**
 * Returns advice for a path that starts with `~`, which only a shell expands; undefined for other paths. It does not show the
 * path, which may be a key.
 */
export function homeAdvice(path: string): string | undefined {
  if (!path.startsWith('~')) return undefined;
  return `a path without ~, which only a shell expands: write ${homeFolder() ?? '/home/you'}/… instead of ~/…`;
}

/** Creates the type of absolute file paths: a daemon's working directory is not obvious. */
export function absolutePath(example: string): z.ZodType<string> {
  return parsedText(`an absolute path such as ${example}`, (text) => parseAbsolutePath(text, example));
}

function parseAbsolutePath(text: string, example: string): ParseResult<string> {
  const isValid = isAbsolute(text) && !/[\0\n]/.test(text) && !/[/\\]$/.test(text) && text.length <= 4096;
  return isValid ? { value: text } : { expected: homeAdvice(text) ?? `an absolute path such as ${example}` };
}

/** Maximum length of a Unix socket's path, in bytes: the system allows 108, including the terminating zero. */
const MAX_SOCKET_PATH = 107;

export function parseSocketPath(text: string): ParseResult<string> {
  return Buffer.byteLength(text) > MAX_SOCKET_PATH
    ? { expected: `a path of at most ${MAX_SOCKET_PATH} bytes, the longest that a socket can have` }
    : parseAbsolutePath(text, '/run/hoster-exporter/web.sock');
}

export function parsePath(text: string, expected = 'the path of a file'): ParseResult<string> {
  const advice = homeAdvice(text);
  if (advice !== undefined) return { expected: advice };
  // cmd and PowerShell 5 pass '…' and "C:\…\" with quotes.
  if (/^(?:['"“‘„]|[a-z]:[\\/].*")/i.test(text))
    return { expected: `${expected} without quotes, and without a backslash at its end` };
  return /^[^\0\n]{1,4096}$/.test(text) ? { value: text } : { expected };
}

export function parseUsers(text: string): ParseResult<readonly string[]> {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => /^[^:\s]{1,64}$/.test(name))
    ? { value: names }
    : { expected: 'names of users such as anna,bob' };
}

/** Parses the path of an input file. An empty text means none, as in other exporters. */
export function parseOptionalPath(text: string): ParseResult<string | undefined> {
  return text === '' ? { value: undefined } : parsePath(text);
}

export function parseTimeZone(text: string): ParseResult<string> {
  if (isTimeZone(text)) return { value: text };
  const zone = nearestZone(text);
  const hint = zone === undefined ? '' : `. Did you mean ${zone}?`;
  return { expected: `the name of a time zone such as Europe/Kyiv${hint}` };
}

/** Returns the time zone that a text probably means: `UTC+2` (Etc/GMT-2), a city, or a misspelt name. */
function nearestZone(text: string): string | undefined {
  const [, sign, hours] = /^(?:UTC|GMT)?\s*([+-])0?(\d{1,2})(?::?00)?$/i.exec(text.trim()) ?? [];
  const fixed = `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`;
  if (isTimeZone(fixed)) return `${fixed}, which has no summer time`;
  const name = text
    .trim()
    .replace(/^(?::|posix\/|right\/)/, '')
    .replaceAll(/\s*\/\s*/g, '/')
    .replaceAll(' ', '_');
  if (isTimeZone(name)) return name;
  // An abbreviation such as MSK is not a misspelt city.
  if (/^[A-Z]{1,5}$/.test(name)) return undefined;
  // Some versions of Node list Kiev instead.
  const zones = ['Europe/Kyiv', ...Intl.supportedValuesOf('timeZone')];
  const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);
  const city = nearest(name, zones.map(cityOf));
  return nearest(name, zones) ?? zones.find((zone) => cityOf(zone) === city);
}

export function addressOf(scheme: 'http' | 'https', listener: ListenAddress): URL {
  return new URL(`${scheme}://${hostAndPort(listener)}/`);
}

/** Returns the host and port of a local listener; loopback if it listens on all addresses. */
export function hostAndPort({ host, port }: ListenAddress): string {
  const reachable = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
