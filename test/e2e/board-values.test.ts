import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../rules/run.ts';
import { argumentOf, BOARDS, panelsOf } from '../unit/grafana/board.ts';
import { fill } from './grafana.ts';

/** What an expression of a board has to be, by series in the notation of promtool, a value a minute. */
type Expectation = {
  readonly series: Readonly<Record<string, string>>;
  readonly expression: string;
  readonly at: string;
  /** Until when promtool reads the series; by default `at`. */
  readonly until?: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
};

const HOUR = 3_600;
const EVERYTHING = {
  ...{ job: '.+', instance: '.+', account: '.+', group: '.*', tag: '.*', only: '.+', limit: '25' },
  ...{ unread: 'a', last: '780', first: '0' },
};

/** The expression of a query of a panel, with the variables of somebody who looks at `hours`. */
function shown(file: string, title: string, refId: string, hours: number): string {
  const board = BOARDS.find((one) => one.file === file);
  const panels = board === undefined ? [] : panelsOf(board);
  const targets = panels.filter((panel) => panel.title === title).flatMap((panel) => panel.targets ?? []);
  return filled(targets.find((target) => target.refId === refId)?.expr ?? '', hours);
}

function filled(expression: string, hours: number): string {
  return fill(expression, {
    rangeSeconds: hours * HOUR,
    end: hours * HOUR,
    stepSeconds: 60,
    variables: EVERYTHING,
  });
}

/** Returns what Prometheus says against it; nothing where it agrees. */
async function objections({ series, expression, at, until = at, samples }: Expectation): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-boards-'));
  const file = join(folder, 'test.yml');
  const input = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  const asked = [
    { expr: expression, eval_time: at, exp_samples: samples },
    { expr: 'vector(1)', eval_time: until, exp_samples: [{ labels: '{}', value: 1 }] },
  ];
  const tests = [{ interval: '1m', input_series: input, promql_expr_test: asked }];
  writeFileSync(file, JSON.stringify({ rule_files: [], tests }));
  const { code, said } = await run('promtool', ['test', 'rules', file]);
  rmSync(folder, { recursive: true });
  return code === 0 ? '' : said;
}

/** Series of an exporter that polls an account for six hours, with its sums and the first list that it remembers. */
function exporter(account: string, pending: string, firstListed: string): Readonly<Record<string, string>> {
  const labels = `account="${account}", job="j", instance="i"`;
  const moved = (direction: string, kind: string): string =>
    `hoster_balance_observed_${direction}_cents{${labels}, kind="${kind}"}`;
  return {
    [`hoster_up{${labels}}`]: '1x360',
    [`hoster_exporter_poll_last_success_timestamp_seconds{${labels}, collector="devices"}`]: '0+60x360',
    [`hoster_device_first_listed_timestamp_seconds{${labels}, device_id="d"}`]: firstListed,
    [moved('increase', 'available')]: '0x360',
    [moved('increase', 'pending')]: pending,
    [moved('decrease', 'pending')]: '0x360',
  };
}

it('Money counts on after a restart with an older state file, and says nothing after a lost one', async () => {
  const said = await objections({
    series: {
      ...exporter('older', '1000+10x180 2700+10x179', '-86400x360'),
      ...exporter('lost', '1000+10x180 0+10x179', '-86400x180 10860x179'),
    },
    expression: shown('money.json', 'Accounts', 'D', 6),
    at: '6h',
    samples: [{ labels: '{account="older"}', value: 34.9 }],
  });
  expect(said).toBe('');
});

/** An exporter that is gone after 13 minutes, and had two sold and offline phones at the last of them alone. */
const GONE = {
  'hoster_up{account="a", job="j", instance="i"}': '1x13 stale',
  'hoster_devices_reported{account="a", job="j", instance="i"}': '9x13 stale',
  'hoster_devices_with_problem{account="a", job="j", instance="i", problem="sold_offline"}': '1x12 2 stale',
};

it('Fleet shows as last read what the last scrape had', async () => {
  const said = await objections({
    series: GONE,
    expression: shown('fleet.json', 'Phones', 'A', 24),
    at: '20m',
    samples: [{ labels: '{as=", as last read"}', value: 2 }],
  });
  expect(said).toBe('');
});

it('Fleet finds the last scrape of accounts that are not read', async () => {
  const fleet = BOARDS.find(({ file }) => file === 'fleet.json');
  const variable = fleet?.dashboard.templating.list.find(({ name }) => name === 'last');
  const said = await objections({
    series: GONE,
    expression: filled(argumentOf(variable?.query ?? ''), 24),
    at: '20m',
    samples: [{ labels: '{at="780"}', value: 1 }],
  });
  expect(said).toBe('');
});

it('an alert on a rack says how many of its phones are offline, of how many, and how many are sold', async () => {
  const account = 'account="a", job="j", instance="i"';
  const cause = 'problem="common_cause", kind="group", value="rack-1"';
  const phones = ['1', '2', '3'].flatMap((id) => [
    [`hoster_device_info{${account}, device_id="${id}", group="rack-1"}`, '1x9'],
    [`hoster_device_offline_after_seconds{${account}, device_id="${id}"}`, '600x9'],
  ]);
  const said = await objections({
    series: {
      ...Object.fromEntries(phones),
      [`ALERTS{alertname="HosterCommonCause", alertstate="firing", severity="critical", account="a", ${cause}}`]:
        '1x9',
      [`hoster_incident_since_timestamp_seconds{${account}, incident="x", ${cause}}`]: '0x9',
      [`hoster_incident_devices{${account}, incident="x", sold="true"}`]: '1x9',
      [`hoster_incident_devices{${account}, incident="x", sold="false"}`]: '1x9',
    },
    expression: `count by (phones) (${shown('fleet.json', 'Firing alerts ($alerts)', 'C', 24)})`,
    at: '9m',
    samples: [{ labels: '{phones="2 of 3, 1 sold"}', value: 1 }],
  });
  expect(said).toBe('');
});

