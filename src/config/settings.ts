import type { LogFormat, LogLevel } from '../log.ts';
import { MOST_SHARDS } from '../model/shard.ts';
import { parseApiUrl, parseListenAddress, parseTelemetryPath } from './address.ts';
import { parseCron } from './cron.ts';
import { duration, oneOf, onOff, pattern, textForm, wholeNumber, wholeNumberOr } from './forms.ts';
import { parseAbsolutePath, parseOptionalPath } from './path.ts';
import { setting, settingsOf } from './setting.ts';
import { AUTO } from './shard.ts';

/*
 * The one place where settings are declared. The strictness of the file, the flags, the variables, the help and
 * docs/CONFIGURATION.md follow from what stands here.
 */

const SECOND = 1_000;
const HOUR = 3_600_000;
const cron = textForm('a cron expression with seconds such as "*/30 * * * * *"', parseCron);

/** What an account is made of. A single one can also come from flags and variables, whose names stand here then. */
export const ACCOUNT = {
  name: setting(
    pattern('a letter or _, then at most 63 letters, digits, _ or -', /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/),
    {
      meaning: 'Name of the account, unique; it becomes the label `account`.',
      default: 'default',
      example: 'main',
      called: 'account.name',
    },
  ),
  api_url: setting(textForm('an address such as https://api.example.com', parseApiUrl), {
    meaning: 'Base address of the API; https, except on this machine.',
    example: 'https://api.example.com',
    called: 'api.url',
  }),
  api_key_file: setting(
    pattern('the path of a file that holds the API key', /^[^\0\n]{1,4096}$/).optional(),
    {
      meaning: 'File that holds the API key; a relative path starts at the folder of the configuration file.',
      example: '/run/secrets/hoster',
      called: 'api.key_file',
    },
  ),
  api_key_env: setting(
    pattern('the name of a variable that holds the API key', /^[A-Za-z_][A-Za-z0-9_]*$/).optional(),
    {
      meaning: 'Name of the environment variable that holds the API key, in place of `api_key_file`.',
      example: 'HOSTER_MAIN_KEY',
    },
  ),
  currency: setting(pattern('a code such as EUR', /^[A-Z][A-Z0-9]{2,7}$/).optional(), {
    meaning: 'Currency of the balance, for the label `currency`; the API names none.',
    example: 'EUR',
    called: 'currency',
  }),
};

