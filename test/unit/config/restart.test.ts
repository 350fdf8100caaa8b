import { describe, expect, it } from 'vitest';
import { type Config, splitByRestart } from '../../../src/config/schema.ts';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { load } from './sources.ts';

/** Another value of each setting, as it stands in the file. */
const OTHERS: Readonly<Record<string, string>> = {
  'accounts[].name': 'other',
  'accounts[].api_url': 'https://other.example.com',
  'accounts[].api_key_file': '/run/secrets/other',
  'accounts[].api_key_env': 'OTHER_KEY',
  'accounts[].currency': 'USD',
  'accounts[].balance_low_cents': '7',
  time_zone: 'Europe/Kyiv',
  'maintenance[].name': 'other',
  'maintenance[].schedule': '5 5 * * *',
  'maintenance[].duration': '20m',
  'maintenance[].time_zone': 'Europe/Berlin',
  'maintenance[].accounts': '[other]',
  'maintenance[].groups': '[other]',
  'maintenance[].devices': '[other]',
  'prices[].group': 'other',
  'prices[].model': 'other',
  'prices[].cents_per_day': '7',
  language: 'uk',
  'poll.devices': '"0 * * * * *"',
  'poll.tunnels': '"0 * * * * *"',
  'poll.balance': '"30 * * * * *"',
  'poll.stale_after': '1h',
  'offline.after': '10m',
  'problems.idle_after': '1d',
  'problems.given_up_after': '1d',
  'client.concurrency': '3',
  'client.timeout': '3s',
  'client.requests_per_second': '3',
  'client.ca_file': '/etc/other.pem',
  'client.proxy_from_environment': 'true',
  'web.listen_address': '":1234"',
  'web.socket': '/run/other.sock',
  'web.telemetry_path': '/elsewhere',
  'web.config_file': '/etc/other.yml',
  'web.anonymous_reading': 'true',
  'web.external_url': 'https://other.example.com',
  'web.grafana_url': 'https://grafana.example.com',
  'web.enable_changes': 'true',
  'alerts.escalate_after': '15m',
  'web.change_users': 'anna',
  'web.enable_lifecycle': 'true',
  'log.level': 'debug',
  'log.format': 'json',
  'log.events': 'false',
  'groups.separator': '"-"',
  'groups.levels': '2',
  'tags.file': '/etc/hoster/other.csv',
  'state.file': '/var/lib/other/state.json',
  'state.interval': '5m',
  'incidents.directory': '/var/lib/other/incidents',
  'incidents.keep': '3',
  'months.directory': '/var/lib/other/months',
  'months.keep': '3',
  'features.tunnel_endpoints': 'true',
  'features.rental_ids': 'true',
  'features.tunnel_discovery': 'true',
};

/** What each entry of a list has at least. */
const ENTRIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accounts: { api_url: 'https://api.example.com', api_key_file: '/run/secrets/hoster' },
  maintenance: { name: 'nightly', schedule: '0 4 * * *', duration: '15m' },
  prices: { cents_per_day: '250' },
};

/** Writes a file with one entry in each list, and with other values. */
function fileWith(changes: Readonly<Record<string, string>>): string {
  const lists = Object.entries(ENTRIES).map(([list, entry]) => {
    const own = Object.entries(changes).flatMap(([name, value]) =>
      name.startsWith(`${list}[].`) ? [[name.slice(list.length + 3), value] as const] : [],
    );
    const fields = { ...entry, ...Object.fromEntries(own) };
    // An account has one key.
    if ('api_key_env' in fields) Reflect.deleteProperty(fields, 'api_key_file');
    return `${list}:\n  - { ${Object.entries(fields)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ')} }`;
  });
  const others = Object.entries(changes)
    .filter(([name]) => !name.includes('[]'))
    .map(([name, value]) => {
      const [section = '', key] = name.split('.');
      return key === undefined ? `${section}: ${value}` : `${section}: { ${key}: ${value} }`;
    });
  return [...lists, ...others].join('\n');
}

const configOf = (changes: Readonly<Record<string, string>>): Config =>
  load({ file: fileWith(changes) }).config;

const RUNNING = configOf({});

describe('a reloaded configuration', () => {
  it('changes nothing if it is equal', () => {
    expect(splitByRestart(CONFIG_SCHEMA, RUNNING, configOf({}))).toEqual({ config: RUNNING, pending: [] });
  });

  const settings = CONFIG_SCHEMA.settings.map(({ name, needsRestart }) => ({ name, needsRestart }));

  it('is tried with another value of each setting', () => {
    expect(settings.filter(({ name }) => OTHERS[name] === undefined)).toEqual([]);
  });

  it.each(settings.filter(({ needsRestart }) => needsRestart))(
    'keeps $name until a restart, and reports it as pending',
    ({ name }) => {
      const wanted = configOf({ [name]: OTHERS[name] ?? '' });
      expect(wanted).not.toEqual(RUNNING);
      expect(splitByRestart(CONFIG_SCHEMA, RUNNING, wanted)).toEqual({ config: RUNNING, pending: [name] });
    },
  );

  it.each(settings.filter(({ needsRestart }) => !needsRestart))('takes $name at once', ({ name }) => {
    const wanted = configOf({ [name]: OTHERS[name] ?? '' });
    expect(wanted).not.toEqual(RUNNING);
    expect(splitByRestart(CONFIG_SCHEMA, RUNNING, wanted)).toEqual({ config: wanted, pending: [] });
  });

  it('takes one setting of a section while another waits for a restart', () => {
    const wanted = configOf({ 'web.grafana_url': 'https://grafana.example.com' });
    const { config } = splitByRestart(
      CONFIG_SCHEMA,
      configOf({ 'web.telemetry_path': '/elsewhere' }),
      wanted,
    );
    expect([config.web.grafana_url?.hostname, config.web.telemetry_path]).toEqual([
      'grafana.example.com',
      '/elsewhere',
    ]);
  });
});
