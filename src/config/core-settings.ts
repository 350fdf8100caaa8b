import type { LogFormat, LogLevel } from '../base/log.ts';
import { keysOf } from '../model/enums.ts';
import { HOUR, SECOND } from '../model/time.ts';
import { LANGUAGES } from '../text/say.ts';
import { parseCron } from './cron.ts';
import { setting } from './settings.ts';
import {
  absolutePath,
  autoOrDuration,
  duration,
  name,
  oneOf,
  onOff,
  parseApiUrl,
  parsedText,
  parseExternalUrl,
  parseListenAddress,
  parseOptionalPath,
  parsePath,
  parseSocketPath,
  parseTelemetryPath,
  parseTimeZone,
  parseUsers,
  pattern,
  wholeNumber,
} from './values.ts';

/*
 * Settings of the exporter itself; features declare their own. The file's schema, flags, variables, help and
 * docs/CONFIGURATION.md are derived from them.
 */

const cron = parsedText('a cron expression with seconds such as "*/30 * * * * *"', parseCron);

const KEY_FILE = 'the path of a file with the API key';

/** Settings of an account. Flags and variables configure a single account. */
export const ACCOUNT = {
  name: setting(
    pattern('a letter or _, then at most 63 letters, digits, _ or -', /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/),
    {
      description: 'Unique name of the account, for the label `account`.',
      default: 'default',
      example: 'main',
      alias: 'account.name',
    },
  ),
  api_url: setting(parsedText('an address such as https://api.example.com', parseApiUrl), {
    isUsual: true,
    description: 'Base address of the API: https, except on this machine.',
    example: 'https://api.example.com',
    alias: 'api.url',
  }),
  api_key_file: setting(parsedText(KEY_FILE, (text) => parsePath(text, KEY_FILE)).optional(), {
    isUsual: true,
    isPath: true,
    description: 'File with the API key; a relative path starts at the folder of the configuration file.',
    example: '/run/secrets/hoster',
    alias: 'api.key_file',
  }),
  api_key_env: setting(
    pattern('the name of a variable with the API key', /^[A-Za-z_][A-Za-z0-9_]*$/).optional(),
    {
      description: 'Name of the environment variable with the API key, instead of `api_key_file`.',
      example: 'HOSTER_MAIN_KEY',
    },
  ),
  currency: setting(pattern('a code such as EUR', /^[A-Z][A-Z0-9]{2,7}$/).optional(), {
    isUsual: true,
    description: 'Currency of the balance, since the API does not name it.',
    example: 'EUR',
    alias: 'currency',
  }),
  balance_low_cents: setting(wholeNumber(0, 999_999_999).optional(), {
    isUsual: true,
    description: 'Balance in cents below which you get an alert (HosterBalanceLow); no alert by default.',
    example: '500',
    alias: 'balance_low_cents',
  }),
};

export const PRICE = {
  group: setting(name('the name of a group').optional(), {
    description: 'Group of the phones; all by default.',
    example: 'rack-01',
  }),
  model: setting(name('the name of a model').optional(), {
    description: 'Model of the phones; all by default.',
  }),
  cents_per_day: setting(wholeNumber(1, 999_999_999), {
    description: 'Income from a sold phone per day, in cents.',
    example: '250',
  }),
};

/** Settings at the top level. */
export const GENERAL = {
  time_zone: setting(parsedText('the name of a time zone such as Europe/Kyiv', parseTimeZone), {
    isUsual: true,
    description: 'Your time zone, for alerts, reports and the fleet page.',
    default: 'UTC',
    example: 'Europe/Kyiv',
  }),
  language: setting(oneOf(keysOf(LANGUAGES)).optional(), {
    isUsual: true,
    description:
      "Language of the fleet page, the chat, commands and reports: `en`, `uk`, `ru`, `es` or `vi`. By default English; on the page, the browser's language.",
    example: 'uk',
  }),
};

