import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { SETTINGS } from '../../../src/config/settings.ts';
import { configurationDocument } from './configuration.ts';

const PATH = join(import.meta.dirname, '../../../config/hoster-exporter.example.yml');
const EXAMPLE = readFileSync(PATH, 'utf8');

function load(flags: ReadonlyMap<string, string>) {
  return loadConfig({ flags, environment: {}, readFile: () => EXAMPLE, accounts: 'optional' });
}

describe('docs/CONFIGURATION.md', () => {
  it('is current: run `npm run docs` after a change of the settings', async () => {
    await expect(configurationDocument(EXAMPLE)).toMatchFileSnapshot('../../../docs/CONFIGURATION.md');
  });
});

describe('the example configuration file', () => {
  it('loads, and holds an account, a window and the defaults', () => {
    const { config, warnings } = load(new Map([['config.file', PATH]]));
    expect(config).toEqual({
      ...load(new Map()).config,
      accounts: [
        {
          name: 'main',
          apiUrl: new URL('https://api.example.com'),
          key: { file: '/run/secrets/hoster' },
          currency: 'EUR',
          balanceLowCents: 500,
        },
      ],
      maintenance: [
        {
          name: 'nightly reboot',
          groups: ['rack-01', 'rack-02'],
          schedule: '0 4 * * *',
          duration: 900_000,
        },
      ],
      prices: [{ group: 'rack-01', model: undefined, centsPerDay: 250 }],
    });
    expect(warnings).toEqual([]);
  });

  it.each(SETTINGS.map(({ name }) => name.slice(name.indexOf('.') + 1)))('mentions %s', (key) => {
    expect(EXAMPLE).toContain(`${key}:`);
  });
});

describe('the settings', () => {
  it.each(SETTINGS.map((setting) => [setting.name, setting] as const))(
    'have a description for %s',
    (_, setting) => {
      expect(setting.description).toMatch(/^[A-Z].*\.$/);
      expect(setting.variable ?? 'HOSTER_').toMatch(/^HOSTER_/);
    },
  );

  it('have unique flags and variables', () => {
    const flags = SETTINGS.flatMap(({ flag }) => flag ?? []);
    const variables = SETTINGS.flatMap(({ variable }) => variable ?? []);
    expect(flags).toEqual([...new Set(flags)]);
    expect(variables).toEqual([...new Set(variables)]);
  });
});
