import type { SecureVersion } from 'node:tls';
import type { Secret } from '../../secret.ts';
import type { ClientAuthentication } from './go-names.ts';

/** What the web configuration file says: the file of Prometheus' exporter-toolkit, checked and with its defaults. */
export type WebConfig = {
  /** Undefined for plain HTTP. */
  readonly tls: TlsConfig | undefined;
  /** Headers for every answer, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bcrypt hash of each user's password, by the user's name. Nobody is asked for one where it is empty. */
  readonly users: ReadonlyMap<string, string>;
  /** Undefined for as many requests as come. */
  readonly rateLimit: RateLimit | undefined;
};

/** One request each interval, and `burst` of them at once after a pause; with a burst of 0, none at all. */
export type RateLimit = { readonly intervalMilliseconds: number; readonly burst: number };

/** Text in PEM form: the text itself, or the absolute path of a file that holds it. */
export type PemSource = { readonly file: string } | { readonly text: Secret };

/** How connections are secured, in the words of Node and OpenSSL. */
export type TlsConfig = {
  readonly certificate: PemSource;
  readonly key: PemSource;
  readonly clientAuthentication: ClientAuthentication;
  /** Who signs the certificates of clients. */
  readonly clientAuthorities: PemSource | undefined;
  /** Names of which a client's certificate has to carry one; undefined for any name, and empty for none. */
  readonly clientAllowedSans: readonly string[] | undefined;
  readonly minVersion: SecureVersion;
  readonly maxVersion: SecureVersion;
  /** For TLS up to 1.2 as they are listed, and all of TLS 1.3. */
  readonly ciphers: string;
  readonly honorCipherOrder: boolean;
  readonly ecdhCurve: string;
};

/** What the PEM sources hold, read and checked. */
export type TlsMaterial = {
  /** The certificate of the server and those of its chain. */
  readonly certificate: string;
  readonly key: Secret;
  readonly clientAuthorities: string | undefined;
};

/** A web configuration with all that it leads to. */
export type WebSetup = {
  readonly config: WebConfig;
  /** There where TLS is. */
  readonly material: TlsMaterial | undefined;
};
