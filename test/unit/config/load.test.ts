import { describe, expect, it } from 'vitest';
import { windowsOf } from '../../../src/features/maintenance/settings.ts';
import { load, problemsOf, valuesOf } from './sources.ts';

it('a group or a model is known in each of its Unicode forms, at its full length', () => {
  const [typed, shown] = ['u\u0308', '\u00FC'].map((letter) => letter.repeat(128));
  const window = {
    name: 'nightly',
    schedule: '0 4 * * *',
    duration: '15m',
    groups: [typed],
    devices: [typed],
  };
  const prices = [{ group: typed, model: typed, cents_per_day: 250 }];
  const { config } = load({ file: JSON.stringify({ maintenance: [window], prices }) });
  expect(config.prices).toMatchObject([{ group: shown, model: shown }]);
  expect(windowsOf(config)).toMatchObject([{ scope: { groups: [shown], devices: [shown] } }]);
});

const WINDOW = 'name: a, schedule: "0 4 * * *", duration: 15m';

it.each([
  [`maintenance: [{ ${WINDOW}, groups: [01] }]`, 'a list of groups: put it'],
  [`maintenance: [{ ${WINDOW}, devices: [true] }]`, 'by id or label: put it'],
  ['prices: [{ group: 01, cents_per_day: 250 }]', 'the name of a group: put it'],
  ['prices: [{ model: 01, cents_per_day: 250 }]', 'the name of a model: put it'],
])('says to quote a name that YAML takes for something else: %s', (file, advice) => {
  expect(problemsOf(() => load({ file }))).toEqual([expect.stringContaining(`${advice} in quotes`)]);
});

describe('a configuration without any source', () => {
  it('has the default of every setting', () => {
    const { config, warnings } = load({});
    expect(warnings).toEqual([]);
    const { content, ...values } = config;
    expect(content).toMatchObject({ accounts: [], poll: {} });
    expect(values).toEqual({
      accounts: [],
      time_zone: 'UTC',
      prices: [],
      poll: {
        devices: '*/30 * * * * *',
        tunnels: '*/30 * * * * *',
        balance: '0 * * * * *',
        stale_after: 900_000,
      },
      offline: { after: undefined },
      problems: { idle_after: 259_200_000, given_up_after: 604_800_000 },
      client: {
        concurrency: 8,
        timeout: 15_000,
        requests_per_second: undefined,
        ca_file: undefined,
        proxy_from_environment: false,
      },
      web: {
        listen_address: { host: '127.0.0.1', port: 9823 },
        anonymous_reading: false,
        telemetry_path: '/metrics',
        config_file: undefined,
        external_url: undefined,
        enable_lifecycle: false,
        enable_changes: false,
      },
      log: { level: 'info', format: 'logfmt', events: true },
      groups: { separator: '/', levels: 1 },
      state: { file: undefined, interval: 60_000 },
      features: {
        tunnel_endpoints: false,
        rental_ids: false,
      },
    });
  });

  it('is refused where an account is required', () => {
    expect(problemsOf(() => load({ accounts: 'required' }))).toEqual([
      'no account yet: run `hoster-exporter setup`, or `hoster-exporter demo` to try it. To configure one yourself, set HOSTER_API_URL and HOSTER_API_KEY_FILE, or list accounts in the file of --config.file',
    ]);
  });
});

describe('the configuration file', () => {
  it.each([
    ['nothing', ''],
    ['a comment', '# later\n'],
    ['a byte order mark and Windows line ends', '\uFEFF# later\r\nlog:\r\n  level: info\r\n'],
    ['empty sections', 'accounts:\npoll:\nweb:\n'],
  ])('has no effect if it holds %s', (_, file) => {
    expect(valuesOf(load({ file }))).toEqual(valuesOf(load({})));
  });

  const URL_OF_API = 'api_url: https://api.example.com/v1/';

  it.each([
    [
      'a relative key path, from its folder',
      `name: main, ${URL_OF_API}, api_key_file: secrets/key, currency: EUR`,
    ],
    ['an absolute key path, and no name', `${URL_OF_API}, api_key_file: /run/key`],
  ])('describes an account with %s', (_, settings) => {
    const isNamed = settings.includes('main');
    expect(load({ file: `accounts: [{ ${settings} }]`, accounts: 'required' }).config.accounts).toEqual([
      {
        name: isNamed ? 'main' : 'default',
        apiUrl: new URL('https://api.example.com/v1'),
        key: { file: isNamed ? '/etc/hoster/secrets/key' : '/run/key' },
        currency: isNamed ? 'EUR' : undefined,
      },
    ]);
  });

  it('may hold numbers and switches in quotes', () => {
    const { config } = load({ file: 'client: { concurrency: "3" }\nfeatures: { rental_ids: "true" }' });
    expect(config.client.concurrency).toBe(3);
    expect(config.features.rental_ids).toBe(true);
  });

  it('can be named by HOSTER_CONFIG_FILE', () => {
    const environment = { HOSTER_CONFIG_FILE: '/etc/hoster/hoster.yml' };
    expect(load({ file: 'log: { level: debug }', environment }).config.log.level).toBe('debug');
  });

  it('is a problem if it does not exist', () => {
    expect(problemsOf(() => load({ flags: { 'config.file': '/nowhere.yml' } }))).toEqual([
      '/nowhere.yml: no such file: create it, or name another one with --config.file',
    ]);
  });

  it('is refused if it is too large', () => {
    expect(problemsOf(() => load({ file: 'x'.repeat(1_048_577) }))).toEqual([
      '/etc/hoster/hoster.yml: got 1048577 characters, expected at most 1048576',
    ]);
  });

  it('is refused if it is nested too deeply', () => {
    const [problem, ...others] = problemsOf(() => load({ file: '{a: '.repeat(10_000) }));
    expect(problem).toMatch(/^\/etc\/hoster\/hoster.yml:1:\d+: nested too deeply$/);
    expect(others).toEqual([]);
  });
});

