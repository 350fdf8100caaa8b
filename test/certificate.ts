import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate and its key, in PEM form. */
export type Certificate = { readonly name: string; readonly certificate: string; readonly key: string };

export type CertificateOptions = {
  readonly name: string;
  /** Host names and IPv4 addresses that it is for. */
  readonly hosts?: readonly string[];
  /** By default it is valid from 2000 to 2049. */
  readonly from?: Date;
  readonly to?: Date;
  /** Issuer; by default the certificate itself. */
  readonly issuer?: Certificate;
  readonly isAuthority?: boolean;
  /** Hash of the signature, by default SHA-256. */
  readonly hash?: keyof typeof ECDSA_WITH;
};

/** Makes a certificate (X.509 v3, ECDSA on P-256), since Node can read but not make one. */
export function createCertificate(options: CertificateOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const {
    hash = 'sha256',
    name,
    issuer,
    from = new Date(Date.UTC(2000)),
    to = new Date(Date.UTC(2049)),
  } = options;
  const content = sequence(
    tagged(0, integer(2)),
    integer(serial++),
    ECDSA_WITH[hash],
    nameOf(issuer?.name ?? name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions(options))),
  );
  const signature = sign(hash, content, issuer?.key ?? privateKey);
  return {
    name,
    certificate: pem('CERTIFICATE', sequence(content, ECDSA_WITH[hash], bits(signature))),
    key: pemOfKey(privateKey),
  };
}

let serial = 1;

/*
 * DER (ITU-T X.690): each value is a tag, a length and its bytes.
 */

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const tagged = (number: number, part: Uint8Array) => der(0xa0 + number, part);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const octets = (part: Uint8Array) => der(0x04, part);
const bits = (part: Uint8Array) => der(0x03, Buffer.from([0]), part);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
const TRUE = der(0x01, Buffer.from([0xff]));

const ECDSA_WITH = {
  sha1: sequence(identifier('2a8648ce3d0401')),
  sha256: sequence(identifier('2a8648ce3d040302')),
};
const COMMON_NAME = identifier('550403');
const SUBJECT_ALTERNATIVE_NAME = identifier('551d11');
const BASIC_CONSTRAINTS = identifier('551d13');

function nameOf(name: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
}

function extensions({ hosts = [], isAuthority = false }: CertificateOptions): readonly Buffer[] {
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? der(0x87, Buffer.from(host.split('.').map(Number)))
      : der(0x82, Buffer.from(host)),
  );
  return [
    sequence(BASIC_CONSTRAINTS, TRUE, octets(isAuthority ? sequence(TRUE) : sequence())),
    ...(names.length === 0 ? [] : [sequence(SUBJECT_ALTERNATIVE_NAME, octets(sequence(...names)))]),
  ];
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function pemOfKey(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}
