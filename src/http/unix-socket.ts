import { lstat, rename, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { dirname, join } from 'node:path';

/** A Unix socket that we cannot listen on. The message says why, and what to do. */
export class SocketError extends Error {}

/** Owner and group may connect. */
const UMASK = 0o117;

const IN_USE = 'another process is listening on it: stop it, or choose another path';

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: IN_USE,
  // Node also reports a missing folder as EACCES.
  EACCES: 'permission denied, or its folder does not exist: create a folder that this user may write to',
  EROFS: 'the file system is read-only',
};

export type OwnSocket = {
  /** Reports whether the socket file is still there. Never rejects. */
  readonly isThere: () => Promise<boolean>;
  /** Removes the socket file, but not another that has taken its place. Never rejects. */
  readonly remove: () => Promise<void>;
};

/**
 * Listens on a Unix socket. Replaces the socket of a process that was killed.
 *
 * @throws SocketError if another process is listening on it, if it is not a socket, or if it cannot be created
 */
export async function listenOnSocket(server: Server, path: string, backlog: number): Promise<OwnSocket> {
  // Node removes what it created by name, even if the name belongs to another process by then.
  const temporary = join(dirname(path), `.${process.pid.toString(36)}`);
  try {
    await refuseUsed(path);
    await unlink(temporary).catch(() => undefined);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // The socket is created before `listen` returns.
      const umask = process.umask(UMASK);
      server.listen({ path: temporary, backlog }, () => {
        server.removeListener('error', reject);
        resolve();
      });
      process.umask(umask);
    });
    const { ino } = await lstat(temporary);
    await rename(temporary, path);
    const isThere = async (): Promise<boolean> =>
      await lstat(path).then(
        (found) => found.ino === ino,
        () => false,
      );
    return {
      isThere,
      remove: async () => {
        if (await isThere()) await unlink(path).catch(() => undefined);
      },
    };
  } catch (error) {
    if (error instanceof SocketError || !(error instanceof Error && 'code' in error)) throw error;
    throw new SocketError(ADVICE[String(error.code)] ?? String(error.code));
  }
}

/** Throws a SocketError if another process is listening on the socket, or if the file is not a socket. */
async function refuseUsed(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new SocketError('something other than a socket is there: remove it, or choose another path');
  if (await isUsed(path)) throw new SocketError(IN_USE);
}

/** Reports whether a process is listening on a socket. Rejects with the system's error if that is unknown. */
function isUsed(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(false);
      else reject(error);
    });
  });
}