describe('a setting from several sources', () => {
  const file = 'log: { level: error }';
  const environment = { HOSTER_LOG_LEVEL: 'warn' };
  const flags = { 'log.level': 'DEBUG' };

  it.each([
    ['from the file rather than the default', { file }, 'error'],
    ['from a variable rather than the file', { file, environment }, 'warn'],
    ['from a flag rather than a variable', { file, environment, flags }, 'debug'],
    ['from the file rather than an empty variable', { file, environment: { HOSTER_LOG_LEVEL: '' } }, 'error'],
  ])('is taken %s', (_, sources, level) => {
    expect(load(sources).config.log.level).toBe(level);
  });

  it('is reported with the flag, variable or place in the file that its invalid value comes from', () => {
    const sources = {
      file: 'client: { concurrency: 0 }\n',
      environment: { HOSTER_POLL_STALE_AFTER: 'soon', HOSTER_API_URL: 'https://u:p@h', HOSTER_API_KEY: 'k' },
      flags: { 'web.listen_address': '9823', 'features.rental_ids': 'maybe' },
    };
    expect(problemsOf(() => load(sources))).toEqual([
      '--features.rental-ids: features.rental_ids: got "maybe", expected true or false',
      '--web.listen-address: web.listen_address: got "9823", expected an address such as 127.0.0.1:9823, :9823 or [::1]:9823',
      '/etc/hoster/hoster.yml:1:11: client.concurrency: got 0, expected a whole number from 1 to 64',
      'HOSTER_API_URL: accounts[0].api_url: got [not shown], expected an address without a user name: use api_key_file or api_key_env for the API key',
      'HOSTER_POLL_STALE_AFTER: poll.stale_after: got "soon", expected a duration such as 15m or 1h30m, from 1s to 1w',
    ]);
  });
});

it('warns of a price that never applies, since one before it is for all of its phones', () => {
  const prices = ['{group: r1, cents_per_day: 1}', '{model: M, cents_per_day: 2}'];
  const later = [
    '{group: r1, model: N, cents_per_day: 3}',
    '{cents_per_day: 4}',
    '{group: r2, cents_per_day: 5}',
  ];
  const file = `prices:\n${[...prices, ...later].map((each) => `  - ${each}\n`).join('')}`;
  expect(load({ file }).warnings).toEqual([
    '/etc/hoster/hoster.yml:4:5: prices[2]: never applies, since prices[0] covers all of its phones: put it first',
    '/etc/hoster/hoster.yml:6:5: prices[4]: never applies, since prices[3] covers all of its phones: put it first',
  ]);
});

describe('warnings about variables', () => {
  it.each([
    ['HOSTER_POL_DEVICES', ['HOSTER_POL_DEVICES: unknown variable. Did you mean HOSTER_POLL_DEVICES?']],
    ['HOSTER_WIBBLE', ['HOSTER_WIBBLE: unknown variable.']],
    ['HOSTER_CURRENCY', ['HOSTER_CURRENCY: has no effect without HOSTER_API_URL']],
    ['HOSTER_API_KEY', ['HOSTER_API_KEY: has no effect without HOSTER_API_URL']],
    ['HOSTER_EXPORTER_SERVICE_HOST', []],
    ['PATH', []],
  ])('are given as expected when %s is set', (variable, warnings) => {
    expect(load({ environment: { [variable]: 'XYZ' } }).warnings).toEqual(warnings);
  });
});
