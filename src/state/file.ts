import { constants, readFileSync } from 'node:fs';
import { lstat, open, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isMissing, readOptional, UnsuitableFile } from '../base/files.ts';
import { HOUR } from '../model/time.ts';

/** Maximum size of a state file: about 400,000 devices. */
export const MAX_STATE_BYTES = 256 * 1024 * 1024;

/** Maximum number of damaged files that are kept under new names. */
const MAX_ASIDE = 99;

/** Maximum number of symbolic links to follow, as in Linux. */
const MAX_LINKS = 40;

/** Number of bytes that {@link readHead} reads. */
const HEAD_BYTES = 1_024;

/** The process that wrote a file. */
export type Writer = { readonly host: string; readonly pid: number; readonly program: string };

export function thisWriter(): Writer {
  return { host: hostname(), pid: process.pid, program: process.argv[1] ?? '' };
}

/** Reports whether a writer is another process of this program that is running on this machine. */
export function isRunning({ host, pid, program }: Writer): boolean {
  if (host !== hostname() || pid === process.pid || pid === 0) return false;
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(program);
  } catch {
    return false;
  }
}

/**
 * Reads the text of a file; undefined if it does not exist.
 *
 * @throws the system's error, or an Error if it is not a regular file or too large
 */
export async function readWhole(path: string): Promise<string | undefined> {
  return await readOptional(path, MAX_STATE_BYTES);
}

/** Reads the start of a file; undefined if it cannot be read. Never rejects. */
export async function readHead(path: string): Promise<string | undefined> {
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES)).finally(() => handle.close());
    return buffer.subarray(0, bytesRead).toString();
  } catch {
    return undefined;
  }
}

type ReplaceOptions = {
  /** Maximum size of the file; no limit by default. */
  readonly maxBytes?: number;
  /** Keeps the permissions of the file, and lets the group read a new one; by default only this user may read it. */
  readonly isShared?: true;
};

/**
 * Replaces the text of a file atomically, even if the power fails. A symbolic link stays a link. Yields to the event loop
 * between pieces.
 *
 * @throws an UnsuitableFile if the text is too long, or the system's error; the file is then unchanged
 */
export async function replaceWhole(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  { maxBytes = Number.POSITIVE_INFINITY, isShared }: ReplaceOptions = {},
): Promise<void> {
  const target = await targetOf(path);
  const { host, pid } = thisWriter();
  // A name that only this process uses, since two may write at the same time.
  const temporary = `${target}${TEMPORARY}${host}-${pid}`;
  // Opened with `wx`, so that no link is followed.
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx', isShared ? 0o640 : 0o600);
  try {
    try {
      const before = isShared && (await stat(target).catch(() => undefined));
      if (before) await handle.chmod(before.mode & 0o777);
      let length = 0;
      for await (const piece of pieces) {
        length += Buffer.byteLength(piece);
        if (length > maxBytes) throw new UnsuitableFile(`it would have more than ${maxBytes} bytes`);
        await handle.writeFile(piece);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(target));
}

const TEMPORARY = '.tmp-';

/** Follows symbolic links to a file, which need not exist. */
async function targetOf(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const link = await readlink(target).catch(() => undefined);
    if (link === undefined) return target;
    target = resolve(dirname(target), link);
  }
  return target;
}

/** Age of abandoned temporary files, in milliseconds. */
const LEFTOVER_MILLISECONDS = HOUR;

/** Removes temporary files of processes that were killed while writing. Never rejects. */
export async function removeLeftovers(path: string, now: number): Promise<void> {
  try {
    const target = await targetOf(path);
    const folder = dirname(target);
    for (const name of await readdir(folder)) {
      if (!name.startsWith(`${basename(target)}${TEMPORARY}`)) continue;
      const leftover = join(folder, name);
      if (now - (await stat(leftover)).mtimeMs > LEFTOVER_MILLISECONDS) await rm(leftover, { force: true });
    }
  } catch {
    // A leftover only takes disk space.
  }
}

/** Makes a rename survive a power failure, if the file system can synchronise folders. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Some file systems can't. The file itself is complete in any case.
  }
}

/**
 * Renames a damaged file to `.damaged-1`, or the next free number. Returns the new name.
 *
 * @throws the system's error, or an Error if there are too many
 */
export async function renameAside(path: string): Promise<string> {
  for (let number = 1; number <= MAX_ASIDE; number++) {
    const aside = `${path}.damaged-${number}`;
    if (await isThere(aside)) continue;
    await rename(path, aside);
    return aside;
  }
  throw new Error(`there are already ${MAX_ASIDE} damaged files (.damaged-N): remove them`);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
