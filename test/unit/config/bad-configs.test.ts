import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { load, problemsOf } from './sources.ts';

/** A bad file and its problems, without the name of the file. */
type BadConfig = readonly [title: string, file: string, ...problems: readonly string[]];

/** A key that some of the files hold. */
const KEY = '0f9c1e7a55';

const INDENTATION = 'wrong indentation: settings that belong together start in the same column';
const ALIAS = 'aliases (*name) are not supported: put a text that starts with * in quotes';
const NO_KEY =
  'accounts[0].api_key_file: got nothing, expected the path of a file with the API key, or api_key_env with the name of a variable';
const NO_TILDE = `a path without ~, which only a shell expands: write ${homedir()}/… instead of ~/…`;

/** Sections at the top of a file. */
const SECTIONS = Object.keys(CONFIG_SCHEMA.file.shape).join(', ');

/** A file with one account, with these settings in lines 4 and up. */
const account = (...settings: readonly string[]): string =>
  `accounts:\n  - ${['name: main', 'api_url: https://api.example.com', ...settings].join('\n    ')}`;

const BAD_CONFIGS: readonly BadConfig[] = [
  [
    'an API key in it',
    account(`api_key: ${KEY}`),
    `2:5: ${NO_KEY}`,
    '4:5: accounts[0].api_key: unknown key. The API key must not be in this file: set api_key_file to the path of a file with it',
  ],
  [
    'a password of the page in it',
    'web:\n  password: canary',
    '2:3: web.password: unknown key. Passwords and TLS are in a file of their own: set config_file to its path',
  ],
  [
    'an API key in place of its path',
    account(`api_key_file: "${KEY}\\n7d"`),
    '4:5: accounts[0].api_key_file: got [not shown], expected the path of a file with the API key',
  ],
  [
    'an API key in place of the name of its variable',
    account(`api_key_env: ${KEY}`),
    '4:5: accounts[0].api_key_env: got [not shown], expected the name of a variable with the API key',
  ],
  ['nothing but an API key', KEY, '1:1: got a text, expected a map with accounts and sections such as poll'],
  [
    'an API key in an address',
    `
accounts:
  - name: login
    api_url: https://hoster:${KEY}@api.example.com
    api_key_file: key
  - name: query
    api_url: https://api.example.com/?key=${KEY}
    api_key_file: key`,
    '3:5: accounts[0].api_url: got [not shown], expected an address without a user name: use api_key_file or api_key_env for the API key',
    '6:5: accounts[1].api_url: got [not shown], expected an address without a query (?…) or fragment (#…)',
  ],
  ['an API key behind an alias', account(`api_key_file: *${KEY}`), `4:19: ${ALIAS}`],
  [
    'both api_key_file and api_key_env',
    account('api_key_file: key', 'api_key_env: HOSTER_KEY'),
    '4:5: accounts[0].api_key_file: got [not shown], expected only one of api_key_file and api_key_env: remove the other',
  ],
  ['no API key', account(), `2:5: ${NO_KEY}`],
  [
    'no address',
    'accounts:\n  - api_key_file: key',
    '2:5: accounts[0].api_url: got nothing, expected an address such as https://api.example.com',
  ],
  [
    'an address without https',
    `
accounts:
  - { api_url: http://api.example.com, api_key_file: key }
  - { name: bare, api_url: api.example.com, api_key_file: key }`,
    '2:7: accounts[0].api_url: got "http://api.example.com", expected https, since plain http would send the API key unencrypted: write https://',
    '3:19: accounts[1].api_url: got "api.example.com", expected an address such as https://api.example.com',
  ],
  [
    'accounts of the same name',
    `
accounts:
  - { name: main, api_url: https://api.example.com, api_key_file: key }
  - { name: main, api_url: https://api.example.org, api_key_file: key }`,
    '3:7: accounts[1].name: got "main", expected a unique name',
  ],
  [
    'invalid names',
    'accounts: [{ name: 1st, api_url: https://api.example.com, api_key_file: key, currency: euro }]',
    '1:14: accounts[0].name: got "1st", expected a letter or _, then at most 63 letters, digits, _ or -',
    '1:78: accounts[0].currency: got "euro", expected a code such as EUR',
  ],
  [
    'accounts that are not a list',
    'accounts:\n  name: main',
    '1:1: accounts: got a map, expected a list of accounts',
  ],
  [
    'an account that is not a map',
    'accounts:\n  - https://api.example.com',
    '2:5: accounts[0]: got a text, expected a map with api_url and api_key_file or api_key_env',
  ],
  [
    'sections that are not maps',
    'poll: "*/30 * * * * *"\nweb:\n  - listen_address: ":9823"',
    '1:1: poll: got a text, expected a map of settings',
    '2:1: web: got a list, expected a map of settings',
  ],
  [
    'unknown keys',
    `
pol:
  devices: "0 * * * * *"
poll:
  stale_afer: 15m
client:
  stale_after: 15m
  wibble: 1`,
    '1:1: pol: unknown key. Did you mean poll?',
    '4:3: poll.stale_afer: unknown key. Did you mean stale_after?',
    '6:3: client.stale_after: unknown key. Did you mean poll.stale_after?',
    '7:3: client.wibble: unknown key. Expected one of concurrency, timeout, requests_per_second, ca_file, proxy_from_environment',
  ],
  [
    'bad schedules',
    `
poll:
  devices: "* * * * *"
  tunnels: "0 61 * * * *"
  balance: "0 0 0 31 feb *"`,
    '2:3: poll.devices: got "* * * * *", expected six fields (second minute hour day month weekday), not 5: "0 * * * * *" means the same',
    '3:3: poll.tunnels: got "0 61 * * * *", expected the minute to be *, 0 to 59, a range a-b, a step */n or a list of these',
    '4:3: poll.balance: got "0 0 0 31 feb *", expected a day that exists in one of the months',
  ],
  [
    'bad numbers',
    `
poll:
  devices:
  stale_after: 900
client:
  concurrency: 65
  timeout: 1 minute`,
    '2:3: poll.devices: got nothing, expected a cron expression with seconds such as "*/30 * * * * *"',
    '3:3: poll.stale_after: got 900, expected a duration such as 15m or 1h30m, from 1s to 1w',
    '5:3: client.concurrency: got 65, expected a whole number from 1 to 64',
    '6:3: client.timeout: got "1 minute", expected a duration such as 15m or 1h30m, from 100ms to 5m',
  ],
  [
    'bad words',
    `
web:
  listen_address: "9823"
  telemetry_path: /sd/metrics
log:
  level: verbose
  format: text
features:
  rental_ids: yes
  tunnel_endpoints: 1`,
    '2:3: web.listen_address: got "9823", expected an address such as 127.0.0.1:9823, :9823 or [::1]:9823',
    '3:3: web.telemetry_path: got "/sd/metrics", expected a path that is not below /-, /api, /assets, /runbooks or /sd',
    '5:3: log.level: got "verbose", expected one of trace, debug, info, warn, error',
    '6:3: log.format: got "text", expected one of logfmt, json',
    '8:3: features.rental_ids: got "yes", expected true or false',
    '9:3: features.tunnel_endpoints: got 1, expected true or false',
  ],
  ['a duplicate key', 'log: { level: info }\nlog: {}', '2:1: duplicate key: keep one of the two'],
  ['a tab', 'poll:\n\tdevices: "0 * * * * *"', '2:1: a tab: indent YAML with spaces'],
  ['a schedule without quotes', 'poll:\n  devices: */30 * * * * *', `2:12: ${ALIAS}`],
  [
    'an address without quotes',
    'web:\n  listen_address: @9823',
    '2:19: a text starts with a reserved character (@ or `): put it in quotes',
  ],
  [
    'two colons in a line',
    'poll: devices: 1',
    '1:7: a second ": " in one line: put the text in quotes, or break the line',
  ],
  ['an open quote', 'poll:\n  devices: "0 *\n', '3:1: a bracket, quote, colon or comma is missing'],
  ['bad indentation', 'poll:\n  devices: "0 * * * * *"\n tunnels: "0 * * * * *"', `3:1: ${INDENTATION}`],
  [
    'a setting that is indented more than the one above',
    'poll:\n stale_after: 15m\n  devices: "0 * * * * *"',
    `3:1: ${INDENTATION}`,
  ],
  [
    'settings of an account that are indented less and more than its name',
    'accounts:\n  - name: main\n   api_url: https://api.example.com\n    api_key_file: /run/key',
    `3:1: ${INDENTATION}`,
    `4:1: ${INDENTATION}`,
  ],
  [
    'a first section that is indented',
    ' poll:\n  stale_after: 15m\nweb:\n  listen_address: ":9823"',
    '3:1: unexpected text: check the indentation of this line, and the brackets and quotes above it',
  ],
  ['an open bracket', 'accounts: [{ name: main\nweb: {}', '2:1: a bracket, quote, colon or comma is missing'],
  [
    'paths in the home folder of a shell',
    `
accounts:
  - { name: main, api_url: https://api.example.com, api_key_file: ~/canary }
client: { ca_file: ~/ca.pem }
web: { config_file: ~/web.yml }
state: { file: ~/state.json }`,
    `2:53: accounts[0].api_key_file: got [not shown], expected ${NO_TILDE}`,
    `3:11: client.ca_file: got "~/ca.pem", expected ${NO_TILDE}`,
    `4:8: web.config_file: got "~/web.yml", expected ${NO_TILDE}`,
    `5:10: state.file: got "~/state.json", expected ${NO_TILDE}`,
  ],
  [
    'two documents',
    'log: { level: info }\n---\nlog: { level: debug }',
    '2:1: a second document (---): a file has one configuration',
  ],
  ['aliases of aliases', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]', `2:8: ${ALIAS}`, `3:5: ${ALIAS}`],
  [
    'a tag',
    'poll: !!js/function "0"',
    '1:7: tags (!…) are not supported: put a text that starts with ! in quotes',
  ],
  [
    'an account without its hyphen and indentation',
    'accounts:\nname: main\napi_url: https://api.example.com\napi_key_file: key',
    '2:1: name: unknown key. Did you mean accounts[].name?',
    '3:1: api_url: unknown key. Did you mean accounts[].api_url?',
    '4:1: api_key_file: unknown key. Did you mean accounts[].api_key_file?',
  ],
  [
    'control characters in values and keys',
    'log:\n  level: "\\e[31minfo\\u202E"\n"\\e[31m": 1\n__proto__:\n  a: 1\nconstructor: 1',
    '2:3: log.level: got "�[31minfo�", expected one of trace, debug, info, warn, error',
    `3:1: "�[31m": unknown key. Expected one of ${SECTIONS}`,
    `4:1: __proto__: unknown key. Expected one of ${SECTIONS}`,
    `6:1: constructor: unknown key. Expected one of ${SECTIONS}`,
  ],
];

describe('an invalid configuration file', () => {
  it.each(BAD_CONFIGS)(
    'with %s is refused with all its problems, their places and what was expected, without its key',
    (_, file, ...problems) => {
      const found = problemsOf(() => load({ file: file.replace(/^\n/, '') }));
      expect(found).toEqual(problems.map((problem) => `/etc/hoster/hoster.yml:${problem}`));
      expect(found.join('\n')).not.toContain(KEY);
    },
  );
});
