import { constants, fstatSync, openSync, writeSync } from 'node:fs';

/** The descriptor that a process is born with. */
const STANDARD_ERROR = 2;

/**
 * Standard error, so that writing to it does not block: a write that waits for its reader would hold one of Node's four
 * threads for files and names, and the process could not exit. Where that can't be had, standard error as it is.
 */
export function openStandardError(): number {
  const kind = fstatSync(STANDARD_ERROR);
  // Node's own stream over a socket has to turn blocking off, and does so as soon as it is there.
  if (kind.isSocket()) return process.stderr.fd;
  if (!kind.isFIFO() && !kind.isCharacterDevice()) return STANDARD_ERROR;
  try {
    // Opened anew, since a flag on the old one would be seen by all who share it.
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    return openSync(`/proc/self/fd/${STANDARD_ERROR}`, flags);
  } catch {
    return STANDARD_ERROR;
  }
}

/** How often and for how long a reader that is behind is waited for, in milliseconds. */
const TRIES = 20;
const PAUSE_MILLISECONDS = 10;

/** Lets the whole thread wait, for milliseconds; only where nothing else is left to do. */
export function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Writes at once, for the last words of a process. What the reader does not take within a moment is lost. */
export function writeBriefly(descriptor: number, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  for (let tries = 0; tries < TRIES && rest.length > 0; tries++) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      standStill(PAUSE_MILLISECONDS);
    }
  }
}
