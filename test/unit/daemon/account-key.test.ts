import { describe, expect, it } from 'vitest';
import { createAccountKey, KeyError, readKey } from '../../../src/base/api-key.ts';
import type { Log } from '../../../src/base/log.ts';

/** A key read from a file whose text the test changes; undefined is a file that is gone. */
function setUp(first: string | undefined) {
  let text = first;
  let errors = 0;
  const lines: string[] = [];
  const write = (_: object, message: string) => lines.push(message);
  const log: Log = { trace: write, debug: write, info: write, warn: write, error: write, child: () => log };
  const readFile = () => {
    if (text === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    return text;
  };
  const onError = () => {
    errors += 1;
  };
  const key = createAccountKey(() => readKey({ file: '/run/key' }, readFile, {}), onError, log);
  return {
    key,
    lines,
    errors: () => errors,
    /** Changes the file and reads it again. */
    write: (next: string | undefined) => {
      text = next;
      const before = key.current();
      key.refresh();
      return key.current() !== before;
    },
  };
}

describe('the key of an account', () => {
  it('is the same until its file changes', () => {
    const { key, write, lines } = setUp('one\n');
    expect(write('one')).toBe(false);
    expect(write('two')).toBe(true);
    expect(key.current().reveal()).toBe('two');
    expect(lines).toEqual(['the key was replaced']);
  });

  it.each([
    ['is gone', undefined],
    ['was cut off in the middle of being written', ''],
  ])('stays in use while its file %s', (_, text) => {
    const { key, write, errors } = setUp('one');
    expect([write(text), write(text), write(text)]).toEqual([false, false, false]);
    expect([key.current().reveal(), errors()]).toEqual(['one', 3]);
  });

  it('logs once when its file is lost and once when it is back', () => {
    const { write, lines } = setUp('one');
    for (const text of [undefined, undefined, '', 'one', 'one']) write(text);
    expect(lines).toEqual([
      'the key cannot be read again: the last one stays in use',
      'the key can be read again',
    ]);
  });

  it('is replaced by the content of its file when the file is back', () => {
    const { write } = setUp('one');
    write(undefined);
    expect(write('two')).toBe(true);
  });

  it('is an error at the start if its file is missing', () => {
    expect(() => setUp(undefined)).toThrow(KeyError);
  });
});
