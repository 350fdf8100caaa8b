import { dirname, isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import { type ConfigFile, isMapping, parseFile, pathText, valueAt } from '../../config/file.ts';
import { ConfigError, isSecretName, nearest, showKind, showValue } from '../../config/messages.ts';
import { Secret } from '../../secret.ts';
import { NOT_SERVED, WEB_SECTIONS, type WebConfigFile, webConfigSchema } from './schema.ts';
import {
  type PemSource,
  readProblem,
  readTlsMaterial,
  type TlsConfig,
  type TlsMaterial,
} from './tls-options.ts';

/** The web configuration file of Prometheus' exporter-toolkit, validated and with its defaults. */
export type WebConfig = {
  /** Undefined for plain HTTP. */
  readonly tls: TlsConfig | undefined;
  /** Headers for every response, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bcrypt hash of each password, by user; empty if no password is needed. */
  readonly users: ReadonlyMap<string, string>;
};

/** A web configuration with its certificates and keys. */
export type LoadedWebConfig = {
  readonly config: WebConfig;
  /** Undefined without TLS. */
  readonly material: TlsMaterial | undefined;
};

/**
 * Loads the file at a path with the certificates and keys that it names.
 *
 * @param readFile throws Node's error if the file can't be read
 * @throws ConfigError with the faults of the file, or else those of certificates and keys
 */
export function loadWebConfig(path: string, readFile: (path: string) => string): LoadedWebConfig {
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    throw new ConfigError([`${path}: ${readProblem(error, ' with --web.config.file')}`]);
  }
  const config = parseWebConfig(text, path);
  return { config, material: config.tls && readTlsMaterial(config.tls, readFile) };
}

/**
 * Parses the text of a web configuration file. Relative paths in it start at the folder of `path`.
 *
 * @throws ConfigError with all faults: place, what was got, what was expected. No message holds a key, a hash or anything
 *   that may be a password
 */
export function parseWebConfig(text: string, path: string): WebConfig {
  const file = parseFile(text, path, 'texts');
  const content = withAllSections(file.content);
  const parsed = webConfigSchema.safeParse(content);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.flatMap((issue) => describeIssue(issue, content, file)));
  }
  const problems = tlsProblems(parsed.data.tls_server_config).map(({ key, problem }) => {
    const at = ['tls_server_config', ...(key === undefined ? [] : [key])];
    return `${file.where(at)}: ${pathText(at)}: ${problem}`;
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return toWebConfig(parsed.data, dirname(path));
}

const SECTION_NAMES = [...Object.keys(WEB_SECTIONS), 'basic_auth_users'];

function withAllSections(content: unknown): unknown {
  const written = content ?? {};
  if (!isMapping(written)) return content;
  return { ...Object.fromEntries(SECTION_NAMES.map((name) => [name, {}])), ...written };
}

function describeIssue(issue: z.core.$ZodIssue, content: unknown, file: ConfigFile): readonly string[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const at = [...path, key];
      const instead = NOT_SERVED.get(pathText(at));
      const problem =
        instead === undefined
          ? `unknown key${hintForKey(String(path[0] ?? ''), key)}`
          : `not served by this exporter: ${instead}`;
      return `${file.where(at)}: ${pathText(at)}: ${problem}`;
    });
  }
  const place = path.length === 0 ? '' : `${pathText(path)}: `;
  return [`${file.where(path)}: ${place}got ${show(path, valueAt(content, path))}, expected ${message}`];
}

/** Shows no certificates, keys and hashes, and nothing that may be a password in their place. */
function show(path: readonly PropertyKey[], value: unknown): string {
  const [section, key = ''] = path;
  const isPublic = section === 'http_server_config' || /_/.test(String(key));
  if (section === 'basic_auth_users' || !isPublic || isSecretName(String(key))) return showKind(value);
  return showValue(String(path.at(-1)), value);
}

function hintForKey(section: string, key: string): string {
  const keys: Readonly<Record<string, unknown>> = new Map(Object.entries(WEB_SECTIONS)).get(section) ?? {};
  const known = section === '' ? SECTION_NAMES : Object.keys(keys);
  const similar = nearest(key, known);
  if (similar !== undefined) return `; did you mean ${similar}?`;
  const home = Object.entries(WEB_SECTIONS).find(([, others]) => Object.hasOwn(others, key));
  if (home !== undefined) return `; did you mean ${home[0]}.${key}?`;
  return `, expected one of ${known.join(', ')}`;
}

type TlsSection = WebConfigFile['tls_server_config'];

/** `key` is undefined for a problem of the whole section. */
type TlsProblem = { readonly key: keyof TlsSection | undefined; readonly problem: string };

/** Any setting of the section switches TLS on. */
function isTlsEnabled(tls: TlsSection): boolean {
  return Object.values(tls).some((value) => value !== undefined);
}

/** Lists the faults that concern several settings. Most begin with the words of the toolkit. */
function tlsProblems(tls: TlsSection): readonly TlsProblem[] {
  const problems: TlsProblem[] = [];
  const add = (key: TlsProblem['key'], problem: string): void => {
    problems.push({ key, problem });
  };
  if (isTlsEnabled(tls)) {
    if (tls.cert === undefined && tls.cert_file === undefined) {
      add(undefined, 'missing one of cert or cert_file: add the certificate of this server');
    }
    if (tls.key === undefined && tls.key_file === undefined) {
      add(undefined, 'missing one of key or key_file: add the key of the certificate');
    }
  }
  const requestsCertificate = (tls.client_auth_type ?? 'ignore') !== 'ignore';
  const authorities = tls.client_ca_file === undefined ? 'client_ca' : 'client_ca_file';
  if (tls[authorities] !== undefined && !requestsCertificate) {
    add(
      authorities,
      "client CA's have been configured without a Client Auth Policy: add client_auth_type: RequireAndVerifyClientCert",
    );
  }
  return problems;
}

function toWebConfig(file: WebConfigFile, folder: string): WebConfig {
  return {
    tls: toTlsConfig(file.tls_server_config, folder),
    headers: file.http_server_config.headers ?? {},
    users: file.basic_auth_users,
  };
}

/** Undefined without a certificate and its key. */
function toTlsConfig(tls: TlsSection, folder: string): TlsConfig | undefined {
  const certificate = pemSource(tls.cert_file, tls.cert, folder);
  const key = pemSource(tls.key_file, tls.key, folder);
  if (certificate === undefined || key === undefined) return undefined;
  return {
    certificate,
    key,
    clientAuthentication: tls.client_auth_type ?? 'ignore',
    clientAuthorities: pemSource(tls.client_ca_file, tls.client_ca, folder),
    minVersion: tls.min_version ?? 'TLSv1.2',
  };
}

/** The file wins if both are given. */
function pemSource(
  file: string | undefined,
  text: string | undefined,
  folder: string,
): PemSource | undefined {
  if (file !== undefined) return { file: isAbsolute(file) ? file : join(folder, file) };
  return text === undefined ? undefined : { text: new Secret(text) };
}
