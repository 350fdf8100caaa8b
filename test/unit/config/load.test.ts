import { describe, expect, it } from 'vitest';
import { load, problemsOf } from './sources.ts';

const ACCOUNT = `
accounts:
  - name: main
    api_url: https://api.example.com/v1/
    api_key_file: secrets/key
    currency: EUR
`;

describe('without anything', () => {
  it('every setting has its default', () => {
    const { config, warnings } = load({});
    expect(warnings).toEqual([]);
    expect(config).toEqual({
      accounts: [],
      poll: {
        devices: '*/30 * * * * *',
        tunnels: '*/30 * * * * *',
        balance: '0 * * * * *',
        staleAfterMilliseconds: 900_000,
      },
      client: {
        concurrency: 8,
        timeoutMilliseconds: 15_000,
        requestsPerSecond: undefined,
        caFile: undefined,
        proxyFromEnvironment: false,
      },
      web: {
        listenAddress: { host: '127.0.0.1', port: 9823 },
        telemetryPath: '/metrics',
        configFile: undefined,
      },
      log: { level: 'info', format: 'logfmt' },
      state: { file: undefined, intervalMilliseconds: 60_000 },
      shard: { index: 0, total: 1 },
      features: {
        setupStatus: true,
        tunnelDetails: true,
        tunnelEndpoints: false,
        rentalIds: false,
        tunnelDiscovery: false,
      },
    });
  });

  it('there is no account to poll', () => {
    expect(problemsOf(() => load({ accounts: 'required' }))).toEqual([
      'no account: set HOSTER_API_URL with HOSTER_API_KEY_FILE or HOSTER_API_KEY, or list accounts in the file that --config.file names',
    ]);
  });
});

describe('the file', () => {
  it.each([
    ['nothing', ''],
    ['a comment', '# later\n'],
    ['a mark of byte order and Windows line ends', '\uFEFF# later\r\nlog:\r\n  level: info\r\n'],
    ['sections with nothing beneath them', 'accounts:\npoll:\nweb:\n'],
  ])('may hold %s', (_, file) => {
    expect(load({ file }).config).toEqual(load({}).config);
  });

  it('describes accounts; relative paths of keys start at its folder, addresses lose the slash at their end', () => {
    expect(load({ file: ACCOUNT, accounts: 'required' }).config.accounts).toEqual([
      {
        name: 'main',
        apiUrl: new URL('https://api.example.com/v1'),
        key: { file: '/etc/hoster/secrets/key' },
        currency: 'EUR',
      },
    ]);
  });

  it('leaves absolute paths of keys as they are, and names an account without a name', () => {
    const file = 'accounts: [{ api_url: https://api.example.com, api_key_file: /run/key }]';
    expect(load({ file }).config.accounts).toEqual([
      {
        name: 'default',
        apiUrl: new URL('https://api.example.com'),
        key: { file: '/run/key' },
        currency: undefined,
      },
    ]);
  });

  it('may hold numbers and switches in quotes, as templates write them', () => {
    const { config } = load({ file: 'client: { concurrency: "3" }\nfeatures: { rental_ids: "true" }' });
    expect(config.client.concurrency).toBe(3);
    expect(config.features.rentalIds).toBe(true);
  });

  it('is named by a variable as well', () => {
    const environment = { HOSTER_CONFIG_FILE: '/etc/hoster/hoster.yml' };
    expect(load({ file: 'log: { level: debug }', environment }).config.log.level).toBe('debug');
  });

  it.each([
    ['/nowhere.yml', '/nowhere.yml: no such file: create it, or name another one with --config.file'],
  ])('that does not exist is a problem', (path, message) => {
    expect(problemsOf(() => load({ flags: { 'config.file': path } }))).toEqual([message]);
  });

  it('that is too large is refused', () => {
    expect(problemsOf(() => load({ file: 'x'.repeat(1_048_577) }))).toEqual([
      '/etc/hoster/hoster.yml: got 1048577 characters, expected at most 1048576',
    ]);
  });

  it('that is too deep is refused, wherever the parser gives up', () => {
    const [problem, ...others] = problemsOf(() => load({ file: '{a: '.repeat(10_000) }));
    expect(problem).toMatch(/^\/etc\/hoster\/hoster.yml:1:\d+: nested too deeply to be a configuration$/);
    expect(others).toEqual([]);
  });
});

describe('precedence', () => {
  const file = 'log: { level: error }';
  const environment = { HOSTER_LOG_LEVEL: 'warn' };
  const flags = { 'log.level': 'DEBUG' };

  it.each([
    ['the file over the default', { file }, 'error'],
    ['a variable over the file', { file, environment }, 'warn'],
    ['a flag over a variable', { file, environment, flags }, 'debug'],
    ['an empty variable is not set', { file, environment: { HOSTER_LOG_LEVEL: '' } }, 'error'],
  ])('%s', (_, said, level) => {
    expect(load(said).config.log.level).toBe(level);
  });

  it('names the place that a bad value comes from', () => {
    const said = {
      file: 'client: { concurrency: 0 }\n',
      environment: { HOSTER_POLL_STALE_AFTER: 'soon', HOSTER_API_URL: 'https://u:p@h', HOSTER_API_KEY: 'k' },
      flags: { 'web.listen_address': '9823', 'features.rental_ids': 'on' },
    };
    expect(problemsOf(() => load(said))).toEqual([
      '--features.rental-ids: features.rental_ids: got "on", expected true or false',
      '--web.listen-address: web.listen_address: got "9823", expected an address such as 127.0.0.1:9823, :9823 or [::1]:9823',
      '/etc/hoster/hoster.yml:1:11: client.concurrency: got 0, expected a whole number from 1 to 64',
      'HOSTER_API_URL: accounts[0].api_url: got [not shown], expected an address without a user name: the API key goes into api_key_file or api_key_env',
      'HOSTER_POLL_STALE_AFTER: poll.stale_after: got "soon", expected a duration such as 15m or 1h30m, from 1s to 1w',
    ]);
  });
});

describe('warnings', () => {
  it.each([
    [
      'HOSTER_POL_DEVICES',
      ['HOSTER_POL_DEVICES: set, but nothing reads it; did you mean HOSTER_POLL_DEVICES?'],
    ],
    ['HOSTER_WIBBLE', ['HOSTER_WIBBLE: set, but nothing reads it']],
    ['HOSTER_CURRENCY', ['HOSTER_CURRENCY: has no effect without HOSTER_API_URL']],
    ['HOSTER_API_KEY', ['HOSTER_API_KEY: has no effect without HOSTER_API_URL']],
    ['HOSTER_EXPORTER_SERVICE_HOST', []],
    ['PATH', []],
  ])('when %s is set', (variable, warnings) => {
    expect(load({ environment: { [variable]: 'XYZ' } }).warnings).toEqual(warnings);
  });
});
