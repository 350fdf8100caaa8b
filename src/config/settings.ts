import { z } from 'zod';
import type { LogFormat, LogLevel } from '../base/log.ts';
import { HOUR, SECOND } from '../model/time.ts';
import { parseCron, parseWindowCron } from './cron.ts';
import {
  autoOrDuration,
  duration,
  names,
  oneOf,
  onOff,
  parseAbsolutePath,
  parseApiUrl,
  parsedText,
  parseExternalUrl,
  parseListenAddress,
  parseOptionalPath,
  parsePath,
  parseTelemetryPath,
  parseTimeZone,
  parseUsers,
  pattern,
  wholeNumber,
} from './values.ts';

/** Description of a setting. */
type SettingInfo = {
  /** One sentence. */
  readonly description: string;
  /** The default as the file would have it. A setting without one has to be given. */
  readonly default?: string | number | boolean;
  readonly example?: string;
  /** Name that flag and variable are derived from, where it differs from the path in the file. */
  readonly alias?: string;
  /** An owner needs it: `--help` shows it. The others are in `--help-all`. */
  readonly isUsual?: true;
  /** It changes only with a restart; a reload takes the others. */
  readonly needsRestart?: true;
};

/** A setting with everything that is derived from its declaration. */
export type Setting = SettingInfo & {
  /** Path in the file, such as `poll.stale_after`. */
  readonly name: string;
  /** `poll.stale-after`, without the hyphens in front; undefined where no flag exists. */
  readonly flag: string | undefined;
  /** `HOSTER_POLL_STALE_AFTER`; undefined where no variable exists. */
  readonly variable: string | undefined;
  /** A flag without a value, which `--no-…` turns off. */
  readonly isSwitch: boolean;
};

/** Settings by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

const infos = z.registry<SettingInfo>();

/** Names of the settings of a shape that change only with a restart. */
export function fixedSettingsOf(shape: Shape): readonly string[] {
  return Object.keys(shape).filter((key) => infos.get(shape[key] ?? z.never())?.needsRestart === true);
}

/** Declares a setting of a type of values.ts. */
export function setting<Value>(type: z.ZodType<Value>, info: SettingInfo): z.ZodType<Value> {
  const schema = info.default === undefined ? type.clone() : z.prefault(type, info.default);
  infos.add(schema, info);
  return schema;
}

/** Lists the settings of a shape, with `prefix` in front of their names. */
function settingsOf(prefix: string, shape: Shape): readonly Setting[] {
  return Object.entries(shape).flatMap(([key, schema]) => {
    const info = infos.get(schema);
    if (info === undefined) return [];
    const name = `${prefix}${key}`;
    const alias = info.alias ?? (name.includes('[]') ? undefined : name);
    return {
      ...info,
      name,
      flag: alias?.replaceAll('_', '-'),
      variable: alias && `HOSTER_${alias.toUpperCase().replaceAll('.', '_')}`,
      isSwitch: typeof info.default === 'boolean',
    };
  });
}

/** Lists the options of a command. They are flags only. */
export function optionsOf(shape: Shape): readonly Setting[] {
  return settingsOf('', shape).map((option) => ({ ...option, variable: undefined }));
}

/*
 * The one place where settings are declared. The schema of the file, the flags, the variables, the help and
 * docs/CONFIGURATION.md are derived from it.
 */

const cron = parsedText('a cron expression with seconds such as "*/30 * * * * *"', parseCron);

const KEY_FILE = 'the path of a file that holds the API key';
const USERS = 'names of users such as anna,bob';

