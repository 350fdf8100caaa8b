import { X509Certificate } from 'node:crypto';
import { readProblem } from '../base/files.ts';
import type { Proxies } from '../base/outbound.ts';
import type { Environment } from './environment.ts';
import { ConfigError } from './messages.ts';
import type { Config } from './schema.ts';

/**
 * Reads the trusted certificates (PEM) of `client.ca_file`, undefined for the public ones, and the proxies of
 * `client.proxy_from_environment`.
 *
 * @throws ConfigError if they are invalid. No message contains a proxy's address, which may include a password.
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

function readAuthorities(path: string, readFile: (path: string) => string): string {
  const place = `client.ca_file ${path}`;
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    throw new ConfigError([`${place}: ${readProblem(error)}`]);
  }
  return parseCertificates({ place, text }).join('');
}

/** Reads curl's variables. Lower case wins over upper case. */
function readProxies(environment: Environment): Proxies {
  const http = readVariable('http_proxy', environment);
  const https = readVariable('https_proxy', environment);
  const problems = [http, https].flatMap(({ name, value }) =>
    value === '' || /^https?:$/.test(schemeOf(value))
      ? []
      : `${name}: invalid, expected the address of a proxy such as http://proxy.example.com:3128`,
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

export type Pem = { readonly place: string; readonly text: string };

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Parses all certificates in a text.
 *
 * @throws ConfigError if there are none, or if one is invalid
 */
export function parseCertificates({ place, text }: Pem): readonly [X509Certificate, ...X509Certificate[]] {
  const expected = 'expected one or more in PEM form (-----BEGIN CERTIFICATE-----)';
  try {
    const [first, ...others] = (text.match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each));
    if (first !== undefined) return [first, ...others];
  } catch {
    throw new ConfigError([`${place}: contains an invalid certificate, ${expected}`]);
  }
  throw new ConfigError([`${place}: contains no certificate, ${expected}`]);
}
