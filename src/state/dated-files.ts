import { access, constants, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { isMissing, readErrorText, readOptional, UnsuitableFile } from '../base/files.ts';
import type { Log } from '../base/log.ts';
import { DAY, SECOND } from '../model/time.ts';
import { removeLeftovers, replaceWhole } from './file.ts';
import { adviceFor } from './keeper.ts';

/* Folders with a file per local day or month, such as `2026-11-24.jsonl` or `2026-11.jsonl`. */

const NAMES = { day: /^(\d{4}-\d\d-\d\d)\.jsonl$/, month: /^(\d{4}-\d\d)\.jsonl$/ } as const;

/** Maximum size of a file, in bytes: a day of more than a million phones. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Time after which writing counts as hanging, in milliseconds. */
const WRITE_MILLISECONDS = 30 * SECOND;

/** A folder of dated files. Functions reject with the system's error, or with a HangingFile. */
export type DatedFiles = {
  readonly pathOf: (date: string) => string;
  /** Lists the dates that have a file, in order; none if the folder does not exist. */
  readonly dates: () => Promise<readonly string[]>;
  /** Reads the text of a file; undefined if it does not exist. */
  readonly read: (date: string) => Promise<string | undefined>;
};

/** Opens a folder for reading. */
export function datedFiles(directory: string, each: keyof typeof NAMES, disk: Disk): DatedFiles {
  const pathOf = (date: string): string => join(directory, `${date}.jsonl`);
  return {
    pathOf,
    dates: async () => await disk.use(directory, () => list(directory, each)),
    read: async (date) => await disk.use(directory, () => readOptional(pathOf(date), MAX_BYTES)),
  };
}

/** A folder for reading and writing. After each write, the oldest months are removed. */
type DatedWriter = DatedFiles & {
  /** Appends text to a file, and waits until it is on the disk. */
  readonly append: (date: string, text: string) => Promise<void>;
  /** Replaces a file atomically. */
  readonly replace: (date: string, pieces: Iterable<string>) => Promise<void>;
  /**
   * Runs some writes, and checks that the folder is writable. Never rejects: logs the first failure, and the first success
   * after it. Resolves to true on success.
   */
  readonly attempt: (writes: () => Promise<void>) => Promise<boolean>;
};

type WriterOptions = {
  readonly directory: string;
  readonly each: keyof typeof NAMES;
  /** Names the files in the log, such as `month files`. */
  readonly what: string;
  /** Number of months to keep. Files of future months, written when a clock was wrong, stay and do not count. */
  readonly keep: number;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after each attempt with a sentence about what is wrong; undefined if nothing is. */
  readonly onAttempt: (problem: string | undefined) => void;
};

/** Opens a folder for writing. The first attempt creates it. */
export function datedWriter(options: WriterOptions): DatedWriter {
  const { directory, each, what, keep, disk, clock, log, onAttempt } = options;
  const files = datedFiles(directory, each, disk);
  let isFailing = false;
  let wasThere = false;
  /** Creates the folder once, in an existing one. If it vanishes later, its volume is no longer mounted. */
  const openFolder = async (): Promise<void> => {
    if (!wasThere)
      await mkdir(directory).catch((error: unknown) => {
        if (!isThere(error)) throw error;
      });
    // With the dot, it is an error if a file has taken its place.
    await access(join(directory, '.'), constants.W_OK | constants.X_OK).catch((error: unknown) => {
      throw wasThere && isMissing(error) ? new UnsuitableFile(GONE) : error;
    });
    wasThere = true;
  };
  const write = async (date: string, writeFile: (path: string) => Promise<void>): Promise<void> => {
    const writeAndRemove = async (): Promise<void> => {
      await openFolder();
      await writeFile(files.pathOf(date));
      const dates = await list(directory, each);
      // Neither the API's clock nor ours removes a file on its own.
      const present = monthOf(new Date(clock.now() + DAY).toISOString());
      const months = [...new Set(dates.map(monthOf))].filter(
        (month) => month <= monthOf(date) && month <= present,
      );
      const removed = new Set(months.slice(0, -keep));
      for (const old of dates) if (removed.has(monthOf(old))) await rm(files.pathOf(old), { force: true });
    };
    await disk.use(directory, writeAndRemove, WRITE_MILLISECONDS);
  };
  return {
    ...files,
    append: (date, text) => write(date, (path) => appendWhole(path, text)),
    replace: (date, pieces) =>
      write(date, async (path) => {
        await removeLeftovers(path, clock.now());
        await replaceWhole(path, pieces, { isShared: true });
      }),
    attempt: async (writes) => {
      try {
        await writes();
        await disk.use(directory, openFolder);
        if (isFailing) log.info({ directory }, `writing the ${what} works again`);
        isFailing = false;
        onAttempt(undefined);
      } catch (error) {
        const problem = `the ${what} cannot be written: ${adviceFor(error)}`;
        if (!isFailing) log.error({ directory, error }, problem);
        isFailing = true;
        onAttempt(`${problem} (${directory})`);
      }
      return !isFailing;
    },
  };
}

const GONE = "its folder has gone: mount its volume, or create the folder, writable by the exporter's user";

const isThere = (error: unknown): boolean => readErrorText(error) === 'EEXIST';

const monthOf = (date: string): string => date.slice(0, 7);

async function list(directory: string, each: keyof typeof NAMES): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.flatMap((name) => NAMES[each].exec(name)?.[1] ?? []).toSorted();
}

async function appendWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'a', 0o640);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}
