import { isInstant } from './instant.ts';
import { rememberLast } from './wire/memo.ts';

/** Headers of an answer by lower-case name; a list where a header came more than once. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header that came exactly once. */
export function singleHeader(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const readMediaType = rememberLast((text) => (text.split(';', 1)[0] ?? '').trim().toLowerCase());

/** The media type without its parameters, in lower case; `''` where none was given. */
export function mediaType(headers: Headers): string {
  return readMediaType(singleHeader(headers, 'content-type') ?? '');
}

/**
 * The time of the API's own clock in milliseconds since 1970, from the `Date` header; undefined where that is missing
 * or rubbish, and where `Age` says that a cache answered, since the date is then that of the stored answer.
 */
export function serverTime(headers: Headers): number | undefined {
  return headers['age'] === undefined ? readDate(singleHeader(headers, 'date') ?? '') : undefined;
}

/**
 * `Retry-After` in milliseconds from `now`, which is the API's time in milliseconds since 1970: as seconds or as a date
 * (RFC 9110, section 10.2.3). Undefined where it is missing, negative or neither of these.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const text = singleHeader(headers, 'retry-after')?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  const date = httpDate(text);
  return date === undefined || date < now ? undefined : date - now;
}

/** The `Date` of hundreds of answers is the same one, since it changes once a second. */
const readDate = rememberLast(httpDate);

/** An HTTP date (IMF-fixdate, RFC 9110, section 5.6.7): exactly what `toUTCString` prints, so that this is the test. */
function httpDate(text: string): number | undefined {
  const instant = Date.parse(text);
  return isInstant(instant) && new Date(instant).toUTCString() === text ? instant : undefined;
}

/** Scheme and host that a redirect points to, for messages: never the path or query, which may hold secrets. */
export function redirectOrigin(headers: Headers): string | undefined {
  const location = singleHeader(headers, 'location');
  if (location === undefined || !URL.canParse(location)) return undefined;
  return `to ${new URL(location).origin}`.slice(0, 128);
}
