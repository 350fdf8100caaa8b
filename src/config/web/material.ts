import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Secret } from '../../secret.ts';
import { ConfigError } from '../messages.ts';
import type { PemSource, TlsConfig, TlsMaterial } from './web-config.ts';

/** Reads a file whole. Throws Node's error if it can't be read. */
type ReadFile = (path: string) => string;

/**
 * What the PEM sources of a configuration hold.
 *
 * @throws ConfigError if they can't be read, are broken, or don't belong together; no message holds any of it
 */
export function readMaterial(tls: TlsConfig, readFile: ReadFile): TlsMaterial {
  const certificate = read('cert', tls.certificate, readFile);
  const key = read('key', tls.key, readFile);
  const authorities =
    tls.clientAuthorities === undefined ? undefined : read('client_ca', tls.clientAuthorities, readFile);
  const problems = [certificate, key, ...(authorities === undefined ? [] : [authorities])].flatMap((pem) =>
    'problem' in pem ? [pem.problem] : [],
  );
  if ('problem' in certificate || 'problem' in key || problems.length > 0) throw new ConfigError(problems);
  const leaf = firstCertificate(certificate);
  const pair = privateKeyOf(key);
  if (!leaf.checkPrivateKey(pair)) {
    throw new ConfigError([
      `${certificate.place}: the certificate does not belong to the key (${key.place}): renew both together`,
    ]);
  }
  if (authorities === undefined || 'problem' in authorities) {
    return { certificate: certificate.text, key: new Secret(key.text), clientAuthorities: undefined };
  }
  firstCertificate(authorities);
  return { certificate: certificate.text, key: new Secret(key.text), clientAuthorities: authorities.text };
}

/** Text in PEM form, and what messages call the place where it stands. */
type Pem = { readonly place: string; readonly text: string };

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'no such file: create it, or name another one',
  EACCES: 'this user may not read it: let it',
  EISDIR: 'a folder, expected a file',
};

function read(name: string, source: PemSource, readFile: ReadFile): Pem | { readonly problem: string } {
  const setting = `tls_server_config.${name}`;
  if ('text' in source) return { place: setting, text: source.text.reveal() };
  const place = `${setting}_file ${source.file}`;
  try {
    return { place, text: readFile(source.file) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { problem: `${place}: ${READING[code] ?? `can't be read (${code})`}` };
  }
}

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** The first of one or more certificates, none of which is broken. */
function firstCertificate({ place, text }: Pem): X509Certificate {
  const all = text.match(CERTIFICATE) ?? [];
  try {
    const [first] = all.map((each) => new X509Certificate(each));
    if (first !== undefined) return first;
  } catch {
    throw new ConfigError([`${place}: holds a broken certificate, expected one or more in PEM form`]);
  }
  throw new ConfigError([
    `${place}: holds no certificate, expected one or more in PEM form (-----BEGIN CERTIFICATE-----)`,
  ]);
}

function privateKeyOf({ place, text }: Pem): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // The error of OpenSSL may say more than anybody should read in a log.
    const expected = 'expected a private key in PEM form, not encrypted with a passphrase';
    throw new ConfigError([`${place}: holds no key that can be used, ${expected}`]);
  }
}
