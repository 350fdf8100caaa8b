import { dirname, isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import { Secret } from '../../secret.ts';
import { type ConfigFile, isMapping, parseFile, pathText, valueAt } from '../file.ts';
import { ConfigError, isSecretName, nearest, showKind, showValue } from '../messages.ts';
import { CLIENT_AUTHENTICATION, opensslCiphers, opensslCurves, VERSIONS } from './go-names.ts';
import { SECTIONS, type WebFile, webFileSchema } from './schema.ts';
import { faultsOfTls, isTlsEnabled } from './tls-faults.ts';
import type { PemSource, TlsConfig, WebConfig } from './web-config.ts';

/**
 * The web configuration that a text means; `path` is where it stands, and its folder where relative paths start.
 *
 * @throws ConfigError with everything that is wrong: where it stands, what was got and what was expected. No message
 *   holds a key, a hash or anything that may be a password
 */
export function parseWebConfig(text: string, path: string): WebConfig {
  const file = parseFile(text, path, 'texts');
  const content = withSections(file.content);
  const parsed = webFileSchema.safeParse(content);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.flatMap((issue) => problemsOf(issue, content, file)));
  }
  const faults = faultsOfTls(parsed.data);
  if (faults.length > 0) {
    throw new ConfigError(
      faults.map(({ key, fault }) => {
        const at = ['tls_server_config', ...(key === undefined ? [] : [key])];
        return `${file.where(at)}: ${pathText(at)}: ${fault}`;
      }),
    );
  }
  return toWebConfig(parsed.data, dirname(path));
}

/** An empty file is one without sections. */
function withSections(content: unknown): unknown {
  const written = content ?? {};
  if (!isMapping(written)) return content;
  const names = [...Object.keys(SECTIONS), 'basic_auth_users'];
  return { ...Object.fromEntries(names.map((name) => [name, {}])), ...written };
}

function problemsOf(issue: z.core.$ZodIssue, content: unknown, file: ConfigFile): readonly string[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const at = [...path, key];
      return `${file.where(at)}: ${pathText(at)}: ${unknownKey(String(path[0] ?? ''), key)}`;
    });
  }
  const place = path.length === 0 ? '' : `${pathText(path)}: `;
  return [`${file.where(path)}: ${place}got ${show(path, valueAt(content, path))}, expected ${message}`];
}

/** Certificates, keys, hashes and what may be a password in their place are not repeated. */
function show(path: readonly PropertyKey[], value: unknown): string {
  const [section, key = ''] = path;
  const isOpen = section === 'http_server_config' || section === 'rate_limit' || /_/.test(String(key));
  if (section === 'basic_auth_users' || !isOpen || isSecretName(String(key))) return showKind(value);
  return showValue(String(path.at(-1)), value);
}

function unknownKey(section: string, key: string): string {
  const shape: Readonly<Record<string, unknown>> = new Map(Object.entries(SECTIONS)).get(section) ?? {};
  const known = section === '' ? [...Object.keys(SECTIONS), 'basic_auth_users'] : Object.keys(shape);
  const meant = nearest(key, known);
  if (meant !== undefined) return `unknown key; did you mean ${meant}?`;
  const home = Object.entries(SECTIONS).find(([, keys]) => Object.hasOwn(keys, key));
  if (home !== undefined) return `unknown key; did you mean ${home[0]}.${key}?`;
  return `unknown key, expected one of ${known.join(', ')}`;
}

function toWebConfig(written: WebFile, folder: string): WebConfig {
  const { http_server_config: http, rate_limit: rate } = written;
  const { interval = 0, burst = 0 } = rate;
  return {
    tls: isTlsEnabled(written) ? toTlsConfig(written.tls_server_config, folder) : undefined,
    headers: http.headers ?? {},
    users: written.basic_auth_users,
    rateLimit: interval === 0 ? undefined : { intervalMilliseconds: interval, burst },
  };
}

function toTlsConfig(tls: WebFile['tls_server_config'], folder: string): TlsConfig | undefined {
  const certificate = sourceOf(tls.cert_file, tls.cert, folder);
  const key = sourceOf(tls.key_file, tls.key, folder);
  if (certificate === undefined || key === undefined) return undefined;
  const oldest = tls.min_version ?? 'TLS12';
  return {
    certificate,
    key,
    clientAuthentication: CLIENT_AUTHENTICATION[tls.client_auth_type ?? 'NoClientCert'],
    clientAuthorities: sourceOf(tls.client_ca_file, tls.client_ca, folder),
    clientAllowedSans: tls.client_allowed_sans,
    minVersion: VERSIONS[oldest],
    maxVersion: VERSIONS[tls.max_version ?? 'TLS13'],
    ciphers: opensslCiphers(tls.cipher_suites ?? [], oldest),
    honorCipherOrder: tls.prefer_server_cipher_suites ?? true,
    ecdhCurve: opensslCurves(tls.curve_preferences ?? []),
  };
}

/** A file wins where both are given. */
function sourceOf(file: string | undefined, text: string | undefined, folder: string): PemSource | undefined {
  if (file !== undefined) return { file: isAbsolute(file) ? file : join(folder, file) };
  return text === undefined ? undefined : { text: new Secret(text) };
}
