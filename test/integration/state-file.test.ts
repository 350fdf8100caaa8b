import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWhole, removeLeftovers, renameAside, replaceWhole } from '../../src/state/file.ts';

let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-state-'));
  path = join(folder, 'state.json');
});

/** The file that this process writes before it takes the name of the state file. */
const temporary = () => `${path}.tmp-${hostname()}-${process.pid}`;

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a state file', () => {
  it('that does not exist has no text', async () => {
    expect(await readWhole(path)).toBeUndefined();
  });

  it('that is replaced is complete, and only its owner can read it', async () => {
    await replaceWhole(path, ['one\n', 'two\n']);
    await replaceWhole(path, ['three\n', '', 'four\n']);
    expect(await readWhole(path)).toBe('three\nfour\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('keeps its text when writing a new one fails in the middle', async () => {
    await replaceWhole(path, ['good']);
    const broken = (function* () {
      yield 'half';
      throw new Error('no more');
    })();
    await expect(replaceWhole(path, broken)).rejects.toThrow('no more');
    expect(readFileSync(path, 'utf8')).toBe('good');
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('is written although an earlier process left a partial file behind', async () => {
    writeFileSync(temporary(), 'left', { mode: 0o644 });
    await replaceWhole(path, ['good']);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['good', 0o600]);
  });

  it('stays a symbolic link, and the file that it points to is replaced', async () => {
    const target = join(folder, 'on-a-volume.json');
    writeFileSync(target, 'old');
    symlinkSync(target, path);
    await replaceWhole(path, ['good']);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('good');
  });

  it('is created where a symbolic link points to, and the link stays', async () => {
    mkdirSync(join(folder, 'volume'));
    symlinkSync('volume/state.json', path);
    await replaceWhole(path, ['good']);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'volume', 'state.json'), 'utf8')).toBe('good');
  });

  it('is rid of what killed processes left behind an hour ago, and of nothing else', async () => {
    const [old, fresh, other] = [`${path}.tmp-nas-1`, `${path}.tmp-nas-2`, join(folder, 'other.tmp-nas-1')];
    for (const name of [old, fresh, other]) writeFileSync(name, 'half');
    const now = statSync(old).mtimeMs;
    utimesSync(fresh, now / 1000 + 3_600, now / 1000 + 3_600);
    await removeLeftovers(path, now + 3_600_001);
    expect(readdirSync(folder)).toEqual(['other.tmp-nas-1', 'state.json.tmp-nas-2']);
  });

  it('is not written through a symbolic link in place of its temporary file', async () => {
    const target = join(folder, 'precious');
    writeFileSync(target, 'precious');
    symlinkSync(target, temporary());
    await replaceWhole(path, ['good']);
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(readFileSync(path, 'utf8')).toBe('good');
  });

  it.each([
    ['a missing folder', () => join(folder, 'nowhere', 'state.json'), 'ENOENT'],
    ['a file in place of the folder', () => join(path, 'state.json'), 'ENOTDIR'],
  ])('cannot be written into %s', async (_, where, code) => {
    writeFileSync(path, '');
    await expect(replaceWhole(where(), ['x'])).rejects.toMatchObject({ code });
  });

  it('cannot replace a folder, and leaves nothing behind', async () => {
    mkdirSync(path);
    await expect(replaceWhole(path, ['x'])).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder)).toEqual(['state.json']);
    await expect(readWhole(path)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('that is set aside gets the next free name', async () => {
    for (const text of ['first', 'second', 'third']) {
      writeFileSync(path, text);
      await renameAside(path);
    }
    expect(readdirSync(folder)).toEqual([
      'state.json.damaged-1',
      'state.json.damaged-2',
      'state.json.damaged-3',
    ]);
    expect(readFileSync(`${path}.damaged-3`, 'utf8')).toBe('third');
  });

  it('is set aside a limited number of times', async () => {
    for (let number = 1; number <= 99; number += 1) writeFileSync(`${path}.damaged-${number}`, '');
    writeFileSync(path, 'one more');
    await expect(renameAside(path)).rejects.toThrow(
      'there are already 99 damaged files (.damaged-N): remove them',
    );
    expect(readFileSync(path, 'utf8')).toBe('one more');
  });
});
