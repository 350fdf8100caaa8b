import { dirname, isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import { type FileCache, readProblem } from '../../base/files.ts';
import { type ConfigFile, parseFile, pathText, valueAt } from '../../config/file.ts';
import { ConfigError, isSecretName, nearest, showKind, showValue } from '../../config/messages.ts';
import { UNSUPPORTED, WEB_KEYS, type WebConfigFile, webConfigSchema } from './schema.ts';
import { readTlsMaterial, type TlsConfig, type TlsMaterial } from './tls-options.ts';

/** The web configuration file of Prometheus's exporter-toolkit, validated and with its defaults. */
export type WebConfig = {
  /** Undefined for plain HTTP. */
  readonly tls: TlsConfig | undefined;
  /** Headers of every response, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bcrypt hashes of passwords, by user; empty without passwords. */
  readonly users: ReadonlyMap<string, string>;
};

export type LoadedWebConfig = {
  readonly config: WebConfig;
  /** Undefined without TLS. */
  readonly material: TlsMaterial | undefined;
};

/**
 * Reads a file with its certificates and keys.
 *
 * @throws ConfigError with the problems of the file, or, if it has none, of the certificates and keys
 */
export async function readWebConfig(path: string, files: FileCache): Promise<LoadedWebConfig> {
  await files.refresh(path);
  const config = parseWebConfig(textOf(path, files), path);
  const { tls } = config;
  await files.refresh(tls?.certificate, tls?.key, tls?.clientAuthorities);
  return { config, material: tls && readTlsMaterial(tls, files.text) };
}

function textOf(path: string, files: FileCache): string {
  try {
    return files.text(path);
  } catch (error) {
    const problem = readProblem(error, 'create it, or name another one with --web.config.file');
    throw new ConfigError([`${path}: ${problem}`]);
  }
}

/**
 * Parses the text of a web configuration file. Relative paths in it are resolved from the folder of `path`.
 *
 * @throws ConfigError with all problems. No message contains a key, a hash or a possible password
 */
export function parseWebConfig(text: string, path: string): WebConfig {
  const file = parseFile(text, path, 'texts');
  const parsed = webConfigSchema.safeParse(file.content);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.flatMap((issue) => describeIssue(issue, file)));
  const { tls_server_config: tls, http_server_config: http, basic_auth_users: users } = parsed.data;
  const problems = tlsProblems(tls);
  if (problems.length > 0) {
    const place = `${file.where(['tls_server_config'])}: tls_server_config`;
    throw new ConfigError(problems.map((problem) => `${place}: ${problem}`));
  }
  return { tls: toTlsConfig(tls, dirname(path)), headers: presentHeaders(http.headers), users };
}

function describeIssue(issue: z.core.$ZodIssue, { content, where }: ConfigFile): readonly string[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const at = [...path, key];
      return `${where(at)}: ${pathText(at)}: ${problemOfKey(pathText(path), key, pathText(at))}`;
    });
  const place = path.length === 0 ? '' : `${pathText(path)}: `;
  return [`${where(path)}: ${place}got ${show(path, valueAt(content, path))}, expected ${message}`];
}

function problemOfKey(map: string, key: string, path: string): string {
  const instead = UNSUPPORTED.get(path);
  if (instead !== undefined) return `not supported by this exporter: ${instead}`;
  const known = WEB_KEYS.get(map) ?? [];
  const home = Array.from(WEB_KEYS).find(([, keys]) => keys.includes(key))?.[0];
  const meant = nearest(key, known) ?? (home && `${home}.${key}`);
  return meant === undefined
    ? `unknown key. Expected one of ${known.join(', ')}`
    : `unknown key. Did you mean ${meant}?`;
}

/** Formats a value for a message, without certificates, keys, hashes and possible passwords. */
function show(path: readonly PropertyKey[], value: unknown): string {
  const [section, key = ''] = path;
  const isPublic = section === 'http_server_config' || /_/.test(String(key));
  if (section === 'basic_auth_users' || !isPublic || isSecretName(String(key))) return showKind(value);
  return showValue(String(path.at(-1)), value);
}

type TlsSection = WebConfigFile['tls_server_config'];

/** Lists problems with combinations of settings, in the toolkit's words. Any setting enables TLS. */
function tlsProblems(tls: TlsSection): readonly string[] {
  if (Object.values(tls).every((value) => value === undefined)) return [];
  const problems: string[] = [];
  if (tls.cert_file === undefined) problems.push('missing cert_file: add the certificate of this server');
  if (tls.key_file === undefined) problems.push('missing key_file: add the key of the certificate');
  if (tls.client_ca_file !== undefined && tls.client_auth_type !== true)
    problems.push(
      "client CA's have been configured without a Client Auth Policy: add client_auth_type: RequireAndVerifyClientCert",
    );
  return problems;
}

/** Returns the headers that are not blank, with names in lower case. */
function presentHeaders(written: Readonly<Record<string, string | undefined>>): WebConfig['headers'] {
  return Object.fromEntries(
    Object.entries(written).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  );
}

/** Returns the TLS configuration; undefined without a certificate and its key. */
function toTlsConfig(tls: TlsSection, folder: string): TlsConfig | undefined {
  const { cert_file: certificate, key_file: key, client_ca_file: authorities } = tls;
  if (certificate === undefined || key === undefined) return undefined;
  const absolute = (file: string): string => (isAbsolute(file) ? file : join(folder, file));
  return {
    certificate: absolute(certificate),
    key: absolute(key),
    clientAuthorities: authorities && absolute(authorities),
    verifiesClients: tls.client_auth_type ?? false,
    minVersion: tls.min_version ?? 'TLSv1.2',
  };
}
