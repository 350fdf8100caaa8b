import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { PROMETHEUS_FILE, ROOT, shippedText } from '../../rules/shipped.ts';
import { COMPOSE, mountsOf, PROFILES, reachedBy, servicesOf } from './compose.ts';

const SERVICES = Object.entries(COMPOSE.services);
const DATA_SOURCES = 'grafana/provisioning/datasources/prometheus.yml';
const PROVIDERS = 'grafana/provisioning/dashboards/hoster.yml';

const PrometheusFile = z.object({
  global: z.object({ scrape_interval: z.string() }),
  alerting: z.object({
    alertmanagers: z.array(z.object({ static_configs: z.array(z.object({ targets: z.array(z.string()) })) })),
  }),
  scrape_configs: z.array(
    z.object({
      job_name: z.string(),
      static_configs: z.array(z.object({ targets: z.array(z.string()) })),
    }),
  ),
});
const DataSources = z.object({
  datasources: z.array(
    z.object({
      type: z.string(),
      url: z.string(),
      jsonData: z.object({ timeInterval: z.string().optional() }),
    }),
  ),
});

const prometheus = PrometheusFile.parse(parse(shippedText(PROMETHEUS_FILE)));
const { datasources } = DataSources.parse(parse(shippedText(DATA_SOURCES)));

describe.each(PROFILES)('under the profile %s', (profile) => {
  /** Reports whether a service listens at an address, by its published or usual port. */
  const PORTS: Readonly<Record<string, string>> = {
    exporter: '9823',
    prometheus: '9090',
    alertmanager: '9093',
  };

  it('Prometheus finds exporter and Alertmanager, and Grafana both servers', () => {
    const addresses = [
      ...prometheus.scrape_configs.flatMap(({ static_configs }) => static_configs),
      ...prometheus.alerting.alertmanagers.flatMap(({ static_configs }) => static_configs),
    ].flatMap(({ targets }) => targets);
    const urls = datasources.map(({ url }) => new URL(url).host);
    expect([...addresses, ...urls].sort()).toEqual([
      'alertmanager:9093',
      'alertmanager:9093',
      'exporter:9823',
      'prometheus:9090',
    ]);
    for (const address of [...addresses, ...urls]) {
      const [host = '', port] = address.split(':');
      const service = reachedBy(profile, host);
      expect(service?.image).toContain(host);
      expect(port).toBe(PORTS[host]);
      for (const published of service?.ports ?? []) expect(published.endsWith(`:${port}`)).toBe(true);
    }
  });

  it('all services share one network', () => {
    const hosts = [...Object.keys(PORTS), 'grafana'].map((host) => reachedBy(profile, host));
    for (const service of hosts) expect(Object.keys(service?.networks ?? {})).toContain(profile);
  });

  it('Grafana finds the dashboards where they are mounted', () => {
    const Providers = z.object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) });
    const [provider] = Providers.parse(parse(shippedText(PROVIDERS))).providers;
    const grafana = reachedBy(profile, 'grafana');
    const mount = grafana && mountsOf(grafana).find(({ source }) => source === './grafana/dashboards');
    expect(mount?.target).toBe(provider?.options.path);
    const home = grafana?.environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'];
    if (home !== undefined)
      expect(
        readdirSync(join(ROOT, 'grafana/dashboards')).map((file) => `${mount?.target}/${file}`),
      ).toContain(home);
  });
});

describe('the chat', () => {
  it('reaches the exporter over its socket, in a volume that belongs to the user of the image', () => {
    const [exporter, chat] = ['exporter', 'telegram'].map((name) => COMPOSE.services[name]);
    const socket = exporter?.environment['HOSTER_WEB_SOCKET'] ?? '';
    expect(chat?.environment['HOSTER_WEB_SOCKET']).toBe(socket);
    const [volume, others] = [exporter, chat].map(
      (service) => service && mountsOf(service).find(({ target }) => target === dirname(socket)),
    );
    expect(others).toEqual({ ...volume, mode: 'ro' });
    expect(shippedText('Dockerfile')).toMatch(
      new RegExp(`^COPY .*--chown=65532:65532 \\S+ ${dirname(socket)}$`, 'm'),
    );
  });
});

describe('the demo', () => {
  const flagsOf = (name: string) =>
    COMPOSE.services[name]?.command?.filter((flag) => flag.startsWith('--')) ?? [];

  it('has a history of the same phones, scraped at the same address', () => {
    const [target] = prometheus.scrape_configs[0]?.static_configs[0]?.targets ?? [];
    expect(flagsOf('demo-history')).toEqual([...flagsOf('demo-exporter'), `--instance=${target}`]);
  });

  it('gives promtool a folder in which it makes a block, whatever the image allows', () => {
    expect(COMPOSE.services['demo-history-blocks']).toMatchObject({ tmpfs: ['/tmp'] });
  });

  it('needs no secret, and its Alertmanager sends no message outside', () => {
    const demo = servicesOf('demo');
    expect(demo.flatMap(([, { secrets }]) => secrets)).toEqual([]);
    const networks = Object.keys(reachedBy('demo', 'alertmanager')?.networks ?? {});
    expect(networks.filter((name) => COMPOSE.networks[name]?.internal !== true)).toEqual([]);
  });

  it('is the only profile with anonymous access to Grafana, as viewer', () => {
    const anonymous = SERVICES.filter(([, { environment }]) => 'GF_AUTH_ANONYMOUS_ENABLED' in environment);
    expect(anonymous.map(([name]) => name)).toEqual(['demo-grafana']);
    expect(anonymous[0]?.[1].environment['GF_AUTH_ANONYMOUS_ORG_ROLE']).toBe('Viewer');
    expect(anonymous[0]?.[1].ports).toEqual(['127.0.0.1:3000:3000']);
  });
});

describe('the data source of Grafana', () => {
  it('has the scrape interval of Prometheus', () => {
    const source = datasources.find(({ type }) => type === 'prometheus');
    expect(source?.jsonData.timeInterval).toBe(prometheus.global.scrape_interval);
  });
});
