import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPasswords } from '../../../src/commands/hash-password.ts';

/** Reads passwords from a standard input that delivers a piece after each prompt. */
function readPieces(pieces: readonly string[], isTTY: boolean) {
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

describe('readPasswords', () => {
  it.each([
    ['with a line end', ['secret\n'], 'secret'],
    ['with a Windows line end', ['secret\r\n'], 'secret'],
    ['without a line end', ['sec', 'ret'], 'secret'],
    ['with blanks, which are part of it', [' a b \n'], ' a b '],
    ['in two lines, for the caller to refuse', ['a\nb\n'], 'a\nb'],
    ['that is empty', [], ''],
  ])('reads a password once from a pipe: %s', async (_, pieces, password) => {
    expect(await readPieces(pieces, false).passwords).toEqual([password]);
  });

  it('prompts twice at a terminal and never shows the password', async () => {
    const { passwords, modes, shown } = readPieces(['secrxt\u007f\u007fet\r', 'päss\b\n'], true);
    expect(await passwords).toEqual(['secret', 'päs']);
    expect(shown).toEqual(['Password: ', '\n', 'Once more: ', '\n']);
    expect(modes).toEqual([true, false, true, false]);
  });

  it('calls interrupt on Ctrl-C', async () => {
    const { passwords, interruptions } = readPieces(['se\u0003\r', '\r'], true);
    await passwords;
    expect(interruptions()).toBe(1);
  });
});
