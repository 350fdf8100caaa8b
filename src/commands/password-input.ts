import type { Readable } from 'node:stream';

/** Standard input, and what is around it. */
export type PasswordInput = {
  readonly input: Readable & {
    readonly isTTY: boolean;
    /** There where it is a terminal. */
    readonly setRawMode: (isRaw: boolean) => unknown;
  };
  /** Writes to the person, not to where the result goes. */
  readonly show: (text: string) => void;
  /** Is called at Ctrl-C, which a terminal that shows nothing does not turn into a signal. */
  readonly interrupt: () => void;
};

/** A password as often as it was typed: twice at a terminal, without showing it; once where it comes out of a pipe. */
export async function readPasswords(from: PasswordInput): Promise<readonly [string, ...string[]]> {
  if (!from.input.isTTY) return [await readWhole(from.input)];
  return [await askHidden(from, 'Password: '), await askHidden(from, 'Once more: ')];
}

/** What a terminal sends for keys: Enter and Ctrl-D, backspace, Ctrl-C. */
const ENTER = ['\r', '\n', '\u0004'];
const BACKSPACE = ['\u007f', '\b'];
const INTERRUPT = '\u0003';

async function askHidden(
  { input: terminal, show, interrupt }: PasswordInput,
  prompt: string,
): Promise<string> {
  show(prompt);
  terminal.setRawMode(true);
  terminal.setEncoding('utf8');
  let typed = '';
  let listen = (_piece: string): void => {};
  try {
    return await new Promise((resolve) => {
      listen = (piece) => {
        for (const letter of piece) {
          if (letter === INTERRUPT) interrupt();
          else if (ENTER.includes(letter)) resolve(typed);
          else typed = BACKSPACE.includes(letter) ? [...typed].slice(0, -1).join('') : typed + letter;
        }
      };
      terminal.on('data', listen);
      terminal.resume();
    });
  } finally {
    terminal.removeListener('data', listen);
    terminal.pause();
    terminal.setRawMode(false);
    show('\n');
  }
}

/** All that a pipe or a file brings, without the end of its last line; what is too long to be a password is cut. */
async function readWhole(input: AsyncIterable<Buffer | string>): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of input) {
    pieces.push(Buffer.from(piece));
    length += pieces.at(-1)?.length ?? 0;
    if (length > LONGEST) break;
  }
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

const LONGEST = 4_096;