export const CONFIG_SECTIONS = {
  poll: {
    devices: setting(cron, {
      description: 'Schedule for polling the device list: a cron expression with seconds, in UTC.',
      default: '*/30 * * * * *',
    }),
    tunnels: setting(cron, {
      description:
        'Schedule for polling the tunnels of self-rented phones: a cron expression with seconds, in UTC.',
      default: '*/30 * * * * *',
    }),
    balance: setting(cron, {
      description: 'Schedule for polling the balance: a cron expression with seconds, in UTC.',
      default: '0 * * * * *',
    }),
    stale_after: setting(duration(SECOND, 168 * HOUR), {
      description: 'How long stale data is shown while polls fail.',
      default: '15m',
    }),
  },
  offline: {
    after: setting(autoOrDuration(SECOND, 168 * HOUR), {
      isUsual: true,
      description:
        'Age of the last heartbeat above which a phone is offline. `auto` learns it for each phone, from 3 to 30 minutes.',
      default: 'auto',
      example: '10m',
    }),
  },
  problems: {
    idle_after: setting(duration(SECOND, 365 * 24 * HOUR), {
      description: 'Time without a rental after which a listed phone has been idle for too long.',
      default: '3d',
    }),
    given_up_after: setting(duration(SECOND, 365 * 24 * HOUR), {
      description: 'Offline time after which a phone without a rental is given up.',
      default: '7d',
    }),
  },
  client: {
    concurrency: setting(wholeNumber(1, 64), {
      description: 'Maximum number of concurrent requests to the API per account.',
      default: 8,
    }),
    timeout: setting(duration(SECOND / 10, HOUR / 12), {
      description: 'Timeout of a request to the API.',
      default: '15s',
    }),
    requests_per_second: setting(wholeNumber(1, 1_000).optional(), {
      description: 'Maximum rate of requests to the API per account; no limit by default.',
      example: '10',
    }),
    ca_file: setting(absolutePath('/etc/hoster-exporter/ca.pem').optional(), {
      description: 'File with CA certificates (PEM) to trust instead of the public ones.',
      example: '/etc/hoster-exporter/ca.pem',
    }),
    proxy_from_environment: setting(onOff, {
      description:
        'Uses the proxy in HTTPS_PROXY or HTTP_PROXY for the API and all other external services, except for hosts in NO_PROXY: domains with their subdomains, addresses, or *. Networks such as 10.0.0.0/8 are not supported.',
      default: false,
    }),
  },
  web: {
    listen_address: setting(
      parsedText('an address such as 127.0.0.1:9823, :9823 or [::1]:9823', parseListenAddress),
      {
        isUsual: true,
        needsRestart: true,
        description: 'Address to listen on; without a host, all addresses; with port 0, a free port.',
        default: '127.0.0.1:9823',
        example: ':9823',
      },
    ),
    socket: setting(
      parsedText('an absolute path such as /run/hoster-exporter/web.sock', parseSocketPath).optional(),
      {
        needsRestart: true,
        description:
          'Path of a Unix socket to listen on as well. Its owner and group can do what this machine can do, without TLS or a login; commands on this machine use it. None by default.',
        example: '/run/hoster-exporter/web.sock',
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
        'File with TLS, client certificates, passwords and headers, in the format of Prometheus exporters (docs/WEB-CONFIG.md). Without one, plain HTTP without passwords.',
      example: '/etc/hoster-exporter/web.yml',
      alias: 'web.config.file',
    }),
    anonymous_reading: setting(onOff, {
      needsRestart: true,
      description:
        'Lets everyone read without a login even if web.config_file has logins. Only changes, such as muting alerts on the fleet page, need one.',
      default: false,
    }),
    external_url: setting(
      parsedText('an address such as https://hoster.example.com', parseExternalUrl).optional(),
      {
        isUsual: true,
        needsRestart: true,
        description:
          'Address at which people open the exporter, if it is behind a proxy. Requests for its host are accepted.',
        example: 'https://hoster.example.com',
      },
    ),
    grafana_url: setting(
      parsedText('an address such as https://grafana.example.com', parseExternalUrl).optional(),
      {
        description: 'Address of a Grafana that has the dashboards. The fleet page links to it.',
        example: 'https://grafana.example.com',
      },
    ),
    enable_lifecycle: setting(onOff, {
      needsRestart: true,
      description: 'Enables POST /-/reload, which reloads the configuration. SIGHUP always does.',
      default: false,
    }),
    enable_changes: setting(onOff, {
      needsRestart: true,
      description:
        'Allows changes at run time: maintenance (docs/MAINTENANCE.md), acknowledgements and notes (docs/INCIDENTS.md), for users who log in, or from this machine if there are no logins.',
      default: false,
    }),
    change_users: setting(parsedText('names of users such as anna,bob', parseUsers).optional(), {
      needsRestart: true,
      description:
        'Users of web.config_file, separated by commas, who may make these changes; by default all. Others can only read.',
      example: 'anna,bob',
    }),
  },
  log: {
    level: setting(
      oneOf(['trace', 'debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[]),
      {
        isUsual: true,
        description: 'Lowest level to log: trace, debug, info, warn or error.',
        default: 'info',
      },
    ),
    format: setting(oneOf(['logfmt', 'json'] as const satisfies readonly LogFormat[]), {
      needsRestart: true,
      description: 'Format of log lines: logfmt for people, json for programs.',
      default: 'logfmt',
    }),
    events: setting(onOff, {
      description:
        'Logs rentals, new phones, and incidents at level info, with logger=events, at most 60 a minute.',
      default: true,
    }),
  },
  groups: {
    separator: setting(pattern('one to eight characters such as /', /^[^\p{Cc}]{1,8}$/u), {
      description:
        "Text between the parts of a label. The part before it is the phone's group, such as its rack.",
      default: '/',
    }),
    levels: setting(wholeNumber(1, 8), {
      description: 'Number of label parts that name the group. The last part never does.',
      default: 1,
      example: '2',
    }),
  },
  state: {
    file: setting(absolutePath('/var/lib/hoster-exporter/state.json').optional(), {
      isUsual: true,
      needsRestart: true,
      description:
        'File that keeps incidents, statuses, learned thresholds and observed times across restarts. Without it, a restart forgets everything. Each process needs its own.',
      example: '/var/lib/hoster-exporter/state.json',
    }),
    interval: setting(duration(SECOND, HOUR), {
      needsRestart: true,
      description: 'Interval between saves of the state file. It is also saved when the exporter stops.',
      default: '1m',
    }),
  },
  features: {
    tunnel_endpoints: setting(onOff, {
      description: 'Exports the host and ports of tunnels as labels.',
      default: false,
    }),
    rental_ids: setting(onOff, {
      description: 'Exports the ID of each self-rent rental as a label, with a new series for each rental.',
      default: false,
    }),
  },
};
