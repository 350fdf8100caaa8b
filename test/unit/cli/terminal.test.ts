import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Interrupted, openTerminal } from '../../../src/cli/terminal.ts';

/** A terminal of 40 columns, what a person types, and what is shown. */
function terminalOf40() {
  const input = new PassThrough();
  let shown = '';
  const terminal = openTerminal(input, {
    columns: 40,
    write: (piece) => {
      shown += piece.toString();
    },
  });
  return { ...terminal, type: (text: string) => input.write(text), shown: () => shown };
}

const LONG = 'A question that is longer than one line of this terminal: ';

describe('a question in a terminal', () => {
  it('shows typed text, even if it is longer than a line', async () => {
    const { ask, type, shown, close } = terminalOf40();
    const answer = ask(LONG, false);
    type('an answer\r');
    expect(await answer).toBe('an answer');
    expect(shown()).toContain(LONG);
    expect(shown()).toContain('an answer');
    close();
  });

  it('shows the question, and nothing of the answer, where that is hidden', async () => {
    const { ask, type, shown, close } = terminalOf40();
    const first = ask('Name: ', false);
    type('me\r');
    await first;
    const answer = ask('Key: ', true);
    type('se');
    type('cret\r');
    expect(await answer).toBe('secret');
    expect(shown()).toContain('Key: ');
    expect(shown()).not.toMatch(/se|cret/);
    close();
  });

  it('shows nothing of a hidden answer that is typed before its question, and all of one that is not', async () => {
    const { ask, type, shown, close } = terminalOf40();
    const first = ask('Name: ', false);
    type('me\rsecret\rmai');
    await first;
    await ask('Key: ', true);
    expect(shown()).not.toMatch(/secret|mai/);
    const third = ask('Channel: ', false);
    type('l\r');
    expect(await third).toBe('mail');
    expect(shown()).toMatch(/mai.*l/s);
    close();
  });

  it('takes lines that were pasted before they were asked for, with the line ends of Windows', async () => {
    const { ask, type, close } = terminalOf40();
    type('one\r\ntwo\r\n');
    expect(await ask('1: ', false)).toBe('one');
    expect(await ask('2: ', true)).toBe('two');
    close();
  });

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('ends with %s', async (_, key) => {
    const { ask, type, close } = terminalOf40();
    const answer = ask('1: ', false);
    type(key);
    await expect(answer).rejects.toThrow(Interrupted);
    await expect(ask('2: ', false)).rejects.toThrow(Interrupted);
    close();
  });
});
