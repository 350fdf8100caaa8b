import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readErrorText, readRegularFileSync } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { ConfigError } from '../../config/messages.ts';
import { type LoadedWebConfig, loadWebConfig, type WebConfig } from './parse.ts';

/** The web configuration file and the files it refers to, as last read. */
type State = {
  /** Undefined if it is invalid. */
  readonly setup: LoadedWebConfig | undefined;
  readonly problems: readonly string[];
  /** Stamps by path, from before the file was read. */
  readonly stamps: ReadonlyMap<string, string>;
};

const INVALID =
  'the web configuration is invalid: requests get status 500, and TLS handshakes fail, until you correct the file';

/**
 * Watches a web configuration file. `current` returns the present configuration: the same object until a file changes, and
 * undefined while it is invalid. It costs a `stat` of each file.
 *
 * @throws ConfigError if the file is invalid
 */
export function watchWebConfig(path: string, log: Log) {
  let state = readState(path, undefined);
  if (state.setup === undefined) throw new ConfigError(state.problems);
  const initial = state.setup;
  let lastGood = initial.config;
  /** Logs each set of problems once, and their end. */
  const logChange = (before: readonly string[], { setup, problems }: State): void => {
    if (setup === undefined) {
      if (!isDeepStrictEqual(problems, before)) log.error({ problems }, INVALID);
      return;
    }
    const isMended = before.length > 0;
    log.info({ path }, isMended ? 'the web configuration is valid again' : 'the web configuration changed');
    if (initial.config.tls === undefined && setup.config.tls !== undefined)
      log.warn({ path }, 'restart the exporter to enable TLS');
  };
  return {
    initial,
    current: (): LoadedWebConfig | undefined => {
      const isSame = Array.from(state.stamps).every(([each, stamp]) => stampOf(each) === stamp);
      if (isSame) return state.setup;
      const { problems } = state;
      state = readState(path, lastGood);
      logChange(problems, state);
      lastGood = state.setup?.config ?? lastGood;
      return state.setup;
    },
  };
}

/** Returns a text that differs after a change of the file. */
function stampOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch (error) {
    return readErrorText(error);
  }
}

/** @param before the last valid configuration, whose protections must remain */
function readState(path: string, before: WebConfig | undefined): State {
  const stamps = new Map<string, string>();
  const read = (each: string): string => {
    stamps.set(each, stampOf(each));
    return readRegularFileSync(each);
  };
  try {
    const setup = loadWebConfig(path, read);
    const gone = before === undefined ? [] : withdrawnProtections(before, setup.config);
    const advice = 'missing: restore it, or restart the exporter to remove this protection';
    if (gone.length > 0) throw new ConfigError(gone.map((name) => `${path}: ${name}: ${advice}`));
    return { setup, problems: [], stamps };
  } catch (error) {
    if (error instanceof ConfigError) return { setup: undefined, problems: error.problems, stamps };
    // A bug must neither grant access nor end the process.
    const name = error instanceof Error ? error.name : typeof error;
    const problem = `unexpected error while the file was parsed (${name}): this is a bug`;
    return { setup: undefined, problems: [problem], stamps };
  }
}

/**
 * Lists the protections that are missing from the next configuration, by setting. A file that is being written, or was cut off
 * by a full disk, may be valid, so protections can be changed but not removed.
 */
export function withdrawnProtections(before: WebConfig, after: WebConfig): readonly string[] {
  const requestsCertificate = ({ tls }: WebConfig): boolean =>
    tls !== undefined && tls.clientAuthentication !== 'ignore';
  const names: string[] = [];
  if (before.tls !== undefined && after.tls === undefined) names.push('tls_server_config');
  if (after.tls !== undefined && requestsCertificate(before) && !requestsCertificate(after)) {
    names.push('tls_server_config.client_auth_type');
  }
  if (before.users.size > 0 && after.users.size === 0) names.push('basic_auth_users');
  return names;
}
