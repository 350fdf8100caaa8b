import { type Clock, sleep, within } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { UnsuitableFile } from '../base/files.ts';
import type { Log } from '../base/log.ts';
import { NOTHING_KNOWN, type SavedState } from '../model/account.ts';
import { SECOND } from '../model/time.ts';
import { decodeState, encodeState, writerOf } from './codec.ts';
import * as systemFiles from './file.ts';

type StateKeeperOptions = {
  readonly file: string;
  readonly intervalMilliseconds: number;
  /** Access to the disk and to processes. Defaults to the system's. */
  readonly files?: typeof systemFiles;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
};

type LoadedState = {
  readonly state: SavedState;
  /** False if the file was rejected. A missing file is accepted. */
  readonly accepted: boolean;
};

/** Requests to save within this time share one write, in milliseconds. */
const SHARED_MILLISECONDS = SECOND;

/** Maximum duration of a request to save, in milliseconds. */
const SAVE_MILLISECONDS = 8 * SECOND;

/** Saves the state to a file. Never throws; only `load`, `save` and `stop` wait for the disk. */
type StateKeeper = {
  readonly load: () => Promise<LoadedState>;
  /** Saves the result of `current` now, and then every interval. `onSave` gets each save's problem; undefined if none. */
  readonly start: (current: () => SavedState, onSave: (problem: string | undefined) => void) => void;
  /** Saves within a second, together with other requests. Resolves to the error message, or to undefined. */
  readonly save: () => Promise<string | undefined>;
  /** Saves once more, and stops. Never resolves if the disk hangs. */
  readonly stop: () => Promise<void>;
};

export function createStateKeeper(options: StateKeeperOptions): StateKeeper {
  const { file, files = systemFiles, disk, clock, log } = options;
  /** False if the file must not be overwritten. */
  let usable = true;
  let failing = false;
  let current: (() => SavedState) | undefined;
  let reportSave = (_: string | undefined): void => {};
  let cancel = (): void => {};
  /** The last save in the queue. */
  let saving: Promise<unknown> = Promise.resolve();
  let shared: Promise<string | undefined> | undefined;
  const ending = new AbortController();
  const warnOfOthers = createOthersWarning(options);

  /** Saves the state. Returns the error message, or undefined. */
  const saveNow = async (): Promise<string | undefined> => {
    if (!usable || current === undefined) {
      reportSave(REFUSED);
      return REFUSED;
    }
    let problem: string | undefined;
    try {
      const pieces = encodeState(current(), files.thisWriter(), clock.now());
      const write = async (): Promise<void> => {
        await warnOfOthers(false);
        await files.replaceWhole(file, pieces, { maxBytes: files.MAX_STATE_BYTES });
      };
      await disk.use(file, write, WRITE_MILLISECONDS);
      if (failing) log.info({ file }, 'saving the state file works again');
    } catch (error) {
      problem = `cannot write the state file: ${adviceFor(error)}`;
      if (!failing) log.error({ file, error }, problem);
    }
    failing = problem !== undefined;
    reportSave(problem);
    return problem;
  };
  const saveNext = (): Promise<string | undefined> => {
    const next = saving.then(saveNow);
    saving = next;
    return next;
  };
  const saveShared = async (): Promise<string | undefined> => {
    await sleep(clock, SHARED_MILLISECONDS, ending.signal).catch(() => undefined);
    shared = undefined;
    return await saveNext();
  };
  const round = async (): Promise<void> => {
    await saveNext();
    cancel = clock.after(options.intervalMilliseconds, () => void round());
  };

  return {
    load: async () => {
      const outcome = await load(options, () => warnOfOthers(true));
      usable = outcome.usable;
      return { state: outcome.state ?? NOTHING_KNOWN, accepted: outcome.state !== undefined };
    },
    start: (state, onSave) => {
      current = state;
      reportSave = onSave;
      void round();
    },
    save: async () => {
      shared ??= saveShared();
      let problem: string | undefined = TOO_SLOW;
      const saved = shared.then((result) => {
        problem = result;
      });
      await within(clock, SAVE_MILLISECONDS, saved);
      return problem;
    },
    stop: async () => {
      ending.abort();
      await saving;
      cancel();
      await saveNext();
    },
  };
}

