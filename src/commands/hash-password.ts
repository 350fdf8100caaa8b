import type { Readable } from 'node:stream';
import { ConfigError } from '../config/messages.ts';
import { setting } from '../config/settings.ts';
import { pattern, wholeNumber } from '../config/values.ts';
import { bcryptHash, isTooLongForBcrypt } from '../http/web-config/bcrypt.ts';
import { defineCommand } from './command.ts';

export const hashPassword = defineCommand({
  options: {
    user: setting(pattern('a name without a colon', /^[^:\p{Cc}]{1,200}$/u).optional(), {
      description: 'Name of the user: the line can then be put below basic_auth_users as it is.',
      example: 'prometheus',
    }),
    cost: setting(wholeNumber(8, 16), {
      description:
        'How long checking a password takes: 10 is some 60 milliseconds, each one more is twice that.',
      default: 10,
    }),
  },
  takesSettings: false,
  run: async ({ options }, io) => {
    const typed = await Promise.race([io.readPasswords(), io.interrupted]);
    if (typed === undefined) return 1;
    const [password, again = password] = typed;
    validate(password);
    if (again !== password)
      throw new ConfigError(['got two passwords that differ, expected the same one twice']);
    const hash = bcryptHash(password, options.cost);
    await io.print(options.user === undefined ? `${hash}\n` : `${quoteYamlKey(options.user)}: "${hash}"\n`);
    return 0;
  },
});

function validate(password: string): void {
  if (password === '') throw new ConfigError(['got an empty password, expected one line on standard input']);
  if (isTooLongForBcrypt(password)) {
    throw new ConfigError(['got a password of more than 72 bytes, of which bcrypt would ignore the rest']);
  }
  if (/\p{Cc}/u.test(password)) {
    throw new ConfigError(['got more than one line or a control character, expected a password on one line']);
  }
}

/** Quotes a name that YAML would parse as something else. */
function quoteYamlKey(name: string): string {
  const isPlain = /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:y|yes|n|no|on|off|true|false|null)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}

/** Standard input, and the ways to talk to the user besides standard output. */
type PasswordInput = {
  readonly input: Readable & {
    readonly isTTY: boolean;
    /** Exists on a terminal only. */
    readonly setRawMode: (isRaw: boolean) => unknown;
  };
  readonly show: (text: string) => void;
  /** Is called on Ctrl-C, which is no signal in raw mode. */
  readonly interrupt: () => void;
};

/** Reads a password: twice and hidden at a terminal, once from a pipe. */
export async function readPasswords(from: PasswordInput): Promise<readonly [string, ...string[]]> {
  if (!from.input.isTTY) return [await readWhole(from.input)];
  return [await promptHidden(from, 'Password: '), await promptHidden(from, 'Once more: ')];
}

/** Characters of the keys Enter and Ctrl-D, backspace, and Ctrl-C. */
const ENTER = ['\r', '\n', '\u0004'];
const BACKSPACE = ['\u007f', '\b'];
const INTERRUPT = '\u0003';

async function promptHidden(
  { input: terminal, show, interrupt }: PasswordInput,
  prompt: string,
): Promise<string> {
  show(prompt);
  terminal.setRawMode(true);
  terminal.setEncoding('utf8');
  let typed = '';
  let onData = (_chunk: string): void => {};
  try {
    return await new Promise((resolve) => {
      onData = (chunk) => {
        for (const letter of chunk) {
          if (letter === INTERRUPT) interrupt();
          else if (ENTER.includes(letter)) resolve(typed);
          else typed = BACKSPACE.includes(letter) ? [...typed].slice(0, -1).join('') : typed + letter;
        }
      };
      terminal.on('data', onData);
      terminal.resume();
    });
  } finally {
    terminal.removeListener('data', onData);
    terminal.pause();
    terminal.setRawMode(false);
    show('\n');
  }
}

/** Bytes after which reading stops; far more than bcrypt takes. */
const MAX_INPUT_BYTES = 4_096;

/** Reads all of a pipe or file, without the line end of its last line. */
async function readWhole(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    length += chunks.at(-1)?.length ?? 0;
    if (length > MAX_INPUT_BYTES) break;
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
