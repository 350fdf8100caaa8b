import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Disk, HangingFile } from '../../base/disk.ts';
import { createFileCache, readErrorText, readRegularFile } from '../../base/files.ts';
import type { Log } from '../../base/log.ts';
import { ConfigError } from '../../config/messages.ts';
import { shareRuns } from '../reply.ts';
import { type LoadedWebConfig, readWebConfig } from './parse.ts';

/** The web configuration file and the files it refers to, as last read. */
type State = {
  /** Undefined if it is invalid. */
  readonly setup: LoadedWebConfig | undefined;
  readonly problems: readonly string[];
  /** Stamps by path, taken before the files were read. */
  readonly stamps: ReadonlyMap<string, string>;
};

const INVALID =
  'the web configuration is invalid: requests get status 500, and TLS handshakes fail, until you correct the file';

type WatchOptions = { readonly disk: Disk; readonly log: Log };

type WatchedWebConfig = {
  readonly initial: LoadedWebConfig;
  /** Returns the current configuration: the same object until a file changes, and undefined while it is invalid. */
  readonly current: () => LoadedWebConfig | undefined;
  /** Checks each file for changes (`stat`). If a file system hangs, the last configuration stays. Never rejects. */
  readonly look: () => Promise<void>;
};

/**
 * Watches a web configuration file.
 *
 * @throws ConfigError if the file is invalid
 */
export async function watchWebConfig(path: string, options: WatchOptions): Promise<WatchedWebConfig> {
  const { log } = options;
  const first = await readState(path, options);
  if (first?.setup === undefined)
    throw new ConfigError(first?.problems ?? [`${path}: the file system does not respond`]);
  let state = first;
  const initial = first.setup;
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
  const look = async (): Promise<void> => {
    for (const [each, stamp] of state.stamps) {
      const now = await stampOf(each, options.disk);
      if (now === undefined) return;
      if (now === stamp) continue;
      const next = await readState(path, options);
      if (next === undefined) return;
      logChange(state.problems, next);
      state = next;
      return;
    }
  };
  return { initial, current: () => state.setup, look: shareRuns(look) };
}

/** Returns text that changes when the file does; undefined if the file system hangs. */
async function stampOf(path: string, disk: Disk): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await disk.use(path, () => stat(path, { bigint: true }));
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch (error) {
    return error instanceof HangingFile ? undefined : readErrorText(error);
  }
}

/** Reads the files; undefined if a file system hangs. */
async function readState(path: string, { disk }: WatchOptions): Promise<State | undefined> {
  const stamps = new Map<string, string>();
  let hangs = false;
  const files = createFileCache(async (each) => {
    const stamp = await stampOf(each, disk);
    hangs ||= stamp === undefined;
    stamps.set(each, stamp ?? '');
    return await disk.use(each, () => readRegularFile(each));
  });
  const stateOf = (setup: LoadedWebConfig | undefined, problems: readonly string[]): State | undefined =>
    hangs ? undefined : { setup, problems, stamps };
  try {
    return stateOf(await readWebConfig(path, files), []);
  } catch (error) {
    if (error instanceof ConfigError) return stateOf(undefined, error.problems);
    // A bug must neither let everyone in nor end the process.
    const name = error instanceof Error ? error.name : typeof error;
    return stateOf(undefined, [`unexpected error while the file was parsed (${name}): this is a bug`]);
  }
}
