import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { load, problemsOf } from './sources.ts';

/** A bad file and its problems, without the name of the file. */
type BadConfig = { readonly title: string; readonly file: string; readonly problems: readonly string[] };

/** A key that some of the files hold. */
const KEY = '0f9c1e7a55';

const INDENTATION = 'wrong indentation: settings that belong together start in the same column';

const NO_TILDE = `a path without ~, which only a shell expands: write ${homedir()}/… instead of ~/…`;

/** What stands at the top of a file. */
const SECTIONS = Object.keys(CONFIG_SCHEMA.file.shape).join(', ');

/** The line feed in front of each text belongs to the layout here, not to the file. */
const BAD_CONFIGS: readonly BadConfig[] = [
  {
    title: 'an API key in it',
    file: `
accounts:
  - name: main
    api_url: https://api.example.com
    api_key: 0f9c1e7a55
`,
    problems: [
      '2:5: accounts[0].api_key_file: got nothing, expected the path of a file with the API key, or api_key_env with the name of a variable',
      '4:5: accounts[0].api_key: unknown key. The API key must not be in this file: set api_key_file to the path of a file with it',
    ],
  },
  {
    title: 'a password of the page in it',
    file: `
web:
  password: canary
`,
    problems: [
      '2:3: web.password: unknown key. Passwords and TLS are in a file of their own: set config_file to its path',
    ],
  },
  {
    title: 'an API key in place of its path',
    file: `
accounts:
  - name: main
    api_url: https://api.example.com
    api_key_file: "0f9c1e7a55\\n7d"
`,
    problems: [
      '4:5: accounts[0].api_key_file: got [not shown], expected the path of a file with the API key',
    ],
  },
  {
    title: 'an API key in place of the name of its variable',
    file: `
accounts:
  - name: main
    api_url: https://api.example.com
    api_key_env: 0f9c1e7a55
`,
    problems: [
      '4:5: accounts[0].api_key_env: got [not shown], expected the name of a variable with the API key',
    ],
  },
  {
    title: 'nothing but an API key',
    file: `
0f9c1e7a55
`,
    problems: ['1:1: got a text, expected a map with accounts and sections such as poll'],
  },
  {
    title: 'an API key in an address',
    file: `
accounts:
  - name: login
    api_url: https://hoster:0f9c1e7a55@api.example.com
    api_key_file: key
  - name: query
    api_url: https://api.example.com/?key=0f9c1e7a55
    api_key_file: key
`,
    problems: [
      '3:5: accounts[0].api_url: got [not shown], expected an address without a user name: use api_key_file or api_key_env for the API key',
      '6:5: accounts[1].api_url: got [not shown], expected an address without a query (?…) or fragment (#…)',
    ],
  },
  {
    title: 'an API key behind an alias',
    file: `
accounts:
  - name: main
    api_url: https://api.example.com
    api_key_file: *0f9c1e7a55
`,
    problems: ['4:19: aliases (*name) are not supported: put a text that starts with * in quotes'],
  },
  {
    title: 'both api_key_file and api_key_env',
    file: `
accounts:
  - name: main
    api_url: https://api.example.com
    api_key_file: key
    api_key_env: HOSTER_KEY
`,
    problems: [
      '4:5: accounts[0].api_key_file: got [not shown], expected only one of api_key_file and api_key_env: remove the other',
    ],
  },
  {
    title: 'no API key',
    file: `
accounts:
  - name: main
    api_url: https://api.example.com
`,
    problems: [
      '2:5: accounts[0].api_key_file: got nothing, expected the path of a file with the API key, or api_key_env with the name of a variable',
    ],
  },
  {
    title: 'no address',
    file: `
accounts:
  - api_key_file: key
`,
    problems: ['2:5: accounts[0].api_url: got nothing, expected an address such as https://api.example.com'],
  },
  {
    title: 'an address without https',
    file: `
accounts:
  - api_url: http://api.example.com
    api_key_file: key
  - name: bare
    api_url: api.example.com
    api_key_file: key
`,
    problems: [
      '2:5: accounts[0].api_url: got "http://api.example.com", expected https, since plain http would send the API key unencrypted: write https://',
      '5:5: accounts[1].api_url: got "api.example.com", expected an address such as https://api.example.com',
    ],
  },
  {
    title: 'accounts of the same name',
    file: `
accounts:
  - name: main
    api_url: https://api.example.com
    api_key_file: key
  - name: main
    api_url: https://api.example.org
    api_key_file: key
`,
    problems: ['5:5: accounts[1].name: got "main", expected a unique name'],
  },
  {
    title: 'invalid names',
    file: `
accounts:
  - name: 1st
    api_url: https://api.example.com
    api_key_file: key
    currency: euro
`,
    problems: [
      '2:5: accounts[0].name: got "1st", expected a letter or _, then at most 63 letters, digits, _ or -',
      '5:5: accounts[0].currency: got "euro", expected a code such as EUR',
    ],
  },
  {
    title: 'accounts that are not a list',
    file: `
accounts:
  name: main
  api_url: https://api.example.com
`,
    problems: ['1:1: accounts: got a map, expected a list of accounts'],
  },
  {
    title: 'an account that is not a map',
    file: `
accounts:
  - https://api.example.com
`,
    problems: ['2:5: accounts[0]: got a text, expected a map with api_url and api_key_file or api_key_env'],
  },
  {
    title: 'sections that are not maps',
    file: `
poll: "*/30 * * * * *"
web:
  - listen_address: ":9823"
`,
    problems: [
      '1:1: poll: got a text, expected a map of settings',
      '2:1: web: got a list, expected a map of settings',
    ],
  },
  {
    title: 'unknown keys',
    file: `
pol:
  devices: "0 * * * * *"
poll:
  stale_afer: 15m
client:
  stale_after: 15m
  wibble: 1
`,
    problems: [
      '1:1: pol: unknown key. Did you mean poll?',
      '4:3: poll.stale_afer: unknown key. Did you mean stale_after?',
      '6:3: client.stale_after: unknown key. Did you mean poll.stale_after?',
      '7:3: client.wibble: unknown key. Expected one of concurrency, timeout, requests_per_second, ca_file, proxy_from_environment',
    ],
  },
  {
    title: 'bad schedules',
    file: `
poll:
  devices: "* * * * *"
  tunnels: "0 61 * * * *"
  balance: "0 0 0 31 feb *"
`,
    problems: [
      '2:3: poll.devices: got "* * * * *", expected six fields (second minute hour day month weekday), not 5: "0 * * * * *" means the same',
      '3:3: poll.tunnels: got "0 61 * * * *", expected the minute to be *, 0 to 59, a range a-b, a step */n or a list of these',
      '4:3: poll.balance: got "0 0 0 31 feb *", expected a day that exists in one of the months',
    ],
  },
  {
    title: 'bad numbers',
    file: `
poll:
  devices:
  stale_after: 900
client:
  concurrency: 65
  timeout: 1 minute
`,
    problems: [
      '2:3: poll.devices: got nothing, expected a cron expression with seconds such as "*/30 * * * * *"',
      '3:3: poll.stale_after: got 900, expected a duration such as 15m or 1h30m, from 1s to 1w',
      '5:3: client.concurrency: got 65, expected a whole number from 1 to 64',
      '6:3: client.timeout: got "1 minute", expected a duration such as 15m or 1h30m, from 100ms to 5m',
    ],
  },
  {
    title: 'bad words',
    file: `
web:
  listen_address: "9823"
  telemetry_path: /sd/metrics
log:
  level: verbose
  format: text
features:
  rental_ids: yes
  tunnel_endpoints: 1
`,
    problems: [
      '2:3: web.listen_address: got "9823", expected an address such as 127.0.0.1:9823, :9823 or [::1]:9823',
      '3:3: web.telemetry_path: got "/sd/metrics", expected a path that is not below /-, /api, /assets, /runbooks or /sd',
      '5:3: log.level: got "verbose", expected one of trace, debug, info, warn, error',
      '6:3: log.format: got "text", expected one of logfmt, json',
      '8:3: features.rental_ids: got "yes", expected true or false',
      '9:3: features.tunnel_endpoints: got 1, expected true or false',
    ],
  },
  {
    title: 'a duplicate key',
    file: `
poll:
  devices: "0 * * * * *"
  devices: "30 * * * * *"
`,
    problems: ['3:3: duplicate key: keep one of the two'],
  },
  {
    title: 'a tab',
    file: `
poll:
	devices: "0 * * * * *"
`,
    problems: ['2:1: a tab: indent YAML with spaces'],
  },
  {
    title: 'a schedule without quotes',
    file: `
poll:
  devices: */30 * * * * *
`,
    problems: ['2:12: aliases (*name) are not supported: put a text that starts with * in quotes'],
  },
  {
    title: 'an address without quotes',
    file: `
web:
  listen_address: @9823
`,
    problems: ['2:19: a text starts with a reserved character (@ or `): put it in quotes'],
  },
  {
    title: 'two colons in a line',
    file: `
poll: devices: 1
`,
    problems: ['1:7: a second ": " in one line: put the text in quotes, or break the line'],
  },
  {
    title: 'an open quote',
    file: `
poll:
  devices: "0 * * * * *
`,
    problems: ['3:1: a bracket, quote, colon or comma is missing'],
  },
  {
    title: 'bad indentation',
    file: `
poll:
  devices: "0 * * * * *"
 tunnels: "0 * * * * *"
`,
    problems: [`3:1: ${INDENTATION}`],
  },
  {
    title: 'a setting that is indented more than the one above',
    file: `
poll:
 stale_after: 15m
  devices: "0 * * * * *"
`,
    problems: [`3:1: ${INDENTATION}`],
  },
  {
    title: 'settings of an account that are indented less and more than its name',
    file: `
accounts:
  - name: main
   api_url: https://api.example.com
    api_key_file: /run/key
`,
    problems: [`3:1: ${INDENTATION}`, `4:1: ${INDENTATION}`],
  },
  {
    title: 'a first section that is indented',
    file: `
 poll:
  stale_after: 15m
web:
  listen_address: ":9823"
`,
    problems: [
      '3:1: unexpected text: check the indentation of this line, and the brackets and quotes above it',
    ],
  },
  {
    title: 'an open bracket',
    file: `
accounts: [{ name: main
web: {}
`,
    problems: ['2:1: a bracket, quote, colon or comma is missing'],
  },
  {
    title: 'paths in the home folder of a shell',
    file: `
accounts:
  - { name: main, api_url: https://api.example.com, api_key_file: ~/canary }
client: { ca_file: ~/ca.pem }
web: { config_file: ~/web.yml }
state: { file: ~/state.json }
`,
    problems: [
      `2:53: accounts[0].api_key_file: got [not shown], expected ${NO_TILDE}`,
      `3:11: client.ca_file: got "~/ca.pem", expected ${NO_TILDE}`,
      `4:8: web.config_file: got "~/web.yml", expected ${NO_TILDE}`,
      `5:10: state.file: got "~/state.json", expected ${NO_TILDE}`,
    ],
  },
  {
    title: 'two documents',
    file: `
log: { level: info }
---
log: { level: debug }
`,
    problems: ['2:1: a second document (---): a file has one configuration'],
  },
  {
    title: 'aliases of aliases',
    file: `
a: &a [x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a]
c: [*b, *b, *b, *b]
`,
    problems: [
      '2:8: aliases (*name) are not supported: put a text that starts with * in quotes',
      '3:5: aliases (*name) are not supported: put a text that starts with * in quotes',
    ],
  },
  {
    title: 'a tag',
    file: `
poll: !!js/function "0"
`,
    problems: ['1:7: tags (!…) are not supported: put a text that starts with ! in quotes'],
  },
  {
    title: 'an account without its hyphen and indentation',
    file: `
accounts:
name: main
api_url: https://api.example.com
api_key_file: key
`,
    problems: [
      '2:1: name: unknown key. Did you mean accounts[].name?',
      '3:1: api_url: unknown key. Did you mean accounts[].api_url?',
      '4:1: api_key_file: unknown key. Did you mean accounts[].api_key_file?',
    ],
  },
  {
    title: 'control characters in values and keys',
    file: `
log:
  level: "\\e[31minfo\\u202E"
"\\e[31m": 1
__proto__:
  a: 1
constructor: 1
`,
    problems: [
      '2:3: log.level: got "�[31minfo�", expected one of trace, debug, info, warn, error',
      `3:1: "�[31m": unknown key. Expected one of ${SECTIONS}`,
      `4:1: __proto__: unknown key. Expected one of ${SECTIONS}`,
      `6:1: constructor: unknown key. Expected one of ${SECTIONS}`,
    ],
  },
];

function problemsWith({ file }: BadConfig): readonly string[] {
  return problemsOf(() => load({ file: file.slice(1) })).map((problem) =>
    problem.replace('/etc/hoster/hoster.yml:', ''),
  );
}

describe('an invalid configuration file', () => {
  it.each(BAD_CONFIGS.map((each) => [each.title, each] as const))(
    'with %s is refused with all its problems, their places and what was expected',
    (_, badConfig) => {
      expect(problemsWith(badConfig)).toEqual(badConfig.problems);
    },
  );

  it('never has its key repeated in a problem', () => {
    expect(BAD_CONFIGS.flatMap(problemsWith).join('\n')).not.toContain(KEY);
  });
});
