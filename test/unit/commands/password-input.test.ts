import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPasswords } from '../../../src/commands/password-input.ts';

/** Standard input that brings these pieces, each when it is asked for. */
function createStage(pieces: readonly string[], isTTY: boolean) {
  const modes: boolean[] = [];
  const shown: string[] = [];
  let interruptions = 0;
  const input = Object.assign(new PassThrough(), {
    isTTY,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  const rest = [...pieces];
  if (!isTTY) input.end(pieces.join(''));
  const passwords = readPasswords({
    input,
    show: (text) => {
      shown.push(text);
      if (text.endsWith(': ')) setImmediate(() => input.write(rest.shift() ?? ''));
    },
    interrupt: () => {
      interruptions += 1;
    },
  });
  return { passwords, modes, shown, interruptions: () => interruptions };
}

describe('a password', () => {
  it.each([
    ['with an end of line', ['secret\n'], 'secret'],
    ['with that of Windows', ['secret\r\n'], 'secret'],
    ['without one', ['sec', 'ret'], 'secret'],
    ['with blanks, which belong to it', [' a b \n'], ' a b '],
    ['in two lines, for the caller to refuse', ['a\nb\n'], 'a\nb'],
    ['that is nothing', [], ''],
  ])('out of a pipe is read once: %s', async (_, pieces, password) => {
    expect(await createStage(pieces, false).passwords).toEqual([password]);
  });

  it('at a terminal is asked for twice, and shown not even once', async () => {
    const { passwords, modes, shown } = createStage(['secrxt\u007f\u007fet\r', 'päss\b\n'], true);
    expect(await passwords).toEqual(['secret', 'päs']);
    expect(shown).toEqual(['Password: ', '\n', 'Once more: ', '\n']);
    expect(modes).toEqual([true, false, true, false]);
  });

  it('can be broken off', async () => {
    const { passwords, interruptions } = createStage(['se\u0003\r', '\r'], true);
    await passwords;
    expect(interruptions()).toBe(1);
  });
});
