import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/config/flags.ts';
import { CONFIG_SCHEMA } from '../../src/features.ts';
import { anyCharacter } from '../any-character.ts';
import { load, problemsOf } from '../unit/config/sources.ts';

/** Content of the right shape with anything in it, so that the schema is reached. */
const content = fc.dictionary(
  fc.constantFrom('accounts', 'poll', 'client', 'web', 'log', 'features', '__proto__', 'x'),
  fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('devices', 'level', 'timeout', 'rental_ids', 'toString'), fc.jsonValue()),
    fc.array(fc.dictionary(fc.constantFrom('name', 'api_url', 'api_key_file', 'currency'), fc.jsonValue())),
  ),
);

const { settings } = CONFIG_SCHEMA;

describe('loading a configuration', () => {
  it('never crashes on a file of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (file) => {
        problemsOf(() => load({ file }));
      }),
      { numRuns: 300 },
    );
  });

  it('reports each problem of any file in one printable line with its place', () => {
    fc.assert(
      fc.property(content, (values) => {
        for (const problem of problemsOf(() => load({ file: JSON.stringify(values) }))) {
          expect(problem).toMatch(/^\/etc\/hoster\/hoster\.yml:\d+:\d+: \P{Cc}+$/u);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('never crashes on any variables', () => {
    const variables = fc.constantFrom('HOSTER_X', ...settings.flatMap(({ variable }) => variable ?? []));
    fc.assert(
      fc.property(fc.dictionary(variables, fc.string({ unit: anyCharacter })), (environment) => {
        problemsOf(() => load({ environment }));
      }),
      { numRuns: 300 },
    );
  });

  it('never crashes on any arguments', () => {
    const flags = settings.flatMap(({ flag }) => (flag === undefined ? [] : [`--${flag}`, `--no-${flag}`]));
    const argument = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('-h', '--', ...flags));
    fc.assert(
      fc.property(fc.array(argument), (argv) => {
        problemsOf(() => parseArguments(argv, {}, settings));
      }),
      { numRuns: 300 },
    );
  });
});
