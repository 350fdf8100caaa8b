import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { configurationDocument } from './configuration.ts';

const PATH = join(import.meta.dirname, '../../../config/hoster-exporter.example.yml');
const EXAMPLE = readFileSync(PATH, 'utf8');

function load(flags: ReadonlyMap<string, string>) {
  return loadConfig({
    schema: CONFIG_SCHEMA,
    flags,
    environment: {},
    readFile: () => EXAMPLE,
    accounts: 'optional',
  });
}

describe('docs/CONFIGURATION.md', () => {
  it('is current: run `npm run docs` after a change of the settings', async () => {
    await expect(configurationDocument(EXAMPLE)).toMatchFileSnapshot('../../../docs/CONFIGURATION.md');
  });
});

describe('the example configuration file', () => {
  it('loads, and holds an account, a price and the defaults', () => {
    const valuesOf = ({ config }: ReturnType<typeof load>) => CONFIG_SCHEMA.file.parse(config.content);
    const example = load(new Map([['config.file', PATH]]));
    const values = valuesOf(example);
    expect(values).toEqual({
      ...valuesOf(load(new Map())),
      // Belongs to a feature.
      maintenance: values['maintenance'],
      accounts: [
        {
          name: 'main',
          apiUrl: new URL('https://api.example.com'),
          key: { file: '/run/secrets/hoster' },
          currency: 'EUR',
          balanceLowCents: 500,
        },
      ],
      prices: [{ group: 'rack-01', model: undefined, centsPerDay: 250 }],
    });
    expect(example.warnings).toEqual([]);
  });

  it.each(CONFIG_SCHEMA.settings.map(({ name }) => name.slice(name.indexOf('.') + 1)))(
    'mentions %s',
    (key) => {
      expect(EXAMPLE).toContain(`${key}:`);
    },
  );
});

describe('the settings', () => {
  it.each(CONFIG_SCHEMA.settings.map((setting) => [setting.name, setting] as const))(
    'have a description for %s',
    (_, setting) => {
      expect(setting.description).toMatch(/^[A-Z].*\.$/);
      expect(setting.variable ?? 'HOSTER_').toMatch(/^HOSTER_/);
    },
  );

  it('have unique flags and variables', () => {
    const flags = CONFIG_SCHEMA.settings.flatMap(({ flag }) => flag ?? []);
    const variables = CONFIG_SCHEMA.settings.flatMap(({ variable }) => variable ?? []);
    expect(flags).toEqual([...new Set(flags)]);
    expect(variables).toEqual([...new Set(variables)]);
  });
});
