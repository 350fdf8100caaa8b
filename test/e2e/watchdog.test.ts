import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHANNELS, configurationFor } from '../unit/stack/channels.ts';

it.each(CHANNELS.map((channel) => [channel.name, channel] as const))(
  'alertmanager.%s.yml gets a watchdog, and changes in nothing else, by the command of its comment',
  (_, channel) => {
    const text = configurationFor(channel);
    const [, command = ''] = /sed -i '(.*)' alertmanager/.exec(text) ?? [];
    const changed = parse(execFileSync('sed', [command], { input: text, encoding: 'utf8' }), { merge: true });
    const { receivers, ...rest } = parse(text, { merge: true });
    const watchdog = {
      name: 'watchdog',
      webhook_configs: [{ url_file: '/etc/alertmanager/secrets/watchdog-url', send_resolved: false }],
    };
    expect(changed).toEqual({ ...rest, receivers: [...receivers.slice(0, -1), watchdog] });
  },
);
