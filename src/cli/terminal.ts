import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export type Prompt = {
  /** Asks for a line. Rejects with {@link Interrupted} on Ctrl-C or at the end of the input. */
  readonly ask: (question: string, isHidden: boolean) => Promise<string>;
};

/** The person cancelled the questions. */
export class Interrupted extends Error {}

export type Terminal = Prompt & { readonly close: () => void };

/** The output of a terminal, and its width. */
type Screen = { readonly write: (piece: Uint8Array | string) => unknown; readonly columns?: number };

/** Opens a terminal. Answers may be typed or pasted before their questions appear. */
export function openTerminal(input: NodeJS.ReadableStream, output: Screen): Terminal {
  // Input between two questions may answer the next one, and may be secret.
  let isHidden = true;
  const screen = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isHidden) output.write(chunk);
      // Written at once: a piece that waits would be hidden along with the answer.
      done();
    },
  });
  // Needed for editing lines that are longer than the terminal is wide.
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
        // Keep the input so far, and the cursor.
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
