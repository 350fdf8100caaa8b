import { describe, expect, it } from 'vitest';
import { load, problemsOf } from './sources.ts';

const BY_ENVIRONMENT = { HOSTER_API_URL: 'https://api.example.org', HOSTER_API_KEY: 'k' };

describe('a single account from the environment', () => {
  it('needs no configuration file', () => {
    const environment = { ...BY_ENVIRONMENT, HOSTER_ACCOUNT_NAME: 'rack', HOSTER_CURRENCY: 'EUR' };
    const { config, warnings } = load({ environment, accounts: 'required' });
    const key = { environment: 'HOSTER_API_KEY' };
    expect(config.accounts).toEqual([
      { name: 'rack', apiUrl: new URL('https://api.example.org'), key, currency: 'EUR' },
    ]);
    expect(warnings).toEqual([]);
  });

  it('has the name default and a key file relative to the working directory', () => {
    const environment = { HOSTER_API_URL: 'http://localhost:8080', HOSTER_API_KEY_FILE: 'key' };
    expect(load({ environment, accounts: 'required' }).config.accounts).toMatchObject([
      { name: 'default', apiUrl: new URL('http://localhost:8080'), key: { file: 'key' } },
    ]);
  });

  it('replaces the accounts of the file, with a warning', () => {
    const file = 'accounts: [{ api_url: https://api.example.com, api_key_file: key }]';
    const { config, warnings } = load({ file, environment: BY_ENVIRONMENT });
    expect(config.accounts.map(({ name }) => name)).toEqual(['default']);
    expect(warnings).toEqual(['HOSTER_API_URL: its account replaces the accounts of the file (1)']);
  });

  it('takes its key file from a flag rather than from a variable', () => {
    const environment = { ...BY_ENVIRONMENT, HOSTER_API_KEY_FILE: 'b' };
    const flags = { 'accounts[].api_key_file': 'a' };
    expect(load({ environment, flags }).config.accounts[0]?.key).toEqual({ file: 'a' });
  });

  it.each([
    [
      'two keys',
      { ...BY_ENVIRONMENT, HOSTER_API_KEY_FILE: 'key' },
      'HOSTER_API_KEY and HOSTER_API_KEY_FILE are both set: keep one of them',
    ],
    [
      'no key',
      { HOSTER_API_URL: 'https://api.example.org' },
      'HOSTER_API_KEY_FILE: not set: set it to the path of a file with the API key',
    ],
  ])('is refused with %s', (_, environment, message) => {
    expect(problemsOf(() => load({ environment, accounts: 'required' }))).toEqual([message]);
  });
});

describe('api_key_env of an account in the file', () => {
  const file = 'accounts: [{ api_url: https://api.example.com, api_key_env: HOSTER_MAIN_KEY }]';

  it('makes its variable known, so that no warning names it', () => {
    const loaded = load({ file, environment: { HOSTER_MAIN_KEY: 'k' }, accounts: 'required' });
    expect(loaded.config.accounts[0]?.key).toEqual({ environment: 'HOSTER_MAIN_KEY' });
    expect(loaded.warnings).toEqual([]);
  });

  it('is a problem if its variable is not set', () => {
    expect(problemsOf(() => load({ file, accounts: 'required' }))).toEqual([
      '/etc/hoster/hoster.yml:1:48: accounts[0].api_key_env: the variable is not set: set it to the API key',
    ]);
  });
});
