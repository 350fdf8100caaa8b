import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Interrupted } from '../../../../src/cli/terminal.ts';
import type { Wizard } from '../../../../src/features/setup/questions.ts';
import { setUp } from '../../../../src/features/setup/setup.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { wizardWith } from './wizard.ts';

const SETTINGS = {
  keyFile: '/key',
  secretsFolder: '/secrets',
  templatesFolder: '/templates',
  isShared: false,
  alertmanagerVersion: '0.34.0',
  networks: [{ authorities: undefined, proxies: undefined }],
  newPassword: () => 'a-new-password',
} as const;

/** Sets up with an API that knows one key, and a person who accepts everything after these lines. Returns the key that is written, and how often the API was asked. */
async function setUpWith(
  directory: string,
  right: string,
  own: Pick<Wizard, 'environment' | 'isQuiet'>,
  lines: readonly string[],
) {
  const keys: string[] = [];
  const { wizard } = wizardWith([...lines, ...Array(9).fill('')], { readFile: async () => 'wrong', ...own });
  await setUp({
    wizard,
    directory,
    ...SETTINGS,
    checkAddress: async () => ({ isProxied: false }),
    checkAccount: async (_, key) => {
      keys.push(key);
      return { works: key === right, isOutage: false, isRefused: key !== right, findings: '' };
    },
  });
  return { keys, written: readFileSync(join(directory, 'exporter/key'), 'utf8') };
}

const ACCOUNT = {
  HOSTER_API_URL: 'https://api.example.com',
  HOSTER_API_KEY_FILE: 'key',
  HOSTER_CHANNEL: 'none',
};

it("asks a person for another key if the variable's is refused, but not for the address again", async () => {
  const first = await setUpWith(temporaryFolder(), 'right', { environment: ACCOUNT, isQuiet: false }, [
    'right',
  ]);
  expect(first).toEqual({ keys: ['wrong', 'right'], written: 'right\n' });
});

it('continues with the key of the last run if the API refuses it now, unless the person wants to change answers', async () => {
  const directory = temporaryFolder();
  await setUpWith(directory, 'right', { environment: ACCOUNT, isQuiet: false }, ['right']);
  const environment = { HOSTER_CHANNEL: 'none' };
  const quiet = await setUpWith(directory, 'fresh', { environment, isQuiet: true }, []);
  expect(quiet).toEqual({ keys: ['right'], written: 'right\n' });
  const asked = await setUpWith(directory, 'fresh', { environment, isQuiet: false }, ['', '', 'fresh']);
  expect(asked).toEqual({ keys: ['right', 'fresh'], written: 'fresh\n' });
});

/** Sets up with a person who types these lines and then presses Ctrl-C. Returns what was asked and printed. */
async function interruptedAfter(directory: string, lines: readonly string[]): Promise<readonly string[]> {
  const { wizard, said } = wizardWith(lines, { isQuiet: true });
  const setup = setUp({
    wizard,
    directory,
    ...SETTINGS,
    checkAddress: async ({ hostname }) =>
      hostname === 'typo.example.com'
        ? { problem: 'There is no such server.', isWrong: true }
        : { isProxied: false },
    checkAccount: async (_, key) => ({
      works: key === 'right',
      isOutage: key === 'outage',
      isRefused: key === 'wrong',
      findings: key,
    }),
  });
  await expect(setup).rejects.toThrow(Interrupted);
  return said.map((text) => text.replace(/^hidden /, ''));
}

const ADDRESS = 'https://api.example.com';

it('keeps the account when it is interrupted at a later question, and does not ask for it again', async () => {
  const directory = temporaryFolder();
  await interruptedAfter(directory, [ADDRESS, 'right', 'eur', 'UTC']);
  const configuration = readFileSync(join(directory, 'exporter/hoster-exporter.yml'), 'utf8');
  expect(configuration).toContain('currency: EUR');
  const [, first] = (await interruptedAfter(directory, [])).filter((text) => text !== '');
  expect(first).toMatch(/^Where should alerts be sent/);
});

it('asks only what is left after an interruption at the currency or at the time zone', async () => {
  const directory = temporaryFolder();
  expect((await interruptedAfter(directory, [ADDRESS, 'right'])).at(-1)).toMatch(/^Currency/);
  expect(readFileSync(join(directory, 'exporter/key'), 'utf8')).toBe('right\n');
  const second = await interruptedAfter(directory, ['eur']);
  expect(second.filter((text) => text.endsWith(': '))).toEqual([
    'Currency of the balance, such as EUR or none [none]: ',
    expect.stringMatching(/^Your time zone/),
  ]);
  const third = await interruptedAfter(directory, ['UTC']);
  expect(third.filter((text) => text.endsWith(': '))).toEqual([
    expect.stringMatching(/^Your time zone/),
    expect.stringMatching(/^Where should alerts be sent/),
  ]);
});

it('asks before it changes a configuration that a person wrote', async () => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, 'exporter'));
  const path = join(directory, 'exporter/hoster-exporter.yml');
  writeFileSync(path, '# mine\naccounts: [{ api_url: https://api.example.com, api_key_file: /key }]\n');
  await interruptedAfter(directory, ['right', 'eur', 'UTC', 'none', 'n']).catch(() => {});
  expect(readFileSync(path, 'utf8')).not.toContain('EUR');
});

it('offers none as the currency', async () => {
  const directory = temporaryFolder();
  const seen = await interruptedAfter(directory, [ADDRESS, 'right']);
  expect(seen.at(-1)).toBe('Currency of the balance, such as EUR or none [none]: ');
  await interruptedAfter(directory, [ADDRESS, 'right', '', 'UTC']);
  const configuration = readFileSync(join(directory, 'exporter/hoster-exporter.yml'), 'utf8');
  expect(configuration).not.toContain('currency');
});

it('notices a wrong address before it asks for the key, and offers a typed key again', async () => {
  const directory = temporaryFolder();
  const lines = ['typo.example.com', ADDRESS, 'outage', 'n', ADDRESS];
  const seen = await interruptedAfter(directory, lines);
  expect(seen[1]).toBe('There is no such server.');
  expect(seen[2]).toMatch(/^Address of the marketplace API/);
  expect(seen[3]).toMatch(/^API key, .*\(hidden\): $/);
  expect(seen.at(-1)).toMatch(/^API key, .*\[keep the current one\]: $/);
});
