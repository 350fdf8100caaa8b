import { lstat, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';

/** A Unix socket that cannot be listened on. The message says why, and what to do. */
export class SocketError extends Error {}

/** Owner and group may connect. */
const UMASK = 0o117;

const IN_USE = 'another process listens on it: stop it, or choose another path';

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: IN_USE,
  // Node reports a missing folder as EACCES, too.
  EACCES: 'permission denied, or its folder does not exist: create a folder that this user may write to',
  EROFS: 'the file system is read-only',
};

/**
 * Listens on a Unix socket, which closing the server removes. Replaces the socket of a process that was killed.
 *
 * @throws SocketError if another process listens on it, if it is something else than a socket, and if it cannot be created
 */
export async function listenOnSocket(server: Server, path: string, backlog: number): Promise<void> {
  try {
    await removeUnused(path);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // The socket is created before `listen` returns.
      const umask = process.umask(UMASK);
      server.listen({ path, backlog }, () => {
        server.removeListener('error', reject);
        resolve();
      });
      process.umask(umask);
    });
  } catch (error) {
    if (error instanceof SocketError || !(error instanceof Error && 'code' in error)) throw error;
    throw new SocketError(ADVICE[String(error.code)] ?? String(error.code));
  }
}

/** Removes a socket on which no process listens. */
async function removeUnused(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new SocketError('something else than a socket is there: remove it, or choose another path');
  if (await isUsed(path)) throw new SocketError(IN_USE);
  await unlink(path);
}

/** Reports whether a process listens on a socket. Rejects with the error of the system if that is unknown. */
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
