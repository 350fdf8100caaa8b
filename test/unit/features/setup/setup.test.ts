import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Interrupted } from '../../../../src/cli/terminal.ts';
import type { Wizard } from '../../../../src/features/setup/questions.ts';
import { setUp } from '../../../../src/features/setup/setup.ts';

const SETTINGS = {
  keyFile: '/key',
  secretsFolder: '/secrets',
  templatesFolder: '/templates',
  isShared: false,
  alertmanagerVersion: '0.34.0',
  networks: [{ authorities: undefined, proxies: undefined }],
  newPassword: () => 'a-new-password',
} as const;

/** Sets up with an API that knows one key. Returns the key that is written, and how often the API was asked. */
async function setUpWith(
  directory: string,
  right: string,
  own: Pick<Wizard, 'environment' | 'isQuiet'>,
  lines: readonly string[],
) {
  const left = [...lines];
  const keys: string[] = [];
  const wizard: Wizard = {
    ...own,
    prompt: { ask: async () => left.shift() ?? '' },
    print: async () => {},
    readFile: async () => 'wrong',
  };
  await setUp({
    wizard,
    directory,
    ...SETTINGS,
    checkAddress: async () => undefined,
    checkAccount: async (_, key) => {
      keys.push(key);
      return { works: key === right, isOutage: false, findings: '' };
    },
  });
  return { keys, written: readFileSync(join(directory, 'exporter/key'), 'utf8') };
}

const ACCOUNT = {
  HOSTER_API_URL: 'https://api.example.com',
  HOSTER_API_KEY_FILE: 'key',
  HOSTER_CHANNEL: 'none',
};

it('asks a person for another key where that of the variable, or of the last run, is refused', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hoster-setup-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const first = await setUpWith(directory, 'right', { environment: ACCOUNT, isQuiet: false }, ['', 'right']);
  expect(first).toEqual({ keys: ['wrong', 'right'], written: 'right\n' });
  const environment = { HOSTER_CHANNEL: 'none' };
  const next = await setUpWith(directory, 'fresh', { environment, isQuiet: true }, ['', 'fresh']);
  expect(next).toEqual({ keys: ['right', 'fresh'], written: 'fresh\n' });
});

/** Sets up with a person who types these lines and then presses Ctrl-C. Returns what was asked and printed. */
async function interruptedAfter(directory: string, lines: readonly string[]): Promise<readonly string[]> {
  const left = [...lines];
  const seen: string[] = [];
  const ask = async (question: string): Promise<string> => {
    seen.push(question);
    const line = left.shift();
    if (line === undefined) throw new Interrupted();
    return line;
  };
  const setup = setUp({
    wizard: {
      prompt: { ask },
      print: async (sentence) => void seen.push(sentence),
      environment: {},
      readFile: async () => '',
      isQuiet: true,
    },
    directory,
    ...SETTINGS,
    checkAddress: async ({ hostname }) =>
      hostname === 'typo.example.com' ? { problem: 'There is no such server.', isTypo: true } : undefined,
    checkAccount: async (_, key) => ({ works: key === 'right', isOutage: key === 'outage', findings: key }),
  });
  await expect(setup).rejects.toThrow(Interrupted);
  return seen;
}

const ADDRESS = 'https://api.example.com';

it('keeps the account when it is interrupted at a later question, and does not ask for it again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hoster-setup-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await interruptedAfter(directory, [ADDRESS, 'right', 'eur', 'UTC']);
  const configuration = readFileSync(join(directory, 'exporter/hoster-exporter.yml'), 'utf8');
  expect(configuration).toContain('currency: EUR');
  const [, first] = (await interruptedAfter(directory, [])).filter((text) => text !== '');
  expect(first).toMatch(/^Where should alerts be sent/);
});

it('offers none as the currency', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hoster-setup-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const seen = await interruptedAfter(directory, [ADDRESS, 'right']);
  expect(seen.at(-1)).toBe('Currency of the balance, such as EUR or none [none]: ');
  await interruptedAfter(directory, [ADDRESS, 'right', '', 'UTC']);
  const configuration = readFileSync(join(directory, 'exporter/hoster-exporter.yml'), 'utf8');
  expect(configuration).not.toContain('currency');
});

it('notices a wrong address before it asks for the key, and offers a typed key again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hoster-setup-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const lines = ['typo.example.com', ADDRESS, 'outage', 'n', ADDRESS];
  const seen = await interruptedAfter(directory, lines);
  expect(seen[1]).toBe('There is no such server.');
  expect(seen[2]).toMatch(/^Address of the marketplace API/);
  expect(seen[3]).toMatch(/^API key, .*\(hidden\): $/);
  expect(seen.at(-1)).toMatch(/^API key, .*\[keep the current one\]: $/);
});
