import { readFile, stat } from 'node:fs/promises';

/** By what to see that a file has changed, without reading it. */
export type FileMark = {
  readonly text: string;
  /** Milliseconds since 1970; undefined where the file can't be looked at. */
  readonly changedAt: number | undefined;
};

/** Never rejects: that a file is gone is a mark too. */
export async function mark(path: string): Promise<FileMark> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = await stat(path, { bigint: true });
    return {
      text: [dev, ino, size, mtimeNs, ctimeNs].join(),
      changedAt: Math.max(Number(mtimeMs), Number(ctimeMs)),
    };
  } catch (error) {
    return {
      text: error instanceof Error && 'code' in error ? String(error.code) : '',
      changedAt: undefined,
    };
  }
}

/** Rejects with Node's error. */
export function read(path: string): Promise<string> {
  return readFile(path, 'utf8');
}
