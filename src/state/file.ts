import { lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readRegularFile } from '../files.ts';

/** Maximum size of a state file, enough for two million devices. */
const MAX_STATE_BYTES = 256 * 1024 * 1024;

/** Maximum number of renamed files with one suffix beside the state file. */
const MAX_ASIDE = 99;

/**
 * Reads the text of a file; undefined where there is none.
 *
 * @throws the error of the system, or an Error if it is no regular file or too large to be ours
 */
export async function readWhole(path: string): Promise<string | undefined> {
  try {
    return await readRegularFile(path, MAX_STATE_BYTES);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces a file by other text, whole or not at all, even if the power fails: the text is on the disk before it takes the
 * name. Only this user may read it. A symbolic link stays one. The event loop gets a turn between two pieces.
 *
 * @throws the error of the system; the file is then as it was
 */
export async function replaceWhole(path: string, pieces: Iterable<string>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.tmp`;
  // Exclusive, so that a link in its place is not followed. The file of an earlier process is removed first.
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      for (const piece of pieces) await handle.writeFile(piece);
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

/** Makes the new name survive a power failure too, where the system lets a folder be synchronised. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Some file systems can't; the file itself is whole in any case.
  }
}

/**
 * Renames a file to `.damaged-1`, or another suffix and the next free number, and returns the new name.
 *
 * @throws the error of the system, or an Error if there are too many already
 */
export async function renameAside(path: string, suffix: 'damaged' | 'unused'): Promise<string> {
  for (let number = 1; number <= MAX_ASIDE; number++) {
    const aside = `${path}.${suffix}-${number}`;
    if (await isThere(aside)) continue;
    await rename(path, aside);
    return aside;
  }
  throw new Error(`${MAX_ASIDE} ${suffix} files (.${suffix}-N) exist already: remove them`);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Removes a file. */
export async function remove(path: string): Promise<void> {
  await rm(path);
}
