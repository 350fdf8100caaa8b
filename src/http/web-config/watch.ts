import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readErrorText, readRegularFileSync } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { ConfigError } from '../../config/messages.ts';
import { type LoadedWebConfig, loadWebConfig, type WebConfig } from './parse.ts';

/** The web configuration file with the files that it names, as they were read. */
type State = {
  /** Undefined if it can't be used. */
  readonly setup: LoadedWebConfig | undefined;
  readonly problems: readonly string[];
  /** By path, taken before the file was read. */
  readonly stamps: ReadonlyMap<string, string>;
};

const INVALID =
  'the web configuration is invalid: requests get status 500 and TLS handshakes fail until the file is corrected';

/**
 * Reads a web configuration file. `current` returns the present configuration: the same object until a file changes, and
 * undefined while it can't be used. It costs a `stat` of each file; files are read only after a change.
 *
 * @throws ConfigError if the file can't be used
 */
export function watchWebConfig(path: string, log: Log) {
  let state = readState(path, undefined);
  if (state.setup === undefined) throw new ConfigError(state.problems);
  const initial = state.setup;
  let lastGood = initial.config;
  /** Logs each set of problems once, and the end of the problems once. */
  const logChange = (before: readonly string[], { setup, problems }: State): void => {
    if (setup === undefined) {
      if (!isDeepStrictEqual(problems, before)) log.error({ problems }, INVALID);
      return;
    }
    const isMended = before.length > 0;
    log.info({ path }, isMended ? 'the web configuration is valid again' : 'the web configuration changed');
    if (initial.config.tls === undefined && setup.config.tls !== undefined)
      log.warn({ path }, 'a restart is needed to switch TLS on');
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

/** @param before the configuration that was valid last, whose protections must still be there */
function readState(path: string, before: WebConfig | undefined): State {
  const stamps = new Map<string, string>();
  const read = (each: string): string => {
    stamps.set(each, stampOf(each));
    return readRegularFileSync(each);
  };
  try {
    const setup = loadWebConfig(path, read);
    const gone = before === undefined ? [] : withdrawnProtections(before, setup.config);
    const advice = 'got none, expected one as before: restart the exporter to remove this protection';
    if (gone.length > 0) throw new ConfigError(gone.map((name) => `${path}: ${name}: ${advice}`));
    return { setup, problems: [], stamps };
  } catch (error) {
    if (error instanceof ConfigError) return { setup: undefined, problems: error.problems, stamps };
    // A bug must neither let everybody in nor end the process.
    const name = error instanceof Error ? error.name : typeof error;
    const problem = `unexpected error while the file was parsed (${name}): this is a bug`;
    return { setup: undefined, problems: [problem], stamps };
  }
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
