import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALERTMANAGER_FILE, shippedText } from '../../rules/shipped.ts';
import { CHANNELS, configurationFor, offlineConfiguration } from './channels.ts';

const Configuration = z.looseObject({
  route: z.unknown(),
  inhibit_rules: z.unknown(),
  time_intervals: z.unknown(),
  receivers: z.array(z.looseObject({ name: z.string() })),
});

const configurationIn = (text: string) => Configuration.parse(parse(text, { merge: true }));

const shipped = configurationIn(shippedText(ALERTMANAGER_FILE));

describe.each(CHANNELS.map((channel) => [channel.name, channel] as const))(
  'alertmanager.%s.yml',
  (name, channel) => {
    const text = configurationFor(channel);
    const configuration = configurationIn(text);

    it('is current: run `npm run docs` after a change of alertmanager.yml', async () => {
      await expect(text).toMatchFileSnapshot(`../../../config/alertmanager/alertmanager.${name}.yml`);
    });

    it('routes and inhibits as the shipped configuration does', () => {
      const { route, inhibit_rules, time_intervals, receivers } = configuration;
      expect({ route, inhibit_rules, time_intervals }).toEqual({
        route: shipped.route,
        inhibit_rules: shipped.inhibit_rules,
        time_intervals: shipped.time_intervals,
      });
      expect(receivers.map((each) => each.name)).toEqual(shipped.receivers.map((each) => each.name));
    });

    it('sends to this channel only, and the same to all three receivers, but for the ends in the digest', () => {
      const [page, notify, digest, watchdog] = configuration.receivers.map(({ name: _, ...channels }) =>
        z.record(z.string(), z.array(z.unknown())).parse(channels),
      );
      expect(Object.keys(page ?? {})).toHaveLength(1);
      const quiet: unknown = parse(channel.quiet ?? '{}');
      const changed = (ends: boolean) =>
        Object.fromEntries(
          Object.entries(page ?? {}).map(([key, [configuration]]) => [
            key,
            [Object.assign({}, configuration, quiet, { send_resolved: ends })],
          ]),
        );
      expect([notify, digest, watchdog]).toEqual([changed(true), changed(false), {}]);
    });

    it('holds no secret and no example address, only blanks in capitals and names of files', () => {
      expect(text).not.toMatch(/example\.com|put-the|127\.0\.0\.1|_token: |password: /);
      expect(text).toMatch(/_file: \/etc\/alertmanager\/secrets\//);
    });
  },
);

describe('alertmanager.none.yml', () => {
  it('is current: run `npm run docs` after a change of alertmanager.yml', async () => {
    await expect(offlineConfiguration()).toMatchFileSnapshot(
      '../../../config/alertmanager/alertmanager.none.yml',
    );
  });

  it('routes and inhibits as the shipped configuration does, and has no channel', () => {
    const { receivers, templates: _, ...rest } = configurationIn(offlineConfiguration());
    const { receivers: names, templates: __, global: ___, ...expected } = shipped;
    expect(rest).toEqual(expected);
    expect(receivers).toEqual(names.map(({ name }) => ({ name })));
  });
});
