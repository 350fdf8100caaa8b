import { describe, expect, it } from 'vitest';
import { createDisk } from '../../../src/base/disk.ts';
import { UnsuitableFile } from '../../../src/base/files.ts';
import { createLog } from '../../../src/base/log.ts';
import { NOTHING_KNOWN } from '../../../src/model/account.ts';
import { decodeState, encodeState } from '../../../src/state/codec.ts';
import type * as systemFiles from '../../../src/state/file.ts';
import { createStateKeeper } from '../../../src/state/keeper.ts';
import { NOON } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { STATE, textOf, WRITER } from './states.ts';

const FILE = '/var/lib/hoster/state.json';
const MINUTE = 60_000;

const failure = (code: string) => Object.assign(new Error(`${code}: canary`), { code });

/** A keeper on a disk that is a map, and what it does. */
function setUp(own: Partial<typeof systemFiles> = {}) {
  const disk = new Map<string, string>();
  const clock = createFakeClock();
  const lines: string[] = [];
  const saves: boolean[] = [];
  /** Processes that run. */
  const running = new Set<number>();
  const log = createLog({
    level: 'trace',
    format: 'json',
    destination: { write: (line) => lines.push(`${JSON.parse(line).level}: ${JSON.parse(line).msg}`) },
  });
  const files: typeof systemFiles = {
    readWhole: async (path) => disk.get(path),
    MAX_STATE_BYTES: 100_000,
    replaceWhole: async (path, pieces, { maxBytes = 0 } = {}) => {
      let text = '';
      for await (const piece of pieces) text += piece;
      if (text.length > maxBytes) throw new UnsuitableFile('it would have more than 100 bytes');
      disk.set(path, text);
    },
    readHead: async (path) => disk.get(path)?.slice(0, 1_024),
    renameAside: async (path) => {
      const aside = `${path}.damaged-1`;
      disk.set(aside, disk.get(path) ?? '');
      disk.delete(path);
      return aside;
    },
    removeLeftovers: async () => {},
    thisWriter: () => WRITER,
    isRunning: ({ pid }) => running.has(pid),
    ...own,
  };
  const keeper = createStateKeeper({
    ...{ file: FILE, intervalMilliseconds: MINUTE },
    ...{ files, disk: createDisk(clock, 1), clock, log },
  });
  return {
    keeper,
    disk,
    lines,
    saves,
    start: () =>
      keeper.start(
        () => STATE,
        (problem) => saves.push(problem === undefined),
      ),
    running,
    /** Lets time pass, and what is due be done. */
    pass: async (milliseconds: number) => {
      clock.advance(milliseconds);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the state of an earlier process', () => {
  it('is empty if the state file is missing', async () => {
    const { keeper, lines } = setUp();
    expect(await keeper.load()).toEqual({ state: NOTHING_KNOWN, accepted: true });
    expect(lines).toEqual([]);
  });

  it('is loaded from the state file', async () => {
    const { keeper, disk } = setUp();
    disk.set(FILE, textOf(STATE));
    expect(await keeper.load()).toEqual({ state: STATE, accepted: true });
  });

  it('is empty if the state file is damaged, and the file is kept aside', async () => {
    const { keeper, disk, lines, start, pass } = setUp();
    disk.set(FILE, 'rubbish');
    expect(await keeper.load()).toEqual({ state: NOTHING_KNOWN, accepted: false });
    expect([...disk]).toEqual([[`${FILE}.damaged-1`, 'rubbish']]);
    expect(lines).toEqual([
      'error: the state file is invalid: got text without the header of a state file, expected a state file: renamed it and started without state',
    ]);
    start();
    await pass(0);
    expect([...disk.keys()]).toEqual([`${FILE}.damaged-1`, FILE]);
  });

  it('is not waited for longer than five seconds, nor overwritten later', async () => {
    const { keeper, lines, saves, start, pass } = setUp({ readWhole: () => new Promise(() => {}) });
    const left = keeper.load();
    await pass(5_000);
    expect(await left).toEqual({ state: NOTHING_KNOWN, accepted: false });
    expect(lines).toEqual([
      'error: could not read the state file within 5 s: starting without state and without saving: check the disk, then restart',
    ]);
    start();
    await pass(MINUTE);
    expect(new Set(saves)).toEqual(new Set([false]));
  });

  it('is not waited for where its file can be read, and hangs then', async () => {
    const { keeper, disk, pass } = setUp({ readHead: () => new Promise(() => {}) });
    disk.set(FILE, textOf(STATE));
    const left = keeper.load();
    await pass(5_000);
    expect(await left).toEqual({ state: NOTHING_KNOWN, accepted: false });
  });

  it.each([
    ['be read', { readWhole: () => Promise.reject(failure('EACCES')) }],
    ['be kept aside', { renameAside: () => Promise.reject(failure('EACCES')) }],
  ])('is not overwritten where it cannot %s', async (_, own) => {
    const { keeper, disk, lines, saves, start, pass } = setUp(own);
    disk.set(FILE, 'rubbish');
    expect(await keeper.load()).toEqual({ state: NOTHING_KNOWN, accepted: false });
    start();
    await pass(MINUTE);
    await keeper.stop();
    expect([...disk]).toEqual([[FILE, 'rubbish']]);
    expect([lines.length, new Set(saves)]).toEqual([1, new Set([false])]);
  });
});

describe('the state file', () => {
  it('is written at the start, so that an unusable folder is reported at once', async () => {
    const { disk, saves, start, pass } = setUp();
    start();
    await pass(0);
    expect(decodeState(disk.get(FILE) ?? '')).toEqual(STATE);
    expect(saves).toEqual([true]);
  });

  it('is written again each interval', async () => {
    const { saves, start, pass } = setUp();
    start();
    await pass(0);
    await pass(MINUTE - 1);
    expect(saves).toEqual([true]);
    await pass(1);
    expect(saves).toEqual([true, true]);
  });

  it('is written at the end', async () => {
    const { keeper, disk, saves, start, pass } = setUp();
    start();
    await pass(0);
    await keeper.stop();
    expect(decodeState(disk.get(FILE) ?? '')).toEqual(STATE);
    expect(saves).toEqual([true, true]);
    await pass(10 * MINUTE);
    expect(saves).toEqual([true, true]);
  });

  it('that cannot be written is logged once, and once more when it can be written again', async () => {
    let full = true;
    const { lines, saves, start, pass } = setUp({
      replaceWhole: async () => {
        if (full) throw failure('ENOSPC');
      },
    });
    start();
    for (let minute = 0; minute < 60; minute += 1) await pass(MINUTE);
    expect(new Set(saves)).toEqual(new Set([false]));
    expect(lines).toEqual([
      'error: cannot write the state file: the disk is full, or has no inodes left (df -i)',
    ]);
    full = false;
    await pass(MINUTE);
    expect(lines[1]).toBe('info: saving the state file works again');
    expect(saves.at(-1)).toBe(true);
  });

  it('is not written where it would be too long to be read again, and the log says so', async () => {
    const { keeper, disk, lines, saves, pass } = setUp({ MAX_STATE_BYTES: 100 });
    keeper.start(
      () => STATE,
      (problem) => saves.push(problem === undefined),
    );
    await pass(MINUTE);
    expect(disk.has(FILE)).toBe(false);
    expect(saves).not.toContain(true);
    expect(lines).toEqual(['error: cannot write the state file: it would have more than 100 bytes']);
  });

  it('is never written twice at a time, even where the disk hangs', async () => {
    let writes = 0;
    const { start, pass } = setUp({
      replaceWhole: () => {
        writes += 1;
        return new Promise(() => {});
      },
    });
    start();
    await pass(60 * MINUTE);
    expect(writes).toBe(1);
  });
});

describe('another process that writes the same state file', () => {
  const OTHER = { ...WRITER, pid: 43 };
  const byOther = [...encodeState(STATE, OTHER, NOON)].join('');
  const WARNING = 'error: another process writes this state file too: give each process its own state.file';

  it('is named once at the start if it runs', async () => {
    const { keeper, disk, running, lines } = setUp();
    disk.set(FILE, byOther);
    running.add(OTHER.pid);
    expect(await keeper.load()).toMatchObject({ accepted: true });
    expect(lines).toEqual([WARNING]);
  });

  it('is no other process if it ended: this is a restart', async () => {
    const { keeper, disk, lines, start, pass } = setUp();
    disk.set(FILE, byOther);
    await keeper.load();
    start();
    await pass(MINUTE);
    expect(lines).toEqual([]);
  });

  it('is named when it writes the file later, on this machine or on another one', async () => {
    const { keeper, disk, lines, start, pass } = setUp();
    await keeper.load();
    start();
    for (let minute = 0; minute < 3; minute += 1) {
      disk.set(FILE, byOther);
      await pass(MINUTE);
    }
    expect(lines).toEqual([WARNING]);
  });
});

describe('a save that is asked for', () => {
  it('is shared by all that ask within a second, and resolves when the file has it', async () => {
    let writes = 0;
    const { keeper, disk, start, pass } = setUp({
      replaceWhole: async (path, pieces) => {
        writes += 1;
        disk.set(path, '');
        for await (const piece of pieces) disk.set(path, (disk.get(path) ?? '') + piece);
      },
    });
    start();
    await pass(0);
    expect(writes).toBe(1);
    const saves: (string | undefined)[] = [];
    for (let count = 0; count < 10; count += 1) {
      void keeper.save().then((problem) => saves.push(problem));
      await pass(99);
    }
    expect([writes, saves]).toEqual([1, []]);
    await pass(10);
    expect([writes, saves]).toEqual([2, Array.from({ length: 10 }, () => undefined)]);
    expect(decodeState(disk.get(FILE) ?? '')).toEqual(STATE);
  });

  it.each([
    ['cannot be written', { replaceWhole: () => Promise.reject(failure('ENOSPC')) }, 'the disk is full'],
    ['hangs', { replaceWhole: () => new Promise<never>(() => {}) }, 'the disk is not responding'],
  ])('resolves to the reason where the disk %s', async (_, own, reason) => {
    const { keeper, start, pass } = setUp(own);
    start();
    const saved = keeper.save();
    await pass(1_000);
    await pass(7_000);
    expect(await saved).toContain(reason);
  });

  it('is not waited for when the exporter stops', async () => {
    const { keeper, start, pass } = setUp();
    start();
    await pass(0);
    const saved = keeper.save();
    await keeper.stop();
    expect(await saved).toBeUndefined();
  });
});
