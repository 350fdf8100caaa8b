import { userInfo } from 'node:os';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { KeyError, readKey } from '../../../src/base/api-key.ts';
import { Secret } from '../../../src/base/secret.ts';

const failsWith = (code: string) => (): string => {
  throw Object.assign(new Error(code), { code });
};
const noFile = failsWith('ENOENT');

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
      'the path is that of a folder',
      { file: '/run' },
      failsWith('EISDIR'),
      'cannot read the key file /run (EISDIR): a folder, expected a file with the API key in it',
    ],
    [
      'the key stands in the place of the path',
      { file: '/etc/hoster-exporter/hk_live_1234567890' },
      noFile,
      'cannot read the key file /etc/hoster-exporter/[not shown] (ENOENT): create it with the API key in it, readable by this user',
    ],
    ['the file is empty', { file: '/k' }, () => '\n', 'the key file /k is empty: put the API key into it'],
    ['no variable is set', { environment: 'K' }, noFile, 'the variable K is empty: put the API key into it'],
    [
      'the permission is denied',
      { file: '/run/key' },
      failsWith('EACCES'),
      `cannot read the key file /run/key (EACCES): permission denied for the user ${userInfo().username}: make the file and its folder readable by this user`,
    ],
    [
      'the file holds two words',
      { file: '/run/key' },
      () => 'canary one',
      'the key file /run/key contains something that cannot be sent as a key: expected one word of visible ASCII',
    ],
  ])('refuses the key when %s', (_, source, readFile, message) => {
    const read = () => readKey(source, readFile, {});
    expect(read).toThrow(new KeyError(message));
    expect(read).not.toThrow('canary');
  });

  it.each(['KEY=canary', 'export HOSTER_API_KEY=canary', 'api_key: canary', 'X-API-Key: canary'])(
    'refuses the line %s in place of a key, without repeating it',
    (line) => {
      expect(() => readKey({ file: '/run/key' }, () => `${line}\n`, {})).toThrow(
        new KeyError(
          'the key file /run/key has a name before the key (NAME=…), expected only the key: remove the name and the = or : after it',
        ),
      );
    },
  );

  it.each(['"canary"', "'canary'", '<canary>', '""'])('refuses the key %s with marks around it', (text) => {
    expect(() => readKey({ environment: 'KEY' }, noFile, { KEY: text })).toThrow(
      new KeyError(
        'the variable KEY has quotes or brackets around the key, expected only the key: remove them',
      ),
    );
  });

  it.each(['a2V5LXRva2VuOmFiYw==', 'token=', 'token:abc', 'eyJhb.eyJrZ.c2Vj', '"half'])(
    'accepts %s as a key',
    (key) => {
      expect(readKey({ file: 'key.txt' }, () => `${key}\n`, {}).reveal()).toBe(key);
    },
  );
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
