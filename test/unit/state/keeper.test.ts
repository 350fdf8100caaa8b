import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/log.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import type * as systemFiles from '../../../src/state/file.ts';
import { decodeState, encodeState } from '../../../src/state/format.ts';
import { createStateKeeper } from '../../../src/state/keeper.ts';
import { accountOf, NOON, snapshotOf } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { EMPTY, MAIN } from './states.ts';

const FILE = '/var/lib/hoster/state.json';
const MINUTE = 60_000;

const WITHOUT_AMOUNTS = { ...MAIN, lastAmounts: undefined };

const failure = (code: string) => Object.assign(new Error(`${code}: canary`), { code });

/** A keeper on a disk that is a map, and what it does. */
function setUp(own: Partial<typeof systemFiles> = {}) {
  const disk = new Map<string, string>();
  const clock = createFakeClock();
  const lines: string[] = [];
  const saves: boolean[] = [];
  const log = createLog({
    level: 'trace',
    format: 'json',
    destination: { write: (line) => lines.push(`${JSON.parse(line).level}: ${JSON.parse(line).msg}`) },
  });
  const files: typeof systemFiles = {
    readWhole: async (path) => disk.get(path),
    replaceWhole: async (path, pieces) => {
      disk.set(path, [...pieces].join(''));
    },
    renameAside: async (path, suffix) => {
      const aside = `${path}.${suffix}-1`;
      disk.set(aside, disk.get(path) ?? '');
      disk.delete(path);
      return aside;
    },
    remove: async (path) => {
      disk.delete(path);
    },
    ...own,
  };
  const keeper = createStateKeeper({ file: FILE, intervalMilliseconds: MINUTE, files, clock, log });
  let snapshot: Snapshot = snapshotOf();
  return {
    keeper,
    disk,
    lines,
    saves,
    start: () =>
      keeper.start(
        (isLast) => ({ snapshot, states: [isLast ? MAIN : WITHOUT_AMOUNTS] }),
        (success) => saves.push(success),
      ),
    /** A poll brought something. */
    learn: () => {
      snapshot = snapshotOf(accountOf());
    },
    /** Lets time pass, and what is due be done. */
    pass: async (milliseconds: number) => {
      clock.advance(milliseconds);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the balance in the state file', () => {
  const text = [...encodeState([MAIN], NOON)].join('');

  it('is removed from it before it is used, so that no later start compares with it again', async () => {
    const { keeper, disk } = setUp();
    disk.set(FILE, text);
    expect((await keeper.load()).accounts).toEqual([MAIN]);
    expect(decodeState(disk.get(FILE) ?? '')).toEqual({ accounts: [WITHOUT_AMOUNTS] });
  });

  it('is used on a full disk, where the whole file is removed instead', async () => {
    const { keeper, disk } = setUp({ replaceWhole: () => Promise.reject(failure('ENOSPC')) });
    disk.set(FILE, text);
    expect((await keeper.load()).accounts).toEqual([MAIN]);
    expect(disk.has(FILE)).toBe(false);
  });

  it('is not used if the file can be neither changed nor removed', async () => {
    const { keeper, disk, lines } = setUp({
      replaceWhole: () => Promise.reject(failure('EROFS')),
      remove: () => Promise.reject(failure('EROFS')),
    });
    disk.set(FILE, text);
    expect(await keeper.load()).toEqual({ accounts: [WITHOUT_AMOUNTS], accepted: true });
    expect(lines).toEqual(['warn: the state file cannot be changed: the balance in it is ignored']);
  });
});

describe('the state of accounts that are not configured any more', () => {
  it('is kept aside, with a line in the log', async () => {
    const { keeper, disk, lines } = setUp();
    disk.set(FILE, 'old');
    await keeper.setAside(['gone']);
    expect([...disk]).toEqual([[`${FILE}.unused-1`, 'old']]);
    expect(lines).toEqual([
      'warn: the state of accounts that are not configured by this name and address is not used',
    ]);
  });
});

describe('the state of an earlier process', () => {
  it('is empty if the state file is missing', async () => {
    const { keeper, lines } = setUp();
    expect(await keeper.load()).toEqual({ accounts: [], accepted: true });
    expect(lines).toEqual([]);
  });

  it('is loaded from the state file', async () => {
    const { keeper, disk } = setUp();
    disk.set(FILE, [...encodeState([MAIN, EMPTY], NOON)].join(''));
    expect(await keeper.load()).toEqual({ accounts: [MAIN, EMPTY], accepted: true });
  });

  it('is empty if the state file is damaged, and the file is kept aside', async () => {
    const { keeper, disk, lines, start, pass } = setUp();
    disk.set(FILE, 'rubbish');
    expect(await keeper.load()).toEqual({ accounts: [], accepted: false });
    expect([...disk]).toEqual([[`${FILE}.damaged-1`, 'rubbish']]);
    expect(lines).toEqual([
      'error: the state file is invalid: got invalid JSON (damaged or cut off), expected a state file: it was renamed, and the exporter starts without state',
    ]);
    start();
    await pass(0);
    expect([...disk.keys()]).toEqual([`${FILE}.damaged-1`, FILE]);
  });

  it('is not waited for longer than five seconds, nor overwritten later', async () => {
    const { keeper, lines, saves, start, pass } = setUp({ readWhole: () => new Promise(() => {}) });
    const left = keeper.load();
    await pass(5_000);
    expect(await left).toEqual({ accounts: [], accepted: false });
    expect(lines).toEqual([
      'error: the state file cannot be read within 5 s: starting without state, and nothing is saved until the next start: check the disk, then restart',
    ]);
    start();
    await pass(MINUTE);
    expect(saves).toEqual([]);
  });

  it.each([
    ['be read', { readWhole: () => Promise.reject(failure('EACCES')) }],
    ['be kept aside', { renameAside: () => Promise.reject(failure('EACCES')) }],
  ])('is not overwritten where it cannot %s', async (_, own) => {
    const { keeper, disk, lines, saves, start, pass, learn } = setUp(own);
    disk.set(FILE, 'rubbish');
    expect(await keeper.load()).toEqual({ accounts: [], accepted: false });
    start();
    learn();
    await pass(MINUTE);
    await keeper.stop();
    expect([...disk]).toEqual([[FILE, 'rubbish']]);
    expect([lines.length, saves]).toEqual([1, []]);
  });
});

describe('the state file', () => {
  it('is written at the start, so that an unusable folder is reported at once', async () => {
    const { disk, saves, start, pass } = setUp();
    start();
    await pass(0);
    expect(decodeState(disk.get(FILE) ?? '')).toEqual({ accounts: [WITHOUT_AMOUNTS] });
    expect(saves).toEqual([true]);
  });

  it('is written again when the data has changed and the interval has passed', async () => {
    const { saves, start, pass, learn } = setUp();
    start();
    await pass(MINUTE);
    expect(saves).toEqual([true]);
    learn();
    await pass(MINUTE - 1);
    expect(saves).toEqual([true]);
    await pass(1);
    expect(saves).toEqual([true, true]);
  });

  it('is written at the end, with the balance', async () => {
    const { keeper, disk, saves, start, pass } = setUp();
    start();
    await pass(0);
    await keeper.stop();
    expect(decodeState(disk.get(FILE) ?? '')).toEqual({ accounts: [MAIN] });
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
    expect(lines).toEqual(['error: the state file cannot be written: the disk is full']);
    full = false;
    await pass(MINUTE);
    expect(lines[1]).toBe('info: the state file is written again');
    expect(saves.at(-1)).toBe(true);
  });

  it('is never written twice at a time, even where the disk hangs', async () => {
    let writes = 0;
    const { start, pass, learn } = setUp({
      replaceWhole: () => {
        writes += 1;
        return new Promise(() => {});
      },
    });
    start();
    learn();
    await pass(60 * MINUTE);
    expect(writes).toBe(1);
  });
});
