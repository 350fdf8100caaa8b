import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { shippedText } from '../../rules/shipped.ts';

/** The schema of the configuration file for editors: what may be written, not what the loader makes of it. */
function editorSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(CONFIG_SCHEMA.file, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      const name = path
        .filter((step) => step !== 'properties')
        .join('.')
        .replace(/^(accounts|maintenance|prices)\.items/, '$1[]');
      const setting = CONFIG_SCHEMA.settings.find((each) => each.name === name);
      if (setting !== undefined) jsonSchema.description = setting.description.replaceAll('`', '');
      if (setting?.example !== undefined) jsonSchema.examples = [setting.example];
      // Numbers and switches are texts in flags and variables only.
      if (setting?.isSwitch) jsonSchema.type = 'boolean';
      if (name === '') {
        jsonSchema.title = 'Configuration file of hoster-exporter';
        delete jsonSchema.required;
      } else if (name === 'accounts[]') {
        jsonSchema.oneOf = [{ required: ['api_key_file'] }, { required: ['api_key_env'] }];
      }
    },
  });
}

const EXAMPLE = shippedText('config/hoster-exporter.example.yml');

describe('config/hoster-exporter.schema.json', () => {
  it('is current: run `npm run docs` after a change of the settings', async () => {
    const text = `${JSON.stringify(editorSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../../config/hoster-exporter.schema.json');
  });

  it('describes each setting', () => {
    expect(JSON.stringify(editorSchema()).match(/"description":/g)).toHaveLength(
      CONFIG_SCHEMA.settings.length,
    );
  });

  const validate = new Ajv2020({ strict: false }).compile(editorSchema());

  it('accepts the example, whose first line names it', () => {
    expect(EXAMPLE.split('\n')[0]).toBe('# yaml-language-server: $schema=hoster-exporter.schema.json');
    expect(validate(parse(EXAMPLE)) ? [] : validate.errors).toEqual([]);
  });

  it.each([
    ['a misspelt key', 'pol: {}'],
    ['an account without a key', 'accounts: [{ api_url: "https://api.example.com" }]'],
    [
      'an account with two keys',
      'accounts: [{ api_url: "https://a.example.com", api_key_file: a, api_key_env: B }]',
    ],
    ['a text in place of a switch', 'features: { rental_ids: "yes" }'],
  ])('refuses %s', (_, text) => {
    expect(validate(parse(text))).toBe(false);
  });
});
