import { describe, expect, it } from 'vitest';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { type Family, familiesOf } from '../../../src/metrics/families.ts';
import { ALL_FEATURES, USUAL_FEATURES } from '../../features.ts';

const DEFAULT = familiesOf(USUAL_FEATURES);
const EVERYTHING = familiesOf(ALL_FEATURES);
const SELF = createExporterMetrics({ version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' }, []);

type Documented = Pick<Family, 'name' | 'help' | 'labels'> & { readonly type: string };

function table(families: readonly Documented[]): string {
  const rows = families.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.join(', ')} | ${help.replaceAll('|', '\\|')} |`,
  );
  return ['| family | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function domain(families: readonly Family[], own: boolean): readonly Family[] {
  return families.filter(({ name }) => name.startsWith('hoster_exporter_') === own);
}

const optional = EVERYTHING.filter(({ name }) => !DEFAULT.some((family) => family.name === name));

/** The families that go when a feature is switched off. */
function without(feature: keyof typeof ALL_FEATURES): string {
  const left = new Set(familiesOf({ ...ALL_FEATURES, [feature]: false }).map(({ name }) => name));
  const gone = EVERYTHING.filter(({ name }) => !left.has(name));
  return gone.map(({ name }) => `\`${name}\``).join(', ');
}

const DOCUMENT = `# Metrics

This page is derived from the catalog in \`src/metrics\` by \`npm run docs\`; a test keeps it current.

The exporter polls on its own schedule and serves what it last learned: a scrape never asks the API. So values are those
of the last successful poll of their collector, and \`hoster_exporter_data_state\` says how old that is. What the API did not
say has no series; absent is not zero.

Texts that people can edit (\`label\`, \`brand\`, \`model\`, \`app_version\`) live in \`hoster_device_info\` alone. To join them:

\`\`\`promql
hoster_device_heartbeat_age_seconds * on (account, device_id) group_left (label, model) hoster_device_info
\`\`\`

## Facts from the API

${table(domain(DEFAULT, false))}

Where the phones are divided among [shards](SCALING.md), each shard shows its own, and shard 0 alone what there is once for
an account: ${EVERYTHING.filter(({ shownBy }) => shownBy === 'first shard')
  .map(({ name }) => `\`${name}\``)
  .join(', ')}.

A large fleet may do without some of them (what that saves: [PERFORMANCE.md](PERFORMANCE.md)): \`features.setup_status: false\` leaves
out ${without('setupStatus')}, \`features.tunnel_details: false\` ${without('tunnelDetails')}.

## Facts from the API, off by default

${table(optional)}

## Facts about the exporter

${table([...domain(DEFAULT, true), ...SELF.families])}

On top of these come the \`process_*\` and \`nodejs_*\` families of prom-client.
`;

describe('docs/METRICS.md', () => {
  it('says what the catalog says', async () => {
    await expect(DOCUMENT).toMatchFileSnapshot('../../../docs/METRICS.md');
  });
});

describe('the names of the metrics', () => {
  const all: readonly Documented[] = [...EVERYTHING, ...SELF.families];

  it('are unique', () => {
    const names = all.map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
  });

  it.each(all.map((family) => [family.name, family] as const))(
    '%s follows the rules of the house',
    (name, family) => {
      expect(name).toMatch(/^hoster_[a-z0-9_]+$/);
      expect(name.endsWith('_total')).toBe(family.type === 'counter');
      expect(name).not.toMatch(/_(milliseconds|minutes|kilobytes|percent)(_|$)/);
      expect(family.help).toMatch(/\.$/);
      expect(family.labels).toEqual([...new Set(family.labels)]);
    },
  );
});
