import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** A person at a terminal. */
export type Prompt = {
  /** Asks for a line. Rejects with {@link Interrupted} after Ctrl-C and at the end of the input. */
  readonly ask: (question: string, isHidden: boolean) => Promise<string>;
};

/** The person ended the questions. */
export class Interrupted extends Error {}

/*
 * Questions in a terminal. Answers may be typed, or pasted, before they are asked for.
 */

export type Terminal = Prompt & { readonly close: () => void };

/** Where questions are shown, and how wide it is. */
export type Screen = { readonly write: (piece: Uint8Array | string) => unknown; readonly columns?: number };

export function openTerminal(input: NodeJS.ReadableStream, output: Screen): Terminal {
  // What is typed between two questions may be the answer to the next one, and a secret.
  let isHidden = true;
  const screen = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isHidden) output.write(chunk);
      // At once: what waits for an earlier piece would be hidden with the answer.
      done();
    },
  });
  // So that a line that is longer than the terminal is edited as it is shown.
  Object.defineProperty(screen, 'columns', { get: () => output.columns });
  const lines = createInterface({ input, output: screen, terminal: true, historySize: 0 });
  const typed: string[] = [];
  let isClosed = false;
  let wake = (): void => {};
  lines.on('line', (line) => {
    typed.push(line);
    isHidden = true;
    wake();
  });
  const end = (): void => {
    isClosed = true;
    wake();
  };
  lines.on('SIGINT', end);
  lines.on('close', end);
  return {
    ask: async (question, hides) => {
      isHidden = hides;
      if (hides || isClosed) output.write(question);
      if (!isClosed) {
        lines.setPrompt(question);
        // What is typed already stays, and the cursor behind it.
        lines.prompt(true);
      }
      const isEarly = typed.length > 0;
      if (!isEarly && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
      const line = typed.shift();
      if (line === undefined) throw new Interrupted();
      if (hides) output.write('\n');
      else if (isEarly) output.write(`${line}\n`);
      return line;
    },
    close: () => lines.close(),
  };
}
