import { X509Certificate } from 'node:crypto';
import type { Environment } from './environment.ts';
import { ConfigError } from './problems.ts';
import type { Config } from './schema.ts';

/** How the API is reached, beside its address. */
type Network = {
  /** Certificates (PEM) of the authorities to trust; undefined for the public ones. */
  readonly authorities: string | undefined;
  /** Undefined where proxies are not asked for. */
  readonly proxies: Proxies | undefined;
};

/** `''` for none. */
type Proxies = { readonly http: string; readonly https: string; readonly except: string };

/**
 * What `client.ca_file` and `client.proxy_from_environment` lead to, read and checked.
 *
 * @throws ConfigError if it can't be used; the message holds neither certificates nor addresses of proxies, which may
 *   carry passwords
 */
export function readNetwork(
  { caFile, proxyFromEnvironment }: Config['client'],
  environment: Environment,
  readFile: (path: string) => string,
): Network {
  return {
    authorities: caFile === undefined ? undefined : readAuthorities(caFile, readFile),
    proxies: proxyFromEnvironment ? proxiesIn(environment) : undefined,
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function readAuthorities(path: string, readFile: (path: string) => string): string {
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError([
      `client.ca_file: cannot read ${path} (${code}): create it with the certificates, readable by this user`,
    ]);
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

/** The variables that curl and many others go by; of two spellings the one in lower case wins. */
function proxiesIn(environment: Environment): Proxies {
  const http = given('http_proxy', environment);
  const https = given('https_proxy', environment);
  const problems = [http, https].flatMap(({ name, value }) =>
    value === '' || /^https?:$/.test(schemeOf(value))
      ? []
      : `${name}: got something else, expected the address of a proxy such as http://proxy.example.com:3128`,
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return { http: http.value, https: https.value, except: given('no_proxy', environment).value };
}

function given(
  variable: string,
  environment: Environment,
): { readonly name: string; readonly value: string } {
  const name = environment[variable] ? variable : variable.toUpperCase();
  return { name, value: environment[name] ?? '' };
}

function schemeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}
