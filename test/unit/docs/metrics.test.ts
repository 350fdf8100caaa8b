import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import type { Family } from '../../../src/metrics/families.ts';
import { ALL_FEATURES, familiesOf, USUAL_FEATURES } from '../../features.ts';

const DEFAULT = familiesOf(USUAL_FEATURES);
const EVERYTHING = familiesOf(ALL_FEATURES);
const SELF = createExporterMetrics({ version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' });

type Documented = Pick<Family, 'name' | 'help' | 'labels' | 'stability'> & { readonly type: string };

function table(families: readonly Documented[]): string {
  const rows = families.map(
    ({ name, type, labels, stability, help }) =>
      `| \`${name}\` | ${type} | ${labels.join(', ')} | ${stability} | ${help.replaceAll('|', '\\|')} |`,
  );
  return ['| family | type | labels | stability | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

function domain(families: readonly Family[], own: boolean): readonly Family[] {
  return families.filter(({ name }) => name.startsWith('hoster_exporter_') === own);
}

const optional = EVERYTHING.filter(({ name }) => !DEFAULT.some((family) => family.name === name));

const DOCUMENT = `# Metrics

This page is derived from the catalog in \`src/metrics\` by \`npm run docs\`; a test keeps it current.

A metric is *stable*, or *experimental* and may change with any version ([STABILITY.md](STABILITY.md)). It is served in
the text format 0.0.4 only, whatever \`Accept\` says. Prometheus reads it in all versions; there is no OpenMetrics.

A status is one series: always 1, and its label \`status\` is the current value. To test for a status, test whether its
series exists. Only \`hoster_account_api_access\` and \`hoster_exporter_data_state\` have a series for each state, 1 or 0.
Two exporters of an account give each series twice, and \`max without (instance)\` makes one of them:

\`\`\`promql
count by (account, status) (max without (instance) (hoster_device_rental_status))
hoster_device_heartbeat_age_seconds > 900 and on (account, device_id) hoster_device_rental_status{status="sold"}
sum by (account, device_id) (
  max without (instance) (
    hoster_device_time_seconds{column=~"sold_online|sold_offline"} - hoster_device_time_seconds offset 1d
  )
)
\`\`\`

Times, interruptions and movements of the balance are kept over restarts in the state file, so they are gauges: what
came in a time range is the difference of two values. A phone that left keeps its times, its texts and when it left until
the end of the following month, so list the present phones with \`hoster_device_offline_after_seconds\`.

The exporter polls on its own schedule, and a scrape never sends a request to the API. So a value is that of the last
successful poll of its collector, and \`hoster_exporter_data_state\` says if it is fresh. A value that the API did not
give has no series: absent is not zero.

Texts that people can edit (\`label\`, \`brand\`, \`model\`, \`app_version\`) are labels of \`hoster_device_info\` only. Join
them in a query. \`topk\` takes one text of a phone where two exporters see one, or a label has just changed:

\`\`\`promql
hoster_device_heartbeat_age_seconds
  * on (account, device_id) group_left (label, model) topk by (account, device_id) (1, hoster_device_info)
\`\`\`

## Facts from the API

${table(domain(DEFAULT, false))}

## Facts from the API, off by default

${table(optional)}

## What the API says and no metric shows

| field | reason |
|---|---|
| \`username\`, \`password\`, \`credentialId\` and the \`label\` of a login | They are secrets or lead to one; they are dropped when the response is read. |
| \`createdAt\` of disabled logins, and all but the newest \`updatedAt\` | A disabled login opens nothing, and the newest change says that something changed. |
| \`intervalInMs\` of 0 or less, or above a week | That is not an interval; \`hoster_exporter_schema_violations_total\` counts it. |
| \`error.code\` | The closed list of reasons says what to do. The codes of a refused key are \`hoster_account_api_access\`; the log has the others. |
| movements of \`totalCents\` | They are the sum of those of the other two. |

The filters of the device list (\`rentalStatus\`, \`marketplaceStatus\`, \`setupStatus\`, \`search\`) are not used: the whole
list is polled anyway, and a filtered one cannot say which phones left it.

## Facts about the exporter

${table([...domain(DEFAULT, true), ...SELF.families])}

The default metrics of prom-client follow: \`process_*\` and \`nodejs_*\`, without those that \`promtool\` refuses
(\`nodejs_active_handles_total\`, \`nodejs_active_requests_total\`, \`nodejs_active_resources_total\`) and without
the quantiles of the event loop's lag, which cannot be aggregated. The command \`once\` leaves them
out: in a textfile they would collide with those of node_exporter.
`;

describe('docs/METRICS.md', () => {
  it('is current: run `npm run docs` after a change of the catalog', async () => {
    await expect(DOCUMENT).toMatchFileSnapshot('../../../docs/METRICS.md');
  });
});

describe('a stable metric', () => {
  it('keeps its name, type and labels: docs/STABILITY.md says how one is renamed', () => {
    const lines = [...EVERYTHING, ...SELF.families]
      .filter(({ stability }) => stability === 'stable')
      .map(({ name, type, labels }) => `${name} ${type} ${labels.join(',')}`.trimEnd());
    const golden = readFileSync('test/unit/metrics/golden/stable.txt', 'utf8').trimEnd().split('\n');
    expect(lines.toSorted()).toEqual(golden);
  });
});

describe('the names of the metrics', () => {
  const all: readonly Documented[] = [...EVERYTHING, ...SELF.families];

  it('are unique', () => {
    const names = all.map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
  });

  it.each(all.map((family) => [family.name, family] as const))(
    '%s follows the naming rules',
    (name, family) => {
      expect(name).toMatch(/^hoster_[a-z0-9_]+$/);
      expect(name.endsWith('_total')).toBe(family.type === 'counter');
      expect(name).not.toMatch(/_(milliseconds|minutes|kilobytes|percent)(_|$)/);
      expect(family.help).toMatch(/\.$/);
      expect(family.labels).toEqual([...new Set(family.labels)]);
    },
  );
});

/** What people and alerts read metrics by. */
const READERS = ['config/prometheus', 'grafana/dashboards', 'docs/runbooks']
  .flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
      each.isFile() ? `${folder}/${each.name}` : [],
    ),
  )
  .concat('docs/TROUBLESHOOTING.md', 'docs/WEB-CONFIG.md')
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

describe('a family about the exporter', () => {
  it.each([...domain(DEFAULT, true), ...SELF.families].map(({ name }) => name))(
    'is read by an alert, a dashboard, or a page on what to do: %s',
    (name) => {
      expect(READERS).toMatch(new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`));
    },
  );
});
