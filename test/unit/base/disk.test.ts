import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/base/clock.ts';
import { createDisk } from '../../../src/base/disk.ts';
import { createFakeClock } from '../../fake-clock.ts';

const SECOND = 1_000;
const HANGS = 'the file system does not respond: check its disk or network share';

function setUp(lanes: number) {
  const clock = createFakeClock();
  const disk = createDisk(clock, lanes);
  const started: string[] = [];
  /** Begins an operation that hangs until it is released. */
  const hang = (path: string) => {
    let release = (): void => {};
    const operation = () => {
      started.push(path);
      return new Promise<string>((resolve) => {
        release = () => resolve(`text of ${path}`);
      });
    };
    const result = disk.use(path, operation).catch((error: Error) => error.message);
    return { result, release: () => release() };
  };
  const read = (path: string) =>
    disk
      .use(path, async () => {
        started.push(path);
        return `text of ${path}`;
      })
      .catch((error: Error) => error.message);
  const pass = async (milliseconds: number) => {
    await yieldToEventLoop();
    clock.advance(milliseconds);
    await yieldToEventLoop();
  };
  return { disk, started, hang, read, pass };
}

describe('a disk', () => {
  it('runs operations, and passes on their errors', async () => {
    const { disk, read } = setUp(2);
    expect(await read('a')).toBe('text of a');
    await expect(disk.use('a', async () => Promise.reject(new Error('EIO')))).rejects.toThrow('EIO');
    expect(await read('a')).toBe('text of a');
    expect(disk.warnings()).toEqual([]);
  });

  it('gives up on a file that hangs, and never has two operations on it', async () => {
    const { disk, started, hang, read, pass } = setUp(2);
    const first = hang('share/tags');
    const second = read('share/tags');
    await pass(5 * SECOND);
    expect(await Promise.all([first.result, second])).toEqual([HANGS, HANGS]);
    expect(disk.warnings()).toEqual([`share/tags: ${HANGS}`]);
    expect(await read('share/tags')).toBe(HANGS);
    expect(started).toEqual(['share/tags']);
  });

  it('goes on when the file is back', async () => {
    const { disk, hang, read, pass } = setUp(2);
    const first = hang('share/tags');
    await pass(5 * SECOND);
    expect(await first.result).toBe(HANGS);
    first.release();
    await pass(0);
    expect(disk.warnings()).toEqual([]);
    expect(await read('share/tags')).toBe('text of share/tags');
  });

  it('uses no more lanes than it has, whether or not operations hang', async () => {
    const { started, hang, read, pass } = setUp(2);
    const [one] = [hang('share/one'), hang('share/two')];
    const waiting = read('disk/key');
    await pass(SECOND);
    expect(started).toEqual(['share/one', 'share/two']);
    one.release();
    expect(await waiting).toBe('text of disk/key');
    hang('share/one');
    await pass(5 * SECOND);
    expect(await read('disk/key')).toBe('not tried: share/two hangs');
  });

  it('reads a file on another disk while one hangs', async () => {
    const { hang, read, pass } = setUp(2);
    hang('share/tags');
    await pass(5 * SECOND);
    expect(await read('disk/key')).toBe('text of disk/key');
  });
});