/** Settings of an account. Flags and variables describe a single account. */
export const ACCOUNT = {
  name: setting(
    pattern('a letter or _, then at most 63 letters, digits, _ or -', /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/),
    {
      description: 'Name of the account, unique; it becomes the label `account`.',
      default: 'default',
      example: 'main',
      alias: 'account.name',
    },
  ),
  api_url: setting(parsedText('an address such as https://api.example.com', parseApiUrl), {
    isUsual: true,
    description: 'Base address of the API; https, except on this machine.',
    example: 'https://api.example.com',
    alias: 'api.url',
  }),
  api_key_file: setting(parsedText(KEY_FILE, (text) => parsePath(text, KEY_FILE)).optional(), {
    isUsual: true,
    description:
      'File that holds the API key; a relative path starts at the folder of the configuration file.',
    example: '/run/secrets/hoster',
    alias: 'api.key_file',
  }),
  api_key_env: setting(
    pattern('the name of a variable that holds the API key', /^[A-Za-z_][A-Za-z0-9_]*$/).optional(),
    {
      description: 'Name of the environment variable that holds the API key, in place of `api_key_file`.',
      example: 'HOSTER_MAIN_KEY',
    },
  ),
  currency: setting(pattern('a code such as EUR', /^[A-Z][A-Z0-9]{2,7}$/).optional(), {
    isUsual: true,
    description: 'Currency of the balance, for the label `currency`; the API names none.',
    example: 'EUR',
    alias: 'currency',
  }),
  balance_low_cents: setting(wholeNumber(0, 999_999_999).optional(), {
    isUsual: true,
    description: 'Balance in cents below which HosterBalanceLow warns; no warning by default.',
    example: '500',
    alias: 'balance_low_cents',
  }),
};

/** A window that recurs. */
export const MAINTENANCE = {
  name: setting(pattern('a name of at most 64 letters, digits, blanks, _ or -', /^[\p{L}\p{N}_ -]{1,64}$/u), {
    description: 'Name of the window, unique; it is shown wherever the window holds.',
    example: 'nightly reboot',
  }),
  schedule: setting(parsedText('a cron expression such as "0 4 * * *"', parseWindowCron), {
    description:
      'When the window begins: a cron expression of five fields (minute hour day month weekday) in its time zone.',
    example: '0 4 * * *',
  }),
  duration: setting(duration(60 * SECOND, 24 * HOUR), {
    description: 'How long the window holds.',
    example: '15m',
  }),
  time_zone: setting(parsedText('the name of a time zone such as Europe/Kyiv', parseTimeZone).optional(), {
    description: 'Time zone of the schedule; by default that of the owner.',
    example: 'Europe/Kyiv',
  }),
  accounts: setting(names('accounts').optional(), {
    description: 'Accounts of the phones; all by default.',
  }),
  groups: setting(names('groups').optional(), {
    description: 'Groups of the phones; without groups and devices all phones.',
  }),
  devices: setting(names('phones, by id or label').optional(), {
    description: 'Phones, by id or label; without groups and devices all phones.',
  }),
};

/** What a sold day of phones brings. */
export const PRICE = {
  group: setting(parsedText('the name of a group', (value) => ({ value })).optional(), {
    description: 'Group of the phones; all by default.',
    example: 'rack-01',
  }),
  model: setting(parsedText('the name of a model', (value) => ({ value })).optional(), {
    description: 'Model of the phones; all by default.',
  }),
  cents_per_day: setting(wholeNumber(1, 999_999_999), {
    description: 'What a sold day of a phone brings, in cents.',
    example: '250',
  }),
};

/** Settings that stand in no section. */
export const GENERAL = {
  time_zone: setting(parsedText('the name of a time zone such as Europe/Kyiv', parseTimeZone), {
    isUsual: true,
    description: 'Time zone of the owner, in which alerts and documents say when something was.',
    default: 'UTC',
    example: 'Europe/Kyiv',
  }),
};

