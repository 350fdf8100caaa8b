import * as z from 'zod';
import { isMapping } from '../../config/file.ts';
import { parsedText, pattern } from '../../config/values.ts';
import { TLS_VERSIONS } from './tls-options.ts';

/* The schema of the web configuration file. All scalars are texts, so that user 007 keeps its zeros. */

const EMPTY_VALUES: readonly unknown[] = [undefined, null, '', '~', 'null', 'Null', 'NULL'];

/** A key that may be absent or have an empty value. */
function optional<Value>(form: z.ZodType<Value>): z.ZodType<Value | undefined> {
  return z.preprocess((value) => (EMPTY_VALUES.includes(value) ? undefined : value), form.optional());
}

/** A map that may be absent or empty. */
function mapOf<const Shape extends z.ZodRawShape>(shape: Shape, expected = 'a map of settings') {
  return z.preprocess(
    (value) => (EMPTY_VALUES.includes(value) ? {} : value),
    z.strictObject(shape, { error: expected }),
  );
}

const text = optional(z.string({ error: 'a text' }));

const onOff = optional(z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'true or false' }));

const headerText = optional(pattern('one line of visible characters', /^[\t\x20-\x7e\x80-\xff]*$/));

/** Accepts the names of a table, in their exact spelling. */
function nameIn<Value extends string>(table: ReadonlyMap<string, Value>): z.ZodType<Value | undefined> {
  const expected = `one of ${[...table.keys()].join(', ')}`;
  return optional(
    parsedText(expected, (word) => {
      const value = table.get(word);
      return value === undefined ? { expected } : { value };
    }),
  );
}

/** A bcrypt hash: version, cost from 4 to 31, and 53 characters of salt and hash. */
const BCRYPT = /^\$2[aby]\$(?<cost>0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;

const MAX_COST = 15;

/** @returns undefined for a hash that can be used */
function expectedOfHash(hash: unknown): string | undefined {
  const cost = typeof hash === 'string' ? BCRYPT.exec(hash)?.groups?.['cost'] : undefined;
  if (cost === undefined) return 'a bcrypt hash ($2a$, $2b$ or $2y$), as htpasswd -nBC 10 prints it';
  if (Number(cost) <= MAX_COST) return undefined;
  return `a bcrypt hash of cost ${MAX_COST} at most: a check of cost 16 takes about five seconds. htpasswd -nBC 10 prints one`;
}

/** A Map, because a user may be called `__proto__`. */
const users = z.preprocess(
  (value) => (EMPTY_VALUES.includes(value) ? {} : value),
  z.unknown().transform((written, context): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    const refuse = (message: string, path: string[]): void => {
      context.addIssue({ code: 'custom', path, message });
    };
    if (!isMapping(written)) {
      refuse('a map of users and their hashes', []);
      return found;
    }
    for (const [name, hash] of Object.entries(written)) {
      const expected = name.includes(':')
        ? 'a name without a colon, since nobody can log in with one'
        : expectedOfHash(hash);
      if (expected === undefined) found.set(name, String(hash));
      else refuse(expected, [name]);
    }
    return found;
  }),
);

/** True if clients need a verified certificate. */
const clientAuthType = optional(
  z
    .enum(['NoClientCert', 'RequireAndVerifyClientCert'], {
      error:
        'NoClientCert or RequireAndVerifyClientCert: the other types let in clients that nobody verified. Use RequireAndVerifyClientCert with client_ca_file, or passwords (basic_auth_users)',
    })
    .transform((type) => type === 'RequireAndVerifyClientCert'),
);

const TLS = {
  cert_file: text,
  key_file: text,
  client_auth_type: clientAuthType,
  client_ca_file: text,
  min_version: nameIn(TLS_VERSIONS),
};

const HEADERS = {
  'Strict-Transport-Security': headerText,
  'X-Content-Type-Options': optional(pattern('nosniff', /^nosniff$/)),
  'X-Frame-Options': optional(pattern('deny or sameorigin', /^(?:deny|sameorigin)$/)),
  'X-XSS-Protection': headerText,
  'Content-Security-Policy': headerText,
};

const HTTP = { http2: onOff, headers: mapOf(HEADERS, 'a map of headers') };

const SECTIONS = { tls_server_config: mapOf(TLS), http_server_config: mapOf(HTTP), basic_auth_users: users };

export const webConfigSchema = mapOf(
  SECTIONS,
  'a map with tls_server_config, basic_auth_users and http_server_config',
);

export type WebConfigFile = z.output<typeof webConfigSchema>;

export const WEB_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['', Object.keys(SECTIONS)],
  ['tls_server_config', Object.keys(TLS)],
  ['http_server_config', Object.keys(HTTP)],
  ['http_server_config.headers', Object.keys(HEADERS)],
]);

/** Unsupported keys of the toolkit, by path, with what to do instead. */
export const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['tls_server_config.cert', 'write the certificate into a file, and name it with cert_file'],
  ['tls_server_config.key', 'write the key into a file, and name it with key_file'],
  ['tls_server_config.client_ca', 'write the authorities into a file, and name it with client_ca_file'],
  ['tls_server_config.max_version', 'remove it: both sides use the newest version that they support'],
  [
    'tls_server_config.cipher_suites',
    'remove it: all suites have forward secrecy. For TLS 1.3 only, write min_version: TLS13',
  ],
  ['tls_server_config.prefer_server_cipher_suites', 'remove it: the server always chooses'],
  ['tls_server_config.curve_preferences', 'remove it: OpenSSL offers no weak curve'],
  [
    'tls_server_config.client_allowed_sans',
    'in client_ca_file, use an authority that signs only the allowed clients, or their self-signed certificates',
  ],
  [
    'rate_limit',
    'remove it: connections and password checks are limited anyway. To limit requests, use a proxy',
  ],
]);