/** The sections of the file and their settings. */
export const SECTIONS = {
  poll: {
    devices: setting(cron, {
      meaning: 'When the device list is polled: a cron expression with seconds, in UTC.',
      default: '*/30 * * * * *',
    }),
    tunnels: setting(cron, {
      meaning: 'When the tunnels of self-rented phones are polled: a cron expression with seconds, in UTC.',
      default: '*/30 * * * * *',
    }),
    balance: setting(cron, {
      meaning: 'When the balance is polled: a cron expression with seconds, in UTC.',
      default: '0 * * * * *',
    }),
    stale_after: setting(duration(SECOND, 168 * HOUR), {
      meaning: 'How long the last good reading is shown while polls fail.',
      default: '15m',
    }),
  },
  client: {
    concurrency: setting(wholeNumber(1, 64), {
      meaning: 'Most requests to the API at one time, per account.',
      default: 8,
    }),
    timeout: setting(duration(SECOND / 10, HOUR / 12), {
      meaning: 'How long one request to the API may take as a whole.',
      default: '15s',
    }),
    requests_per_second: setting(wholeNumber(1, 1_000).optional(), {
      meaning:
        'Most requests to the API in one second, per account; without it, as many as there are answers.',
      example: '10',
    }),
    ca_file: setting(
      pattern(
        'an absolute path such as /etc/hoster-exporter/ca.pem',
        /^(?:\/|[A-Za-z]:\\)[^\0\n]{1,4000}$/,
      ).optional(),
      {
        meaning: 'File with the certificates (PEM) of the authorities to trust in place of the public ones.',
        example: '/etc/hoster-exporter/ca.pem',
      },
    ),
    proxy_from_environment: setting(onOff, {
      meaning: 'Whether the API is reached through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name.',
      default: false,
    }),
  },
  web: {
    listen_address: setting(
      textForm('an address such as 127.0.0.1:9823, :9823 or [::1]:9823', parseListenAddress),
      {
        meaning: 'Where to listen; without a host on every address, with port 0 on a free port.',
        default: '127.0.0.1:9823',
        example: ':9823',
      },
    ),
    telemetry_path: setting(textForm('a path such as /metrics', parseTelemetryPath), {
      meaning: 'Path of the metrics.',
      default: '/metrics',
    }),
    config_file: setting(textForm('the path of a web configuration file', parseOptionalPath).optional(), {
      meaning:
        'File with TLS, client certificates, passwords, headers and a rate limit, in the format of all Prometheus exporters (docs/WEB-CONFIG.md); without one, plain HTTP for everyone.',
      example: '/etc/hoster-exporter/web.yml',
      called: 'web.config.file',
    }),
  },
  log: {
    level: setting(
      oneOf(['trace', 'debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[]),
      { meaning: 'Least important lines to log: trace, debug, info, warn or error.', default: 'info' },
    ),
    format: setting(oneOf(['logfmt', 'json'] as const satisfies readonly LogFormat[]), {
      meaning: 'How lines are written: logfmt for people, json for programs.',
      default: 'logfmt',
    }),
  },
  state: {
    file: setting(
      textForm('an absolute path such as /var/lib/hoster-exporter/state.json', parseAbsolutePath).optional(),
      {
        meaning:
          'File that keeps what only this exporter can know (time in each rental status, observed movements of the balance) over a restart; without one, nothing is kept.',
        example: '/var/lib/hoster-exporter/state.json',
      },
    ),
    interval: setting(duration(SECOND, HOUR), {
      meaning: 'How often the state file is written; it is also written when the exporter ends.',
      default: '1m',
    }),
  },
  shard: {
    index: setting(wholeNumberOr(0, MOST_SHARDS - 1, AUTO), {
      meaning:
        'Which of the shards this process is, counted from 0; auto takes the number at the end of POD_NAME or HOSTNAME, as the pods of a StatefulSet have one.',
      default: 0,
      example: AUTO,
      called: 'shard',
    }),
    total: setting(wholeNumber(1, MOST_SHARDS), {
      meaning:
        'Number of shards that the phones of every account are divided among; each is a process of its own (docs/SCALING.md).',
      default: 1,
      example: '4',
      called: 'total_shards',
    }),
  },
  features: {
    setup_status: setting(onOff, {
      meaning:
        'Whether metrics tell the setup status of each phone: a quarter of all series. Without it HosterDeviceSetupStuck never fires.',
      default: true,
    }),
    tunnel_details: setting(onOff, {
      meaning:
        'Whether metrics tell the logins and the exact states of each tunnel, beside whether it is up. Without it HosterTunnelNoActiveCredential never fires.',
      default: true,
    }),
    tunnel_endpoints: setting(onOff, {
      meaning: 'Whether metrics name the host and ports of tunnels.',
      default: false,
    }),
    rental_ids: setting(onOff, {
      meaning: 'Whether metrics name the rental of a phone, which makes new series with each rental.',
      default: false,
    }),
    tunnel_discovery: setting(onOff, {
      meaning:
        'Whether /sd/tunnels names the host and ports of tunnels, for a Prometheus that probes them (docs/PROBING.md).',
      default: false,
    }),
  },
};

/** All settings, in the order of the file. */
export const SETTINGS = [
  ...settingsOf('accounts[].', ACCOUNT),
  ...Object.entries(SECTIONS).flatMap(([section, shape]) => settingsOf(`${section}.`, shape)),
];
