import { Interrupted } from '../../../../src/cli/terminal.ts';
import type { Wizard } from '../../../../src/features/setup/questions.ts';

/** A wizard with a person who types these lines, then presses Ctrl-C; without lines there is no terminal. */
export function wizardWith(lines: readonly string[] | undefined, own: Partial<Wizard> = {}) {
  /** Questions and sentences, in their order. */
  const said: string[] = [];
  const left = [...(lines ?? [])];
  const ask = async (question: string, isHidden?: boolean): Promise<string> => {
    said.push(`${isHidden ? 'hidden ' : ''}${question}`);
    const line = left.shift();
    if (line === undefined) throw new Interrupted();
    return line;
  };
  const wizard: Wizard = {
    prompt: lines === undefined ? undefined : { ask },
    print: async (sentence) => void said.push(sentence),
    environment: {},
    readFile: async () => {
      throw new Error('no file');
    },
    isQuiet: false,
    ...own,
  };
  return { wizard, said, left };
}
