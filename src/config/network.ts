import { X509Certificate } from 'node:crypto';
import { permissionAdvice, readErrorText } from '../base/files.ts';
import type { Proxies } from '../base/outbound.ts';
import type { Environment } from './environment.ts';
import { ConfigError } from './messages.ts';
import type { Config } from './schema.ts';

/**
 * Reads what `client.ca_file` and `client.proxy_from_environment` refer to: certificates (PEM) of the authorities to trust,
 * undefined for the public ones, and the proxies.
 *
 * @throws ConfigError if they can't be used. The message holds no address of a proxy, which may carry a password.
 */
export function readNetwork(
  {
    ca_file: caFile,
    proxy_from_environment: isProxied,
  }: Pick<Config['client'], 'ca_file' | 'proxy_from_environment'>,
  environment: Environment,
  readFile: (path: string) => string,
): { readonly authorities: string | undefined; readonly proxies: Proxies | undefined } {
  return {
    authorities: caFile === undefined ? undefined : readAuthorities(caFile, readFile),
    proxies: isProxied ? readProxies(environment) : undefined,
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function readAuthorities(path: string, readFile: (path: string) => string): string {
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    const reason = readErrorText(error);
    const advice =
      reason === 'EACCES' ? permissionAdvice() : 'create it with the certificates, readable by this user';
    throw new ConfigError([`client.ca_file: cannot read ${path} (${reason}): ${advice}`]);
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new ConfigError([
      `client.ca_file: ${path} holds ${certificates.length === 0 ? 'no certificate' : 'a broken certificate'}, expected one or more in PEM form (-----BEGIN CERTIFICATE-----)`,
    ]);
  }
  return certificates.join('\n');
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}

/** Reads the variables that curl uses; lower case wins over upper case. */
function readProxies(environment: Environment): Proxies {
  const http = readVariable('http_proxy', environment);
  const https = readVariable('https_proxy', environment);
  const problems = [http, https].flatMap(({ name, value }) =>
    value === '' || /^https?:$/.test(schemeOf(value))
      ? []
      : `${name}: got something else, expected the address of a proxy such as http://proxy.example.com:3128`,
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return { http: http.value, https: https.value, except: readVariable('no_proxy', environment).value };
}

function readVariable(
  variable: string,
  environment: Environment,
): { readonly name: string; readonly value: string } {
  const name = environment[variable] ? variable : variable.toUpperCase();
  return { name, value: environment[name] ?? '' };
}

function schemeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}
