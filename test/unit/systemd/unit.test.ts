import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { configurationOf } from '../../../src/features/setup/routes.ts';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { shippedText } from '../../rules/shipped.ts';

const unit = shippedText('config/systemd/hoster-exporter.service');
const environmentFile = shippedText('config/systemd/environment');
const CREDENTIALS = '/run/credentials/hoster-exporter.service';

/** The values of a setting of the unit, in their order. */
function values(setting: string): readonly string[] {
  return Array.from(unit.matchAll(new RegExp(`^${setting}=(.*)$`, 'gm')), ([, value = '']) => value);
}

/** The variables of lines such as A=b. */
function variables(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

function load(lines: readonly string[], readFile: (path: string) => string) {
  const environment = variables([...values('Environment'), ...lines]);
  return loadConfig({ schema: CONFIG_SCHEMA, flags: new Map(), environment, readFile, accounts: 'required' });
}

const lines = environmentFile.split('\n').filter((line) => /^#?[A-Z_]+=/.test(line));

describe('the systemd unit', () => {
  it('sets the allocator as the image and the bench do', () => {
    const [told] = values('Environment').filter((value) => value.startsWith('MALLOC_'));
    const [name, bytes] = told?.split('=') ?? [];
    expect(shippedText('Dockerfile')).toContain(`ENV ${name}=${bytes}\n`);
    expect(shippedText('bench/child.ts')).toContain(`{ ${name}: '${bytes}' }`);
  });

  it('has a valid configuration with the environment file as shipped, and the file of `setup`', () => {
    const asked: string[] = [];
    const written = configurationOf(undefined, {
      api_url: 'https://api.example.com',
      api_key_file: `${CREDENTIALS}/key`,
      currency: undefined,
      time_zone: 'UTC',
      is_proxied: false,
    });
    const { config, warnings } = load(
      lines.filter((line) => !line.startsWith('#')),
      (path) => {
        asked.push(path);
        return written;
      },
    );
    expect(warnings).toEqual([]);
    expect(asked).toEqual([`/etc/${values('ConfigurationDirectory')}/hoster-exporter.yml`]);
    expect(config.accounts.map(({ key }) => key)).toEqual([{ file: `${CREDENTIALS}/key` }]);
    expect(config.state.file).toBe(`/var/lib/${values('StateDirectory')}/state.json`);
    expect(values('LoadCredential')).toEqual([`key:/etc/${values('ConfigurationDirectory')}/key`]);
  });

  it('listens on every address with the commented lines of the environment file', () => {
    const { config, warnings } = load(
      lines.map((line) => line.replace(/^#/, '')),
      () => shippedText('config/hoster-exporter.example.yml'),
    );
    expect(warnings).toEqual([]);
    expect(config.web.listen_address).toEqual({ host: '', port: 9823 });
  });

  it('restarts except after a configuration error, and reloads by a signal', () => {
    expect(values('Restart')).toEqual(['always']);
    expect(values('RestartPreventExitStatus')).toEqual(['2']);
    expect(values('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID']);
  });
});

it.each(['hoster-exporter', 'hoster-exporter-telegram'])(
  '%s writes into the journal under its name',
  (name) => {
    expect(shippedText(`config/systemd/${name}.service`)).toContain(`\nSyslogIdentifier=${name}\n`);
  },
);

describe('the systemd unit of the chat', () => {
  const chat = shippedText('config/systemd/hoster-exporter-telegram.service');
  const sandboxOf = (text: string) => text.slice(text.indexOf('\n', text.indexOf('# The sandbox'))).trim();

  it('has the sandbox of the daemon', () => {
    expect(sandboxOf(chat)).toBe(sandboxOf(unit));
  });

  it('is off until there is a token, which it gets as a file, and gets no key', () => {
    const [, token] = /^ConditionFileNotEmpty=(.*)$/m.exec(chat) ?? [];
    expect(chat).toContain(`\nLoadCredential=token:${token}\n`);
    expect(chat).toContain('--token-file=/run/credentials/hoster-exporter-telegram.service/token ');
    expect(chat.match(/^LoadCredential=/gm)).toHaveLength(1);
  });
});
