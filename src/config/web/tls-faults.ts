import { HTTP2_SUITES, VERSIONS } from './go-names.ts';
import type { WebFile } from './schema.ts';

/** Something that is wrong with settings of TLS together; `key` is where it shows, undefined for the section. */
export type TlsFault = {
  readonly key: keyof WebFile['tls_server_config'] | undefined;
  readonly fault: string;
};

/** Any of these means that TLS is wanted; the others only shape it. */
export function isTlsEnabled({ tls_server_config: tls }: WebFile): boolean {
  const { cert, cert_file, key, key_file, client_ca, client_ca_file, client_auth_type } = tls;
  return [cert, cert_file, key, key_file, client_ca, client_ca_file, client_auth_type].some(
    (value) => value !== undefined,
  );
}

/** What each setting can't know alone. The first words of each are those of the toolkit, for whoever looks them up. */
export function faultsOfTls(file: WebFile): readonly TlsFault[] {
  const { tls_server_config: tls } = file;
  const faults: TlsFault[] = [];
  if (isTlsEnabled(file)) faults.push(...faultsOfPair(tls));
  const asksClients = (tls.client_auth_type ?? 'NoClientCert') !== 'NoClientCert';
  const authorities = tls.client_ca_file === undefined ? 'client_ca' : 'client_ca_file';
  if (tls[authorities] !== undefined && !asksClients) {
    const fault =
      "client CA's have been configured without a Client Auth Policy: add client_auth_type: RequireAndVerifyClientCert";
    faults.push({ key: authorities, fault });
  }
  if (tls.client_allowed_sans !== undefined && !asksClients) {
    const fault =
      'nobody is asked for a certificate, so this would be checked on none: add client_auth_type: RequireAndVerifyClientCert';
    faults.push({ key: 'client_allowed_sans', fault });
  }
  return [...faults, ...faultsOfVersions(file)];
}

function faultsOfPair(tls: WebFile['tls_server_config']): readonly TlsFault[] {
  const faults: TlsFault[] = [];
  if (tls.cert === undefined && tls.cert_file === undefined) {
    faults.push({
      key: undefined,
      fault: 'missing one of cert or cert_file: add the certificate of this server',
    });
  }
  if (tls.key === undefined && tls.key_file === undefined) {
    faults.push({ key: undefined, fault: 'missing one of key or key_file: add the key of the certificate' });
  }
  return faults;
}

function faultsOfVersions(file: WebFile): readonly TlsFault[] {
  const { min_version = 'TLS12', max_version = 'TLS13', cipher_suites = [] } = file.tls_server_config;
  const order = Object.keys(VERSIONS);
  if (order.indexOf(min_version) > order.indexOf(max_version)) {
    const fault = `no version is left between min_version ${min_version} and max_version ${max_version}`;
    return [{ key: file.tls_server_config.min_version === undefined ? 'max_version' : 'min_version', fault }];
  }
  const speaksHttp2 = isTlsEnabled(file) && (file.http_server_config.http2 ?? true);
  const isFree = cipher_suites.length === 0 || min_version === 'TLS13';
  if (!speaksHttp2 || isFree || cipher_suites.some((name) => HTTP2_SUITES.includes(name))) return [];
  const fault = `missing an HTTP/2-required cipher: add ${HTTP2_SUITES.join(' or ')}, or turn http_server_config.http2 off`;
  return [{ key: 'cipher_suites', fault }];
}
