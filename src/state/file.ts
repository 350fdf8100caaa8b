import { lstat, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Two million phones fit; what is larger was not written by us. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Refused files that may lie beside the state file; more of them are a fault that more files won't mend. */
const MOST_ASIDE = 99;

/**
 * The text of a file; undefined where there is none.
 *
 * @throws the error of the system, an Error if it is a folder or a pipe, or a RangeError if it is too large to be ours
 */
export async function readWhole(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    // Reading a pipe would wait for somebody to write into it.
    if (!found.isFile()) throw new Error('it is no regular file');
    const { size } = found;
    if (size > MOST_BYTES) throw new RangeError(`it holds ${size} bytes, expected at most ${MOST_BYTES}`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces a file by other text, whole or not at all, even if the power fails: the text is on the disk before it takes
 * the name. Only this user may read it. Between two pieces, the event loop has its turn.
 *
 * @throws the error of the system; the file is then as it was
 */
export async function replaceWhole(path: string, pieces: Iterable<string>): Promise<void> {
  const temporary = `${path}.tmp`;
  // Exclusive, so that no link that somebody laid there is followed; what an earlier process left is in the way.
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      for (const piece of pieces) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The new name outlives a power failure too, where the system lets a folder be synchronised. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Some file systems can't; the file itself is whole in any case.
  }
}

/**
 * Gives a file another name beside its own, `.damaged-1` or the next that is free, and returns it.
 *
 * @throws the error of the system, or an Error if too many lie there already
 */
export async function keepAside(path: string): Promise<string> {
  for (let number = 1; number <= MOST_ASIDE; number++) {
    const aside = `${path}.damaged-${number}`;
    if (await isThere(aside)) continue;
    await rename(path, aside);
    return aside;
  }
  throw new Error(`${MOST_ASIDE} refused files lie beside it already: look at them, and remove them`);
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