/** Sections of the file and their settings. */
export const CONFIG_SECTIONS = {
  poll: {
    devices: setting(cron, {
      description: 'Schedule of the device list: a cron expression with seconds, in UTC.',
      default: '*/30 * * * * *',
    }),
    tunnels: setting(cron, {
      description: 'Schedule of the tunnels of self-rented phones: a cron expression with seconds, in UTC.',
      default: '*/30 * * * * *',
    }),
    balance: setting(cron, {
      description: 'Schedule of the balance: a cron expression with seconds, in UTC.',
      default: '0 * * * * *',
    }),
    stale_after: setting(duration(SECOND, 168 * HOUR), {
      description: 'Maximum age of data that is shown while polls fail.',
      default: '15m',
    }),
  },
  silence: {
    after: setting(autoOrDuration(SECOND, 168 * HOUR), {
      isUsual: true,
      description:
        'Heartbeat age above which a phone is silent: `auto` learns it for each phone, between 3 and 30 minutes.',
      default: 'auto',
      example: '10m',
    }),
  },
  problems: {
    idle_after: setting(duration(SECOND, 365 * 24 * HOUR), {
      description: 'Time without a rental after which a listed phone is idle for too long.',
      default: '3d',
    }),
    given_up_after: setting(duration(SECOND, 365 * 24 * HOUR), {
      description: 'Silence after which a phone that nobody rents is given up.',
      default: '7d',
    }),
  },
  client: {
    concurrency: setting(wholeNumber(1, 64), {
      description: 'Maximum number of requests to the API at a time, per account.',
      default: 8,
    }),
    timeout: setting(duration(SECOND / 10, HOUR / 12), {
      description: 'Time limit of a whole request to the API.',
      default: '15s',
    }),
    requests_per_second: setting(wholeNumber(1, 1_000).optional(), {
      description: 'Maximum number of requests to the API per second and account; no limit by default.',
      example: '10',
    }),
    ca_file: setting(
      parsedText('an absolute path such as /etc/hoster-exporter/ca.pem', (text) =>
        parseAbsolutePath(text, '/etc/hoster-exporter/ca.pem'),
      ).optional(),
      {
        description:
          'File with the certificates (PEM) of the authorities to trust in place of the public ones.',
        example: '/etc/hoster-exporter/ca.pem',
      },
    ),
    proxy_from_environment: setting(onOff, {
      description:
        'Reaches the API, and the chat Telegram, through the proxy that HTTPS_PROXY or HTTP_PROXY names, unless NO_PROXY names its host: a domain, an address, a network such as 10.0.0.0/8, or *.',
      default: false,
    }),
  },
  web: {
    listen_address: setting(
      parsedText('an address such as 127.0.0.1:9823, :9823 or [::1]:9823', parseListenAddress),
      {
        isUsual: true,
        needsRestart: true,
        description: 'Address to listen on; without a host every address, with port 0 a free port.',
        default: '127.0.0.1:9823',
        example: ':9823',
      },
    ),
    telemetry_path: setting(parsedText('a path such as /metrics', parseTelemetryPath), {
      needsRestart: true,
      description: 'Path of the metrics.',
      default: '/metrics',
    }),
    config_file: setting(parsedText('the path of a web configuration file', parseOptionalPath).optional(), {
      isUsual: true,
      needsRestart: true,
      description:
        'File with TLS, client certificates, passwords and headers, in the format of all Prometheus exporters (docs/WEB-CONFIG.md); without one, plain HTTP for everyone.',
      example: '/etc/hoster-exporter/web.yml',
      alias: 'web.config.file',
    }),
    external_url: setting(
      parsedText('an address such as https://hoster.example.com', parseExternalUrl).optional(),
      {
        isUsual: true,
        needsRestart: true,
        description:
          'Address by which people open the exporter, where a proxy stands in front of it; requests that name its host are answered.',
        example: 'https://hoster.example.com',
      },
    ),
    grafana_url: setting(
      parsedText('an address such as https://grafana.example.com', parseExternalUrl).optional(),
      {
        description:
          'Address of the Grafana that has the boards: the fleet page links each phone to its board.',
        example: 'https://grafana.example.com',
      },
    ),
    enable_maintenance: setting(onOff, {
      needsRestart: true,
      description:
        'Lets the owner say at run time which phones are worked on (docs/MAINTENANCE.md): whoever may log in, or without log-ins this machine.',
      default: false,
    }),
    maintenance_users: setting(parsedText(USERS, parseUsers).optional(), {
      needsRestart: true,
      description:
        'Users of web.config_file, separated by commas, who may say at run time which phones are worked on; by default all. Others may look.',
      example: 'anna,bob',
    }),
    enable_lifecycle: setting(onOff, {
      needsRestart: true,
      description: 'Lets POST /-/reload read the configuration again, as SIGHUP always does.',
      default: false,
    }),
  },
  log: {
    level: setting(
      oneOf(['trace', 'debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[]),
      {
        isUsual: true,
        description: 'Lowest level of lines to log: trace, debug, info, warn or error.',
        default: 'info',
      },
    ),
    format: setting(oneOf(['logfmt', 'json'] as const satisfies readonly LogFormat[]), {
      needsRestart: true,
      description: 'Format of lines: logfmt for people, json for programs.',
      default: 'logfmt',
    }),
    events: setting(onOff, {
      description:
        'Logs each rental, new phone, and incident that opens or ends at level info, with logger=events; at most 60 a minute.',
      default: true,
    }),
  },
  groups: {
    separator: setting(pattern('one to eight characters such as /', /^[^\p{Cc}]{1,8}$/u), {
      description:
        'Text between the parts of a label; the part in front of it is the group of the phone, such as its rack.',
      default: '/',
    }),
    levels: setting(wholeNumber(1, 8), {
      description: 'Number of parts of a label that name the group; the last part never does.',
      default: 1,
      example: '2',
    }),
  },
  tags: {
    file: setting(parsedText('the path of a CSV file', parseOptionalPath).optional(), {
      description:
        'CSV file of what only you know of phones, such as carrier or owner (docs/TAGS.md): its first column is the phone, each other one a tag. It is read again when it changes.',
      example: '/etc/hoster-exporter/phones.csv',
    }),
  },
  state: {
    file: setting(
      parsedText(
        'an absolute path such as /var/lib/hoster-exporter/state.json',
        parseAbsolutePath,
      ).optional(),
      {
        isUsual: true,
        needsRestart: true,
        description:
          'File that keeps everything that is known over a restart: since when each device has its status and problem, what was learned of its heartbeats, which devices left, and common causes; without one, nothing is kept. Each process needs its own.',
        example: '/var/lib/hoster-exporter/state.json',
      },
    ),
    interval: setting(duration(SECOND, HOUR), {
      needsRestart: true,
      description: 'Time between two writes of the state file; it is also written when the exporter ends.',
      default: '1m',
    }),
  },
  months: {
    directory: setting(
      parsedText('an absolute path such as /var/lib/hoster-exporter/months', (text) =>
        parseAbsolutePath(text, '/var/lib/hoster-exporter/months'),
      ).optional(),
      {
        needsRestart: true,
        description:
          'Folder of the month files, a CSV a month with a line for each phone and local day; by default the folder months beside state.file, and none without that.',
        example: '/var/lib/hoster-exporter/months',
      },
    ),
    keep: setting(wholeNumber(1, 1200), {
      needsRestart: true,
      description: 'Number of month files that are kept; the oldest are removed.',
      default: 14,
      example: '26',
    }),
  },
  features: {
    tunnel_endpoints: setting(onOff, {
      description: 'Puts the host and ports of tunnels into metrics.',
      default: false,
    }),
    rental_ids: setting(onOff, {
      description:
        'Puts the id of its rental into a metric of a phone, which makes new series with each rental.',
      default: false,
    }),
    tunnel_discovery: setting(onOff, {
      description:
        'Lists the host and ports of tunnels on /sd/tunnels, for a Prometheus that probes them (docs/PROBING.md).',
      default: false,
    }),
  },
};

/** All settings, in the order of the file. */
export const SETTINGS = [
  ...settingsOf('accounts[].', ACCOUNT),
  ...settingsOf('', GENERAL),
  ...settingsOf('maintenance[].', MAINTENANCE),
  ...settingsOf('prices[].', PRICE),
  ...Object.entries(CONFIG_SECTIONS).flatMap(([section, shape]) => settingsOf(`${section}.`, shape)),
];
