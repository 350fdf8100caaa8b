import { describe, expect, it } from 'vitest';
import {
  optionsHelp,
  parseArguments,
  requestedInformation,
  settingsHelp,
} from '../../../src/config/flags.ts';
import { setting } from '../../../src/config/settings.ts';
import { onOff, wholeNumber } from '../../../src/config/values.ts';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { problemsOf } from './sources.ts';

const DEMO = {
  phones: setting(wholeNumber(1, 100_000), { description: 'Number of phones.', default: 250 }),
  start_slowly: setting(onOff, { description: 'Whether phones appear one by one.', default: true }),
};

const { settings } = CONFIG_SCHEMA;

const NO_KEY =
  'unknown flag. Keys are not accepted on the command line: use --api.key-file or HOSTER_API_KEY_FILE';

describe('parseArguments', () => {
  it.each([
    [['--poll.stale-after', '20m'], { 'poll.stale_after': '20m' }],
    [['--poll.devices=0 * * * * *'], { 'poll.devices': '0 * * * * *' }],
    [['--features.rental-ids'], { 'features.rental_ids': 'true' }],
    [['--no-features.rental-ids'], { 'features.rental_ids': 'false' }],
    [['--features.rental-ids=off'], { 'features.rental_ids': 'off' }],
    [['--api.key-file', '/run/key'], { 'accounts[].api_key_file': '/run/key' }],
    [['--config.file', 'hoster.yml'], { 'config.file': 'hoster.yml' }],
    [['--account.name=-x'], { 'accounts[].name': '-x' }],
    [[], {}],
  ])('reads the settings from %j', (argv, given) => {
    expect(Object.fromEntries(parseArguments(argv, {}, settings).flags)).toEqual(given);
  });

  it.each([
    [['--poll.device=x'], ['--poll.device: unknown flag. Did you mean --poll.devices?']],
    [['--wibble', 'x'], ['--wibble: unknown flag. See --help']],
    [['-poll.device', 'x'], ['--poll.device: unknown flag. Did you mean --poll.devices?']],
    [['--listen-address=:1'], ['--listen-address: unknown flag. Did you mean --web.listen-address?']],
    [['--api.key', '0f9c1e7a55'], [`--api.key: ${NO_KEY}`]],
    [['--api-key=0f9c1e7a55'], [`--api-key: ${NO_KEY}`]],
    [['--no-poll.devices'], ['--no-poll.devices: unknown flag. Did you mean --poll.devices?']],
    [['now'], ['got "now", expected only flags']],
    [['hk_live_1234567890'], ['got "[not shown]", expected only flags']],
    [['--', '--help'], ['got "--help", expected only flags']],
    [['--poll.devices'], ['--poll.devices: needs a value: write --poll.devices=…']],
    [
      ['--poll.devices', '--help'],
      ['--poll.devices: needs a value: write --poll.devices=… for one that starts with a hyphen'],
    ],
    [['--log.level=info', '--log.level=warn'], ['--log.level: given more than once']],
    [['--help=perhaps'], ['--help: got "perhaps", expected true or false']],
    [
      ['--phones=0', '--phone', '3'],
      [
        '--phone: unknown flag. Did you mean --phones?',
        '--phones: got "0", expected a whole number from 1 to 100000',
      ],
    ],
  ])('refuses %j and lists all problems', (argv, problems) => {
    expect(problemsOf(() => parseArguments(argv, DEMO, settings))).toEqual(problems);
  });

  it('takes one hyphen for two', () => {
    expect([...parseArguments(['-log.level=warn', '-poll.devices', 'x'], DEMO, settings).flags]).toEqual([
      ['log.level', 'warn'],
      ['poll.devices', 'x'],
    ]);
  });

  it('returns the defaults of the options of a command', () => {
    expect(parseArguments([], DEMO, settings).options).toEqual({ phones: 250, start_slowly: true });
  });

  it('separates the options of a command from the settings', () => {
    const { options, flags } = parseArguments(
      ['--phones', '7', '--log.level=warn', '--no-start-slowly'],
      DEMO,
      settings,
    );
    expect(options).toEqual({ phones: 7, start_slowly: false });
    expect([...flags]).toEqual([['log.level', 'warn']]);
  });
});

describe('requestedInformation', () => {
  it.each([
    [['--help'], 'help'],
    [['-help'], 'help'],
    [['-h'], 'help'],
    [['--help=true'], 'help'],
    [['--log.level=warn', '--help-all', '--help'], 'help-all'],
    [['-help-all'], 'help-all'],
    [['--version'], 'version'],
    [['-version'], 'version'],
    [['--help=false'], undefined],
    [['--log.level=help'], undefined],
    [[], undefined],
  ])('finds in %j a demand for %s', (argv, information) => {
    expect(requestedInformation(argv)).toBe(information);
  });
});

describe('the help', () => {
  it('lists every flag with its variable, default and description', async () => {
    await expect(settingsHelp(settings, true)).toMatchFileSnapshot('golden/help.txt');
  });

  it('lists a dozen settings, those that an owner needs, unless it is asked for all', () => {
    const flags = settingsHelp(settings, false).match(/(?<=^ {2}--)\S+/gm) ?? [];
    expect(flags.map((flag) => flag.trim()).join(' ')).toBe(
      'config.file help-all version api.url api.key-file currency balance-low-cents time-zone language ' +
        'offline.after web.listen-address web.config.file web.external-url log.level state.file',
    );
  });

  it('lists the options of a command', () => {
    expect(optionsHelp(DEMO)).toBe(
      `  --phones …
      Number of phones. [default 250]
  --[no-]start-slowly
      Whether phones appear one by one. [default true]
`,
    );
  });
});
