import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../../config/messages.ts';
import { readRegularFile } from '../../files.ts';
import type { Log } from '../../log.ts';
import { filesOf, type LoadedWebConfig, loadWebConfig, parseWebConfig, type WebConfig } from './parse.ts';

/** A web configuration file that is read again when it changes. */
type WatchedWebConfig = {
  /** The configuration at the start. */
  readonly initial: LoadedWebConfig;
  /**
   * Returns the present configuration, the same object while it is the same; undefined while the file can't be used. Costs
   * a `stat` of each file; files are read only after a change.
   */
  readonly current: () => Promise<LoadedWebConfig | undefined>;
};

/** The file system. */
type WatchedFiles = {
  /** Never rejects: a missing file has a stamp too. */
  readonly stamp: (path: string) => Promise<FileStamp>;
  /** Rejects with Node's error. */
  readonly read: (path: string) => Promise<string>;
};

/** Differs after a change of a file. */
type FileStamp = {
  readonly text: string;
  /** Milliseconds since 1970; undefined if `stat` failed. */
  readonly changedAt: number | undefined;
};

export const systemFiles: WatchedFiles = {
  stamp: async (path) => {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = await stat(path, { bigint: true });
      return {
        text: [dev, ino, size, mtimeNs, ctimeNs].join(),
        changedAt: Math.max(Number(mtimeMs), Number(ctimeMs)),
      };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      return { text: code, changedAt: undefined };
    }
  },
  read: (path) => readRegularFile(path),
};

/**
 * @param now milliseconds since 1970
 * @throws ConfigError if the file can't be used
 */
export async function watchWebConfig(
  path: string,
  files: WatchedFiles,
  now: () => number,
  log: Log,
): Promise<WatchedWebConfig> {
  let state = await readState(path, files, now());
  if (state.setup === undefined) throw new ConfigError(state.problems);
  const initial = state.setup;
  let lastGood = initial;
  let refreshing: Promise<LoadedWebConfig | undefined> | undefined;

  const refresh = async (): Promise<LoadedWebConfig | undefined> => {
    const stamps = await Promise.all(state.paths.map(async (each) => (await files.stamp(each)).text));
    if (state.isSettled && isDeepStrictEqual(stamps, state.stamps)) return state.setup;
    const next = await readState(path, files, now());
    const { digest, setup, problems } = state;
    if (next.digest === digest) {
      state = { ...next, setup, problems };
      return setup;
    }
    state = refuseWithdrawal(next, lastGood.config, path);
    logChange(log, path, problems, state, initial.config);
    lastGood = state.setup ?? lastGood;
    return state.setup;
  };
  return {
    initial,
    current: () => {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      return refreshing;
    },
  };
}

/** The content of the web configuration file and of the files that it names. */
type WatchState = {
  /** Undefined if it can't be used. */
  readonly setup: LoadedWebConfig | undefined;
  readonly problems: readonly string[];
  readonly paths: readonly string[];
  /** Stamps of all paths, taken before the files were read. */
  readonly stamps: readonly string[];
  /** Of all contents; the contents themselves are secret. */
  readonly digest: string;
  /** False while the last change is so recent that another one may leave the same stamp. */
  readonly isSettled: boolean;
};

/** The coarsest resolution of file times. */
const FILE_TIME_RESOLUTION = 2_000;

async function readState(path: string, files: WatchedFiles, now: number): Promise<WatchState> {
  const stamps = new Map<string, FileStamp>();
  const contents = new Map<string, string | Error>();
  const fetch = async (each: string): Promise<void> => {
    stamps.set(each, await files.stamp(each));
    contents.set(each, await files.read(each).catch(asError));
  };
  const read = (each: string): string => {
    const content = contents.get(each) ?? new Error('not read');
    if (typeof content === 'string') return content;
    throw content;
  };
  await fetch(path);
  const { value: named = [] } = attempt(() => filesOf(parseWebConfig(read(path), path)));
  await Promise.all(named.map(fetch));
  const { value: setup, problems } = attempt(() => loadWebConfig(path, read));
  return {
    setup,
    problems,
    paths: [...stamps.keys()],
    stamps: Array.from(stamps.values(), ({ text }) => text),
    digest: digestOf([...contents]),
    isSettled: [...stamps.values()].every(
      ({ changedAt }) => changedAt !== undefined && Math.abs(now - changedAt) > FILE_TIME_RESOLUTION,
    ),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('unreadable');
}

function digestOf(contents: readonly (readonly [path: string, content: string | Error])[]): string {
  // Sorted, because the files are read at the same time and end in any order.
  const texts = contents.map(([path, content]) => [path, String(content)]).sort();
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}

function attempt<Value>(act: () => Value): {
  readonly value: Value | undefined;
  readonly problems: readonly string[];
} {
  try {
    return { value: act(), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { value: undefined, problems: error.problems };
    // A bug must neither let everybody in nor end the process.
    const name = error instanceof Error ? error.name : typeof error;
    return {
      value: undefined,
      problems: [`unexpected error while the file was parsed (${name}): this is a bug`],
    };
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
  if (before.tls?.clientAllowedSans !== undefined && after.tls && !after.tls.clientAllowedSans) {
    names.push('tls_server_config.client_allowed_sans');
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
  const settings = changedFixedSettings(initial, setup.config);
  if (settings.length > 0) {
    log.warn({ settings }, 'some settings of the web configuration change only with a restart');
  }
}

function changedFixedSettings(initial: WebConfig, now: WebConfig): readonly string[] {
  return [
    ...((initial.tls === undefined) === (now.tls === undefined) ? [] : ['tls_server_config']),
    ...(isDeepStrictEqual(initial.rateLimit, now.rateLimit) ? [] : ['rate_limit']),
  ];
}
