import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readErrorText, readRegularFileSync } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { ConfigError } from '../../config/messages.ts';
import { type LoadedWebConfig, loadWebConfig, type WebConfig } from './parse.ts';

/** A web configuration file that is read again when it changes. */
type WatchedWebConfig = {
  /** The configuration at the start. */
  readonly initial: LoadedWebConfig;
  /**
   * Returns the present configuration, the same object until a file changes; undefined while it can't be used. Costs a
   * `stat` of each file; files are read only after a change.
   */
  readonly current: () => LoadedWebConfig | undefined;
};

/** The file system. */
type WatchedFiles = {
  /** Returns a text that differs after a change of the file; never throws. */
  readonly stamp: (path: string) => string;
  /** Throws Node's error. */
  readonly read: (path: string) => string;
};

export const systemFiles: WatchedFiles = {
  stamp: (path) => {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
      return [dev, ino, size, mtimeNs, ctimeNs].join();
    } catch (error) {
      return readErrorText(error);
    }
  },
  read: (path) => readRegularFileSync(path),
};

/** @throws ConfigError if the file can't be used */
export function watchWebConfig(path: string, files: WatchedFiles, log: Log): WatchedWebConfig {
  let state = readState(path, files);
  if (state.setup === undefined) throw new ConfigError(state.problems);
  const initial = state.setup;
  let lastGood = initial;
  return {
    initial,
    current: () => {
      const isSame = Array.from(state.stamps).every(([each, stamp]) => files.stamp(each) === stamp);
      if (isSame) return state.setup;
      const { problems } = state;
      state = refuseWithdrawal(readState(path, files), lastGood.config, path);
      logChange(log, path, problems, state, initial.config);
      lastGood = state.setup ?? lastGood;
      return state.setup;
    },
  };
}

/** The web configuration file with the files that it names, as they were read. */
type WatchState = {
  /** Undefined if it can't be used. */
  readonly setup: LoadedWebConfig | undefined;
  readonly problems: readonly string[];
  /** By path, taken before the file was read. */
  readonly stamps: ReadonlyMap<string, string>;
};

function readState(path: string, files: WatchedFiles): WatchState {
  const stamps = new Map<string, string>();
  const read = (each: string): string => {
    stamps.set(each, files.stamp(each));
    return files.read(each);
  };
  try {
    return { setup: loadWebConfig(path, read), problems: [], stamps };
  } catch (error) {
    if (error instanceof ConfigError) return { setup: undefined, problems: error.problems, stamps };
    // A bug must neither let everybody in nor end the process.
    const name = error instanceof Error ? error.name : typeof error;
    const problem = `unexpected error while the file was parsed (${name}): this is a bug`;
    return { setup: undefined, problems: [problem], stamps };
  }
}

/** Refuses a file without a protection that is active. */
function refuseWithdrawal(next: WatchState, before: WebConfig, path: string): WatchState {
  const gone = next.setup === undefined ? [] : withdrawnProtections(before, next.setup.config);
  if (gone.length === 0) return next;
  const problems = gone.map(
    (name) =>
      `${path}: ${name}: got none, expected one as before: restart the exporter to remove this protection`,
  );
  return { ...next, setup: undefined, problems };
}

/**
 * Lists the protections that the next configuration lacks, by the names of their settings. A file that is being written or
 * was cut off by a full disk is a valid shorter one, so a protection can be changed but not left out.
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

const INVALID =
  'the web configuration is invalid: requests get status 500 and TLS handshakes fail until the file is corrected';

/** Logs each set of problems once, and the end of the problems once. */
function logChange(
  log: Log,
  path: string,
  before: readonly string[],
  { setup, problems }: WatchState,
  initial: WebConfig,
): void {
  if (setup === undefined) {
    if (isDeepStrictEqual(problems, before)) return;
    log.error({ problems }, INVALID);
    return;
  }
  log.info(
    { path },
    before.length > 0 ? 'the web configuration is valid again' : 'the web configuration changed',
  );
  if (initial.tls === undefined && setup.config.tls !== undefined) {
    log.warn({ path }, 'a restart is needed to switch TLS on');
  }
}
