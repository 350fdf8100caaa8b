import { validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { isMapping } from '../../config/file.ts';
import { parsedText } from '../../config/values.ts';
import { CLIENT_AUTHENTICATION, TLS_VERSIONS } from './tls-options.ts';

/*
 * The schema of the web configuration file. All scalars are texts, so that a user 007 keeps the zeros and a header 1 is "1".
 */

/** Empty values of YAML. */
const EMPTY_VALUES: readonly unknown[] = [undefined, null, '', '~', 'null', 'Null', 'NULL'];

function isEmpty(value: unknown): boolean {
  return EMPTY_VALUES.includes(value);
}

/** A key that may be absent or have an empty value. */
function optional<Value>(form: z.ZodType<Value>): z.ZodType<Value | undefined> {
  return z.preprocess((value) => (isEmpty(value) ? undefined : value), form.optional()).optional();
}

const text = optional(z.string({ error: 'a text' }));

const onOff = optional(z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'true or false' }));

/** One of the names of a table, in its exact spelling. */
function nameIn<Value extends string>(table: ReadonlyMap<string, Value>): z.ZodType<Value | undefined> {
  const expected = `one of ${[...table.keys()].join(', ')}`;
  return optional(
    parsedText(expected, (word) => {
      const value = table.get(word);
      return value === undefined ? { expected } : { value };
    }),
  );
}

/** Headers that may be set, with their only values if those are limited. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'Strict-Transport-Security': [],
  'X-Content-Type-Options': ['nosniff'],
  'X-Frame-Options': ['deny', 'sameorigin'],
  'X-XSS-Protection': [],
  'Content-Security-Policy': [],
};

/** Leaves blank headers out, and returns names in lower case. */
const headers = z.unknown().transform((written, context): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const [name, value] of entriesOf(written, 'a map of headers', context)) {
    const expected = expectedOfHeader(name, value);
    if (expected !== undefined) context.addIssue({ code: 'custom', path: [name], message: expected });
    else if (value !== '') found[name.toLowerCase()] = String(value);
  }
  return found;
});

/** @returns undefined for a header that may be set */
function expectedOfHeader(name: string, value: unknown): string | undefined {
  const values = Object.hasOwn(HEADERS, name) ? HEADERS[name] : undefined;
  if (values === undefined) {
    return `one of ${Object.keys(HEADERS).join(', ')} (this HTTP header cannot be configured)`;
  }
  if (typeof value !== 'string') return 'a text';
  if (values.length > 0 && !values.includes(value)) return `one of ${values.join(', ')}`;
  try {
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'a text that can be sent in a header: one line of visible characters';
  }
}

/** A bcrypt hash: version, cost from 4 to 31, and 53 characters of salt and hash. */
const BCRYPT = /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;

/** A Map, because a user may be called `__proto__`. */
const users = z.unknown().transform((written, context): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const [name, hash] of entriesOf(written, 'a map of users and their hashes', context)) {
    if (name.includes(':')) {
      const message = 'a name without a colon, which nobody could log in with';
      context.addIssue({ code: 'custom', path: [name], message });
    } else if (typeof hash !== 'string' || !BCRYPT.test(hash)) {
      const message = 'a bcrypt hash ($2a$, $2b$ or $2y$), as htpasswd -nBC 10 prints it';
      context.addIssue({ code: 'custom', path: [name], message });
    } else found.set(name, hash);
  }
  return found;
});

function entriesOf(written: unknown, expected: string, context: z.RefinementCtx) {
  if (isEmpty(written)) return [];
  if (isMapping(written)) return Object.entries(written);
  context.addIssue({ code: 'custom', message: expected });
  return [];
}

/** The keys of each section. */
export const WEB_SECTIONS = {
  tls_server_config: {
    cert: text,
    key: text,
    client_ca: text,
    cert_file: text,
    key_file: text,
    client_auth_type: nameIn(CLIENT_AUTHENTICATION),
    client_ca_file: text,
    min_version: nameIn(TLS_VERSIONS),
  },
  http_server_config: { http2: onOff, headers: headers.optional() },
};

const section = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (value) => (isEmpty(value) ? {} : value),
    z.strictObject(shape, { error: 'a map of settings' }),
  );

export const webConfigSchema = z.strictObject(
  {
    tls_server_config: section(WEB_SECTIONS.tls_server_config),
    http_server_config: section(WEB_SECTIONS.http_server_config),
    basic_auth_users: users,
  },
  { error: 'a map with tls_server_config, basic_auth_users and http_server_config' },
);

/** Keys of the toolkit that are not served, by path, with what to do instead. */
export const NOT_SERVED: ReadonlyMap<string, string> = new Map([
  ['tls_server_config.max_version', 'leave it out, since both sides use the newest version that they know'],
  [
    'tls_server_config.cipher_suites',
    'leave it out, since all suites have forward secrecy, or write min_version: TLS13',
  ],
  [
    'tls_server_config.prefer_server_cipher_suites',
    'leave it out, since the order of this server always counts',
  ],
  [
    'tls_server_config.client_allowed_sans',
    'name in client_ca_file an authority that signs the allowed clients only, or their self-signed certificates',
  ],
  ['tls_server_config.curve_preferences', 'leave it out, since OpenSSL offers none that is weak'],
  [
    'rate_limit',
    'leave it out, since connections and password checks are limited anyway, and limit requests in a proxy',
  ],
]);

/** The file after validation. */
export type WebConfigFile = z.output<typeof webConfigSchema>;
