import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Wizard } from '../../../../src/features/setup/questions.ts';
import { setUp } from '../../../../src/features/setup/setup.ts';

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
    keyFile: '/key',
    secretsFolder: '/secrets',
    templatesFolder: '/templates',
    isShared: false,
    alertmanagerVersion: '0.34.0',
    networks: [{ authorities: undefined, proxies: undefined }],
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
