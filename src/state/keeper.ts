import { type Clock, within } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Snapshot } from '../model/snapshot.ts';
import * as systemFiles from './file.ts';
import { type AccountState, type DecodedState, decodeState, encodeState } from './format.ts';

type StateKeeperOptions = {
  readonly file: string;
  readonly intervalMilliseconds: number;
  /** Access to the disk; the system's by default. */
  readonly files?: typeof systemFiles;
  readonly clock: Clock;
  readonly log: Log;
};

/** The state to save, with the snapshot that it was made of. */
type SavedState = { readonly snapshot: Snapshot; readonly states: readonly AccountState[] };

/** The state of an earlier process. */
type LoadedState = {
  readonly accounts: readonly AccountState[];
  /** False where there was a file and it was refused; a missing file is no fault. */
  readonly accepted: boolean;
};

/** Saves the state to a file. Never throws; only `load` and `stop` wait for the disk. */
export type StateKeeper = {
  /** Loads the state. Amounts of the balance are taken out of the file, so that no later start compares with them. */
  readonly load: () => Promise<LoadedState>;
  /** Renames the loaded file, because accounts in it are not configured any more. */
  readonly setAside: (unmatched: readonly string[]) => Promise<void>;
  /**
   * Saves the result of `current` now, and then every interval. `isLast` is true for the save of `stop`. `onSave` gets
   * the success of each save.
   */
  readonly start: (current: (isLast: boolean) => SavedState, onSave: (success: boolean) => void) => void;
  /** Saves once more, and ends. Resolves when that is done or failed; never, where the disk hangs. */
  readonly stop: () => Promise<void>;
};

export function createStateKeeper(options: StateKeeperOptions): StateKeeper {
  const { file, files = systemFiles, clock, log } = options;
  /** False for a file that can be neither read nor renamed: it must not be overwritten. */
  let usable = true;
  let failing = false;
  let saved: Snapshot | undefined;
  let current: ((isLast: boolean) => SavedState) | undefined;
  let reportSave = (_: boolean): void => {};
  let cancel = (): void => {};
  let saving: Promise<void> | undefined;

  const save = async (isLast: boolean): Promise<void> => {
    const kept = current?.(isLast);
    if (!usable || kept === undefined || (kept.snapshot === saved && !isLast)) return;
    try {
      await files.replaceWhole(file, encodeState(kept.states, clock.now()));
      saved = kept.snapshot;
      if (failing) log.info({ file }, 'the state file is written again');
      failing = false;
    } catch (error) {
      if (!failing) log.error({ file, error }, `the state file cannot be written: ${adviceFor(error)}`);
      failing = true;
    }
    reportSave(!failing);
  };
  const round = async (): Promise<void> => {
    saving = save(false);
    await saving;
    cancel = clock.after(options.intervalMilliseconds, () => void round());
  };

  return {
    load: async () => {
      const outcome = await load(options);
      usable = outcome.usable;
      return { accounts: outcome.accounts ?? [], accepted: outcome.accounts !== undefined };
    },
    setAside: async (unmatched) => {
      const facts = { file, accounts: unmatched.join(', ') };
      const words = 'the state of accounts that are not configured by this name and address is not used';
      try {
        log.warn({ ...facts, kept_as: await files.renameAside(file, 'unused') }, words);
      } catch (error) {
        log.warn({ ...facts, error }, `${words}, and the file cannot be renamed`);
      }
    },
    start: (state, onSave) => {
      current = state;
      reportSave = onSave;
      void round();
    },
    stop: async () => {
      await saving;
      cancel();
      await save(true);
    },
  };
}

type LoadOutcome = {
  readonly usable: boolean;
  /** Undefined where the file was refused or could not be read. */
  readonly accounts: readonly AccountState[] | undefined;
};

const WITHOUT_STATE = 'starting without state, and nothing is saved until the next start';

/** Maximum time that the start waits for the disk. */
const LOAD_MILLISECONDS = 5_000;

async function load(options: StateKeeperOptions): Promise<LoadOutcome> {
  const { file, clock, log } = options;
  const outcome = loadInTime(options);
  if (await within(clock, LOAD_MILLISECONDS, outcome)) return outcome;
  const problem = `the state file cannot be read within ${LOAD_MILLISECONDS / 1000} s`;
  log.error({ file }, `${problem}: ${WITHOUT_STATE}: check the disk, then restart`);
  return { usable: false, accounts: undefined };
}

async function loadInTime(options: StateKeeperOptions): Promise<LoadOutcome> {
  const { file, files = systemFiles, log } = options;
  try {
    const text = await files.readWhole(file);
    const decoded: DecodedState = text === undefined ? { accounts: [] } : decodeState(text);
    if ('accounts' in decoded)
      return { usable: true, accounts: await removeBalance(options, decoded.accounts) };
    const kept_as = await files.renameAside(file, 'damaged');
    const outcome = 'it was renamed, and the exporter starts without state';
    log.error({ file, kept_as }, `the state file is invalid: ${decoded.refusal}: ${outcome}`);
    return { usable: true, accounts: undefined };
  } catch (error) {
    const advice = 'correct or remove the file, then restart';
    log.error({ file, error }, `the state file cannot be read or renamed: ${WITHOUT_STATE}: ${advice}`);
    return { usable: false, accounts: undefined };
  }
}

/**
 * Takes the amounts of the balance out of the file before anybody uses them: if a later start compared with them again, a
 * movement would count twice. If that is impossible, they are not used.
 */
async function removeBalance(
  { file, files = systemFiles, clock, log }: StateKeeperOptions,
  accounts: readonly AccountState[],
): Promise<readonly AccountState[]> {
  if (accounts.every(({ lastAmounts }) => lastAmounts === undefined)) return accounts;
  const without = accounts.map((account) => ({ ...account, lastAmounts: undefined }));
  try {
    await files
      .replaceWhole(file, encodeState(without, clock.now()))
      // On a full disk, a file can still be removed.
      .catch(() => files.remove(file));
    return accounts;
  } catch (error) {
    log.warn({ file, error }, 'the state file cannot be changed: the balance in it is ignored');
    return without;
  }
}

const FOLDER_NOT_WRITABLE = 'permission denied: make its folder writable by the user of the exporter';

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is exceeded',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such folder: create it, writable by the user of the exporter',
  ENOTDIR: 'its folder is a file, expected a folder',
  EACCES: FOLDER_NOT_WRITABLE,
  EPERM: FOLDER_NOT_WRITABLE,
  EISDIR: 'it is a folder, expected a file',
  EMFILE: 'this process has no file descriptor left',
};

function adviceFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ADVICE[code] ?? 'it is tried again at the next interval';
}
