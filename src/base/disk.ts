import { SECOND } from '../model/time.ts';
import { type Clock, within } from './clock.ts';
import { UnsuitableFile } from './files.ts';

/** A file system does not respond, for this file or for others. */
export class HangingFile extends UnsuitableFile {}

/** Access to files. A file system that hangs, such as an offline network share, does not stop the program. */
export type Disk = {
  /**
   * Runs an operation on a file once a lane is free and no other operation on this file is under way.
   *
   * @param patience milliseconds after which the operation, or the wait for it, counts as hanging; 5 s by default
   * @throws the operation's error, or a HangingFile if it hangs or cannot begin. It may still end later
   */
  readonly use: <Result>(
    path: string,
    operation: () => Promise<Result>,
    patience?: number,
  ) => Promise<Result>;
  /** Returns sentences about the files that are hanging now. */
  readonly warnings: () => readonly string[];
};

/**
 * Node runs file operations on a pool of four threads, which DNS and compression need too. Each one that hangs blocks a
 * thread. So files that people write and month files share two lanes, and the state file has one: one thread is always left.
 */
export function createDisk(clock: Clock, lanes: number): Disk {
  /** The operations under way, by path. Each promise is fulfilled when its operation has ended. */
  const underWay = new Map<string, Promise<void>>();
  const hanging = new Set<string>();
  /** Waits for one of the operations that an operation on a file has to wait for. */
  const waitForOthers = async (path: string, patience: number): Promise<void> => {
    const isSame = underWay.has(path);
    const others = Array.from(underWay).filter(([other]) => !isSame || other === path);
    const isHopeless = others.every(([other]) => hanging.has(other));
    if (isHopeless || !(await within(clock, patience, Promise.race(others.map(([, ended]) => ended)))))
      throw new HangingFile(isSame ? HANGS : `not tried: ${others[0]?.[0]} hangs`);
  };
  return {
    use: async (path, operation, patience = 5 * SECOND) => {
      while (underWay.has(path) || underWay.size >= lanes) await waitForOthers(path, patience);
      const result = operation();
      const end = (): void => {
        underWay.delete(path);
        hanging.delete(path);
      };
      const ended = result.then(end, end);
      underWay.set(path, ended);
      if (!(await within(clock, patience, ended))) {
        hanging.add(path);
        throw new HangingFile(HANGS);
      }
      return await result;
    },
    warnings: () => Array.from(hanging, (path) => `${path}: ${HANGS}`),
  };
}

const HANGS = 'the file system does not respond: check its disk or network share';
