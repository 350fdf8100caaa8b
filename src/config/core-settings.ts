import type { LogFormat, LogLevel } from '../base/log.ts';
import { HOUR, SECOND } from '../model/time.ts';
import { parseCron } from './cron.ts';
import { setting } from './settings.ts';
import {
  autoOrDuration,
  duration,
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
  pattern,
  wholeNumber,
} from './values.ts';

/*
 * The settings of the exporter itself; features declare their own. The schema of the file, the flags, the variables, the help
 * and docs/CONFIGURATION.md are derived from these declarations.
 */

const cron = parsedText('a cron expression with seconds such as "*/30 * * * * *"', parseCron);

const KEY_FILE = 'the path of a file that holds the API key';

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
    isPath: true,
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
  offline: {
    after: setting(autoOrDuration(SECOND, 168 * HOUR), {
      isUsual: true,
      description:
        'Heartbeat age above which a phone is offline: `auto` learns it for each phone, between 3 and 30 minutes.',
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
      description: 'Time offline after which a phone that nobody rents is given up.',
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
        'Reaches the API, and every other service outside, through the proxy that HTTPS_PROXY or HTTP_PROXY names, unless NO_PROXY names its host: a domain with its subdomains, an address, or *. Networks such as 10.0.0.0/8 are not read.',
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
      isPath: true,
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
  },
};