const REFUSED = 'the state file was rejected at the start, so it is not overwritten';
const TOO_SLOW = 'the disk is not responding';

/**
 * Returns a function that logs once if another process writes the file too. At the start, the writer only counts if it is
 * still running.
 */
function createOthersWarning({ file, files = systemFiles, log }: StateKeeperOptions) {
  const known = [JSON.stringify(files.thisWriter())];
  return async (isStart: boolean): Promise<void> => {
    const writer = writerOf((await files.readHead(file)) ?? '');
    const text = JSON.stringify(writer);
    if (writer === undefined || known.includes(text)) return;
    known.push(text);
    if (isStart && !files.isRunning(writer)) return;
    const { host, pid } = writer;
    log.error(
      { file, host, pid },
      'another process writes this state file too: give each process its own state.file',
    );
  };
}

type LoadOutcome = {
  readonly usable: boolean;
  /** Undefined if the file was rejected or could not be read. */
  readonly state: SavedState | undefined;
};

const WITHOUT_STATE = 'starting without state and without saving';

/** Time after which writing the file counts as hanging, in milliseconds. 100,000 phones are 50 MB on a slow card. */
const WRITE_MILLISECONDS = 30 * SECOND;

/** Maximum time for which the start waits for the disk, in milliseconds. */
const LOAD_MILLISECONDS = 5_000;

/** @param warnOfOthers is called once the file has been read, and also waits for the disk */
async function load(options: StateKeeperOptions, warnOfOthers: () => Promise<void>): Promise<LoadOutcome> {
  const { file, disk, log } = options;
  const loadAndWarn = async (): Promise<LoadOutcome> => {
    const outcome = await loadNow(options);
    if (outcome.usable) await warnOfOthers();
    return outcome;
  };
  try {
    return await disk.use(file, loadAndWarn, LOAD_MILLISECONDS);
  } catch {
    // The file system hangs.
  }
  const problem = `could not read the state file within ${LOAD_MILLISECONDS / 1000} s`;
  log.error({ file }, `${problem}: ${WITHOUT_STATE}: check the disk, then restart`);
  return { usable: false, state: undefined };
}

async function loadNow({ file, files = systemFiles, clock, log }: StateKeeperOptions): Promise<LoadOutcome> {
  try {
    await files.removeLeftovers(file, clock.now());
    const text = await files.readWhole(file);
    const decoded = text === undefined ? NOTHING_KNOWN : decodeState(text);
    if ('accounts' in decoded) return { usable: true, state: decoded };
    const kept_as = await files.renameAside(file);
    const outcome = 'renamed it and started without state';
    log.error({ file, kept_as }, `the state file is invalid: ${decoded.refusal}: ${outcome}`);
    return { usable: true, state: undefined };
  } catch (error) {
    const advice = 'correct or remove the file, then restart';
    log.error({ file, error }, `cannot read or rename the state file: ${WITHOUT_STATE}: ${advice}`);
    return { usable: false, state: undefined };
  }
}

const FOLDER_NOT_WRITABLE = "permission denied: make its folder writable by the exporter's user";

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full, or has no inodes left (df -i)',
  EDQUOT: 'the disk quota of this user is exceeded',
  EROFS: 'the file system is read-only',
  ENOENT: "its folder does not exist: create it, writable by the exporter's user",
  ENOTDIR: 'its folder is a file, expected a folder',
  EACCES: FOLDER_NOT_WRITABLE,
  EPERM: FOLDER_NOT_WRITABLE,
  EISDIR: 'it is a folder, expected a file',
  EMFILE: 'this process has no file descriptors left',
};

/** Returns what to do about an error in writing a file. */
export function adviceFor(error: unknown): string {
  if (error instanceof UnsuitableFile) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ADVICE[code] ?? 'retrying at the next interval';
}
