import { ConfigError } from '../config/messages.ts';
import { setting } from '../config/settings.ts';
import { pattern, wholeNumber } from '../config/values.ts';
import { hashOf, isTooLong } from '../http/auth/bcrypt.ts';
import { command } from './command.ts';

const OPTIONS = {
  user: setting(pattern('a name without a colon', /^[^:\p{Cc}]{1,200}$/u).optional(), {
    description: 'Name of the user: the line can then be put below basic_auth_users as it is.',
    example: 'prometheus',
  }),
  cost: setting(wholeNumber(8, 16), {
    description:
      'How long checking a password takes: 10 is some 60 milliseconds, each one more is twice that.',
    default: 10,
  }),
};

export const hashPassword = command({
  name: 'hash-password',
  summary: 'Reads a password from standard input and prints its bcrypt hash for the web configuration file.',
  options: OPTIONS,
  run: async ({ options: own }, io) => {
    const typed = await Promise.race([io.readPasswords(), io.interrupted]);
    if (typed === undefined) return 1;
    const [password, again = password] = typed;
    refuseUnfit(password);
    if (again !== password)
      throw new ConfigError(['got two passwords that differ, expected the same one twice']);
    const hash = hashOf(password, own.cost);
    await io.print(own.user === undefined ? `${hash}\n` : `${nameInYaml(own.user)}: "${hash}"\n`);
    return 0;
  },
});

function refuseUnfit(password: string): void {
  if (password === '') throw new ConfigError(['got an empty password, expected one line on standard input']);
  if (isTooLong(password)) {
    throw new ConfigError(['got a password of more than 72 bytes, of which bcrypt would ignore the rest']);
  }
  if (/\p{Cc}/u.test(password)) {
    throw new ConfigError(['got more than one line or a control character, expected a password on one line']);
  }
}

/** In quotes where YAML would take it for something else. */
function nameInYaml(name: string): string {
  const isPlain = /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:y|yes|n|no|on|off|true|false|null)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}
