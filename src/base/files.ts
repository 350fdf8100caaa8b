import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname } from 'node:path';

/** Maximum size of a file that people write, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A file that is not read. The message says what was found, what was expected, and what to do. */
export class UnsuitableFile extends Error {
  override readonly name = 'UnsuitableFile';
}

/**
 * Reads a text file. Only regular files are read, because a pipe or a device may never end.
 *
 * @throws Node's error, or an Error if the file is not a regular one or is larger than `maxBytes`
 */
export async function readRegularFile(path: string, maxBytes = MAX_BYTES): Promise<string> {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    refuseIrregular(await handle.stat());
    const chunks: Buffer[] = [];
    for await (const chunk of handle.createReadStream({ end: maxBytes, autoClose: false }))
      chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    refuseLarge(bytes.length, maxBytes);
    return bytes.toString();
  } finally {
    await handle.close();
  }
}

/** Reads a text file as {@link readRegularFile} does; undefined if there is none. */
export async function readOptional(path: string, maxBytes?: number): Promise<string | undefined> {
  return await readRegularFile(path, maxBytes).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

/** Reports whether an error means that the file does not exist. */
export function isMissing(error: unknown): boolean {
  return readErrorText(error) === 'ENOENT';
}

function refuseIrregular(found: Stats): void {
  if (found.isFile() || found.isDirectory()) return;
  throw new UnsuitableFile(
    `${kindOf(found)}, expected a regular file: write the text to a file, and name that one`,
  );
}

function refuseLarge(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new UnsuitableFile(`more than ${maxBytes} bytes, the maximum: name another file`);
}

function kindOf(found: Stats): string {
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/** Says in a few words why a file could not be read. */
export function readErrorText(error: unknown): string {
  if (error instanceof UnsuitableFile) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
}

/** Says why a file could not be read, and what to do: `missing` if it does not exist. */
export function readProblem(error: unknown, missing = 'create it, or name another one'): string {
  const code = readErrorText(error);
  switch (code) {
    case 'ENOENT':
      return `no such file: ${missing}`;
    case 'EACCES':
      return permissionAdvice();
    case 'EISDIR':
      return 'a folder, expected a file';
    default:
      return `cannot be read (${code})`;
  }
}

export function permissionAdvice(): string {
  return `permission denied for the user ${userName()}: make the file and its folder readable by this user`;
}

/** Returns the home folder of this process's user; undefined if there is none, as in a container. */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** Returns the name of this process's user, or the number if it has no name, as in a container. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/**
 * Tests whether every user of the machine may read a file, by its mode and its folder's. False on Windows, and for another
 * user's file that this user reads like everyone else, as in a container.
 */
export async function isReadableByAll(path: string, user = process.getuid?.()): Promise<boolean> {
  if (user === undefined) return false;
  const [file, folder] = await Promise.all([stat(path), stat(dirname(path))]);
  if (user !== 0 && user !== file.uid) return false;
  return (file.mode & constants.S_IROTH) !== 0 && (folder.mode & constants.S_IXOTH) !== 0;
}

/** The files' texts as last read, for functions that cannot wait. */
export type FileCache = {
  /** Returns the text of a file that was read; throws the error if reading it failed. */
  readonly text: (path: string) => string;
  /** Reads the files, skipping those that are undefined. Never rejects. */
  readonly refresh: (...paths: readonly (string | undefined)[]) => Promise<void>;
};

export function createFileCache(read: (path: string) => Promise<string>): FileCache {
  const contents = new Map<string, string | Error>();
  return {
    text: (path) => {
      const content = contents.get(path) ?? new Error('not read yet');
      if (typeof content === 'string') return content;
      throw content;
    },
    refresh: async (...paths) => {
      const present = new Set(paths.filter((path) => path !== undefined));
      await Promise.all(
        Array.from(present, async (path) => {
          const content = await read(path).catch((error: unknown) =>
            error instanceof Error ? error : new Error('unreadable'),
          );
          contents.set(path, content);
        }),
      );
    },
  };
}