/** The query of a hidden variable of Fleet. */
function variable(name: string): string {
  const fleet = BOARDS.find(({ file }) => file === 'fleet.json');
  return filled(
    argumentOf(fleet?.dashboard.templating.list.find((one) => one.name === name)?.query ?? ''),
    24,
  );
}

it('Fleet keeps phones with a problem in front when their exporter is gone', async () => {
  const account = 'account="a", job="j", instance="i"';
  const said = await objections({
    series: {
      ...GONE,
      [`hoster_exporter_data_state{${account}, collector="devices", state="fresh"}`]: '1x13 stale',
      [`hoster_device_info{${account}, device_id="well"}`]: '1x13 stale',
      [`hoster_device_info{${account}, device_id="draft"}`]: '1x13 stale',
      [`hoster_device_heartbeat_age_seconds{${account}, device_id="well"}`]: '900x13 stale',
      [`hoster_device_heartbeat_age_seconds{${account}, device_id="draft"}`]: '20x13 stale',
      [`hoster_device_problem_since_timestamp_seconds{${account}, device_id="draft", problem="not_set_up"}`]:
        '1x13 stale',
    },
    expression: `count by (device_id) (topk(1, ${variable('listed').replace(/^topk\(25, /, '')})`,
    at: '20m',
    samples: [{ labels: '{device_id="draft"}', value: 1 }],
  });
  expect(said).toBe('');
});

/** Phones of two racks: one has a sold one offline and one that was never set up, the other is in maintenance. */
const ACCOUNT = 'account="default", job="j", instance="i"';
const problem = (id: string, name: string) => ({
  [`hoster_device_problem_since_timestamp_seconds{${ACCOUNT}, device_id="${id}", problem="${name}"}`]: '60x9',
});
const RACKS = {
  [`hoster_up{${ACCOUNT}}`]: '1x9',
  [`hoster_devices_reported{${ACCOUNT}}`]: '5x9',
  [`hoster_exporter_data_state{${ACCOUNT}, collector="devices", state="fresh"}`]: '1x9',
  ...Object.fromEntries(
    ['r1-1', 'r1-2', 'r1-3', 'r2-1', 'r2-2'].flatMap((id) => [
      [`hoster_device_info{${ACCOUNT}, device_id="${id}", group="${id.slice(0, 2)}"}`, '1x9'],
      [`hoster_device_offline_after_seconds{${ACCOUNT}, device_id="${id}"}`, '600x9'],
    ]),
  ),
  ...problem('r1-1', 'sold_offline'),
  ...problem('r1-2', 'not_set_up'),
  ...problem('r2-1', 'in_maintenance'),
};

it('Fleet has a box for each rack, of the phones that are set up, with its maintenance', async () => {
  const said = await objections({
    series: RACKS,
    expression: `max by (place, whole, as) (${shown('fleet.json', 'Racks', 'A', 24)})`,
    at: '9m',
    samples: [
      { labels: '{place="r1", whole="2", as=", 1 sold"}', value: 1 },
      { labels: '{place="r2", whole="2", as=", in maintenance"}', value: 1 },
    ],
  });
  expect(said).toBe('');
});

it('Fleet begins with a sentence: outages, and other phones that need attention', async () => {
  const said = await objections({
    series: {
      ...RACKS,
      [`hoster_devices_online{${ACCOUNT}}`]: '1x9',
      [`hoster_devices_with_problem{${ACCOUNT}, problem="sold_offline"}`]: '3x9',
      [`hoster_devices_with_problem{${ACCOUNT}, problem="offline"}`]: '2x9',
      [`hoster_devices_with_problem{${ACCOUNT}, problem="not_set_up"}`]: '1x9',
      [`hoster_common_cause_devices{${ACCOUNT}, kind="group", value="r1"}`]: '3x9',
    },
    expression: `max by (text) (${shown('fleet.json', 'Now', 'A', 24)})`,
    at: '9m',
    samples: [{ labels: '{text="1 outage, 2 phones need attention"}', value: 2 }],
  });
  expect(said).toBe('');
});

/** A month that ends at a midnight two hours before that of UTC, and the starts of its last day and of the day after. */
const ENDS = 4 * 24 - 2;

it.each([
  ['has', ENDS - 24, [{ labels: '{column="idle"}', value: 24 }]],
  ['ends with', ENDS, []],
])('Month %s the last day of a finished month in any time zone', async (_, hours, samples) => {
  const account = 'account="a", job="j", instance="i"';
  const said = await objections({
    series: {
      [`hoster_up{${account}}`]: '1x8000',
      [`hoster_exporter_poll_last_success_timestamp_seconds{${account}, collector="devices"}`]: '0+60x8000',
      [`hoster_device_first_listed_timestamp_seconds{${account}, device_id="d"}`]: '-86400x8000',
      [`hoster_device_time_seconds{${account}, device_id="d", column="idle"}`]: '0+60x8000',
    },
    expression: shown('month.json', 'Hours by day', 'A', ENDS),
    at: `${hours}h`,
    until: `${ENDS + 24}h`,
    samples,
  });
  expect(said).toBe('');
});
