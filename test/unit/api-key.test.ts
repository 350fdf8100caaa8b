import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readKey } from '../../src/api-key.ts';
import { Secret } from '../../src/secret.ts';

const noFile = (): string => {
  throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
};

describe('readKey', () => {
  it('reads a key from a file without its line end', () => {
    expect(readKey({ file: 'key.txt' }, () => 'abc-123\n', {}).reveal()).toBe('abc-123');
  });

  it('reads a key from a variable', () => {
    expect(readKey({ environment: 'KEY' }, noFile, { KEY: ' abc ' }).reveal()).toBe('abc');
  });

  it.each([
    [
      'the file is missing',
      { file: '/run/key' },
      noFile,
      'cannot read the key file /run/key (ENOENT): create it with the API key in it, readable by this user',
    ],
    [
      'the file is empty',
      { file: '/run/key' },
      () => '\n',
      'the key file /run/key is empty: put the API key into it',
    ],
    [
      'the variable is not set',
      { environment: 'KEY' },
      noFile,
      'the variable KEY is empty: put the API key into it',
    ],
    [
      'the file holds two words',
      { file: '/run/key' },
      () => 'canary one',
      'the key file /run/key holds something that cannot be sent as a key: expected one word of visible ASCII',
    ],
  ])('refuses the key when %s', (_, source, readFile, message) => {
    expect(() => readKey(source, readFile, {})).toThrow(message);
  });
});

describe('a secret', () => {
  const secret = new Secret('canary');

  it.each([
    ['as text', `${secret}`],
    ['as JSON', JSON.stringify({ secret })],
    ['inspected', inspect({ secret }, { depth: 9, showHidden: true })],
    ['as an error', inspect(new Error('bad', { cause: secret }))],
  ])('is redacted %s', (_, shown) => {
    expect(shown).not.toContain('canary');
    expect(shown).toContain('[redacted]');
  });
});
