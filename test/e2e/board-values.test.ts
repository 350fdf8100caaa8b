import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCOUNT } from '../../src/fleet/document.ts';
import { run } from '../rules/run.ts';
import { argumentOf, BOARDS, panelsOf } from '../unit/grafana/board.ts';
import { FLEET_OF_EVERYTHING } from '../unit/metrics/fleet-of-everything.ts';
import { fill } from './grafana.ts';

/** What an expression has to be at an instant, by labels; undefined for no series. */
type Asked = { readonly expression: string; readonly at: string; readonly samples: readonly Sample[] };
type Sample = { readonly labels: string; readonly value: number };

const HOUR = 3_600;
const EVERYTHING = {
  ...{ job: '.+', account: '.+', group: '.*', only: '.+', limit: '1000', device_id: 'sold-1' },
  ...{ open: '.+', racks: '.*', problem: '.+', listed: '.+', worst: '.+', idle: '.+', costliest: '.+' },
  ...{ first: '60', last: '540' },
};

/** The expression of a query of a panel, with the variables of somebody who looks at a day. */
function shown(file: string, title: string, refId: string): string {
  const panels = BOARDS.filter((board) => board.file === file).flatMap(panelsOf);
  const targets = panels.filter((panel) => panel.title === title).flatMap((panel) => panel.targets ?? []);
  return filled(targets.find((target) => target.refId === refId)?.expr ?? '');
}

function filled(expression: string, variables: Readonly<Record<string, string>> = EVERYTHING): string {
  return fill(expression, { rangeSeconds: 24 * HOUR, end: 24 * HOUR, stepSeconds: 60, variables });
}

/** Returns what Prometheus says against it; '' where it agrees. Values are one a minute. */
async function objections(
  series: Readonly<Record<string, string>>,
  asked: readonly Asked[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-boards-'));
  const file = join(folder, 'test.yml');
  const input = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  const promql = asked.map(({ expression, at, samples }) => ({
    ...{ expr: expression, eval_time: at, exp_samples: samples },
  }));
  const tests = [{ interval: '1m', input_series: input, promql_expr_test: promql }];
  writeFileSync(file, JSON.stringify({ rule_files: [], tests }));
  const { code, said } = await run('promtool', ['test', 'rules', file]);
  rmSync(folder, { recursive: true });
  return code === 0 ? '' : said;
}

/** Everything that an exporter can export, by the golden file, as series of promtool. */
const EXPOSITION = readFileSync(join(import.meta.dirname, '../unit/metrics/golden/exposition.txt'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)\{(.*)\} (\S+)$/.exec(line) ?? [];
    return name === '' ? [] : [[`${name}{${labels},job="hoster",instance="i"}`, value] as const];
  });

function scraped(notation: (value: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(EXPOSITION.map(([name, value]) => [name, notation(value)]));
}

/** Queries of all panels, except those that say that there is no data, since when and why. */
const QUERIES = BOARDS.flatMap((board) =>
  panelsOf(board)
    .filter(({ title }) => title !== 'Data')
    .flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ refId, expr }) =>
        expr === undefined || expr.startsWith('absent(')
          ? []
          : [{ place: `${board.file}: ${title} ${refId}`, expression: expr }],
      ),
    ),
);

/** Queries of the past: they show what was, with or without present data. */
const isOfThePast = (expression: string): boolean => /\[|offset|@/.test(expression);

describe('no panel reassures without data', () => {
  it('if nothing was ever scraped: no query has a value', async () => {
    const asked = QUERIES.map(({ expression }) => ({
      expression: filled(expression),
      at: '20m',
      samples: [],
    }));
    expect(await objections({}, asked)).toBe('');
  });

  it('if the exporter is gone: no query of the present has a value', async () => {
    const asked = QUERIES.filter(({ expression }) => !isOfThePast(expression)).map(({ expression }) => ({
      ...{ expression: filled(expression), at: '20m', samples: [] },
    }));
    expect(asked.length).toBeGreaterThan(120);
    expect(
      await objections(
        scraped((value) => `${value}x9 stale`),
        asked,
      ),
    ).toBe('');
  });

  it('if the data of an account is too old: its tiles have no value', async () => {
    const variables = { ...EVERYTHING, account: 'expired' };
    const asked = QUERIES.filter(({ place }) => /: (Phones|Fleet|Tunnels) [A-Z]$/.test(place))
      .filter(({ expression }) => !isOfThePast(expression))
      .map(({ expression }) => ({ expression: filled(expression, variables), at: '9m', samples: [] }));
    expect(asked.length).toBeGreaterThan(8);
    // An outage that was found before stays in the metrics.
    const cause =
      'hoster_common_cause_devices{account="expired",kind="group",value="r",job="j",instance="i"}';
    expect(await objections({ ...scraped((value) => `${value}x9`), [cause]: '5x9' }, asked)).toBe('');
  });
});

describe('the panel Data', () => {
  const account = 'account="a", job="hoster", instance="i"';
  const since = (state: string, why: string) =>
    `hoster_exporter_data_since_timestamp_seconds{${account}, collector="devices", state="${state}", why="${why}"}`;

  it('says since when and why an account has no current data', async () => {
    const said = await objections(
      { [since('expired', 'key refused')]: '60x9', [`hoster_up{${account}}`]: '0x9' },
      [
        {
          expression: shown('fleet.json', 'Data', 'A'),
          at: '9m',
          samples: [{ labels: '{account="a", state="expired", why="key refused"}', value: 60_000 }],
        },
        { expression: shown('fleet.json', 'Data', 'D'), at: '9m', samples: [] },
      ],
    );
    expect(said).toBe('');
  });

  it('says since when no exporter is there', async () => {
    const polled = `hoster_exporter_poll_last_attempt_timestamp_seconds{${account}, collector="devices"}`;
    const said = await objections(
      {
        [polled]: '0+60x9 stale',
        [`hoster_up{${account}}`]: '1x9 stale',
        [since('fresh', '')]: '0+60x9 stale',
      },
      [
        {
          expression: shown('fleet.json', 'Data', 'B'),
          at: '20m',
          samples: [{ labels: '{account="a"}', value: 540_000 }],
        },
        { expression: shown('fleet.json', 'Data', 'D'), at: '20m', samples: [] },
      ],
    );
    expect(said).toBe('');
  });
});

it('Fleet has the numbers of the JSON at the same instant', async () => {
  const totals = FLEET_OF_EVERYTHING.accounts.flatMap((account) =>
    account.devices.state === 'expired' ? [] : (ACCOUNT.read(account).totals ?? []),
  );
  const sum = (of: (one: (typeof totals)[number]) => number): number =>
    totals.reduce((all, one) => all + of(one), 0);
  const numbers: readonly (readonly [title: string, refId: string, value: number])[] = [
    ['Phones', 'B', sum(({ problems }) => problems.sold_offline)],
    [
      'Phones',
      'C',
      sum(
        ({ problems: { sold_offline, self_rented_offline, offline } }) =>
          sold_offline + self_rented_offline + offline,
      ),
    ],
    ['Fleet', 'A', sum(({ online }) => online)],
    ['Fleet', 'C', sum(({ problems }) => problems.in_maintenance)],
    ['Fleet', 'D', sum(({ sold, selfRented }) => sold + selfRented)],
  ];
  expect(sum(({ phones }) => phones)).toBeGreaterThan(2);
  const asked = numbers.map(([title, refId, value]) => ({
    ...{ expression: shown('fleet.json', title, refId), at: '9m', samples: [{ labels: '{}', value }] },
  }));
  expect(
    await objections(
      scraped((value) => `${value}x9`),
      asked,
    ),
  ).toBe('');
});

it('a group is named by its account, and a dark one shows all of its phones', async () => {
  const of = (account: string, state: string) =>
    `hoster_group_devices{account="${account}", group="rack-02", state="${state}", job="j", instance="i"}`;
  const asked = (refId: string, account: string, value: number) => ({
    expression: shown('fleet.json', 'Racks', refId),
    at: '9m',
    samples: [{ labels: `{account="${account}", group="rack-02"}`, value }],
  });
  const said = await objections(
    { [of('a', 'sold_offline')]: '12x9', [of('a', 'offline')]: '5x9', [of('b', 'online')]: '14x9' },
    // The table adds up what is sold and what is not.
    [asked('A', 'b', 14), asked('B', 'a', 12), asked('C', 'a', 5)],
  );
  expect(said).toBe('');
});

it('Tunnels ranks what is missing or down now before any uptime', async () => {
  const of = (name: string, id: string) =>
    `hoster_tunnel_${name}{account="a", device_id="${id}", job="j", instance="i"}`;
  const board = BOARDS.find(({ file }) => file === 'tunnels.json');
  const worst = board?.dashboard.templating.list.find(({ name }) => name === 'worst');
  const ranking = filled(argumentOf(worst?.query ?? '')).replace('bottomk(1000,', 'bottomk(2,');
  const said = await objections(
    {
      [of('up', 'bad')]: '0x8 1',
      [of('live', 'bad')]: '1x9',
      [of('up', 'down')]: '1x8 0',
      [of('live', 'down')]: '1x9',
      [of('live', 'missing')]: '0x9',
    },
    [
      {
        expression: `count by(device_id)(${ranking})`,
        at: '9m',
        samples: [
          { labels: '{device_id="down"}', value: 1 },
          { labels: '{device_id="missing"}', value: 1 },
        ],
      },
    ],
  );
  expect(said).toBe('');
});

it('Firing alerts shows the most severe incidents first, of these an outage, however many older ones are open', async () => {
  const board = BOARDS.find(({ file }) => file === 'fleet.json');
  const open = board?.dashboard.templating.list.find(({ name }) => name === 'open');
  const of = (incident: string, severity: string, phone: string) => {
    const labels = `account="a", incident="${incident}", job="j", instance="i"`;
    return [
      `hoster_incident_since_timestamp_seconds{${labels}, device_id="${phone}"}`,
      `hoster_incident_info{${labels}, severity="${severity}"}`,
    ] as const;
  };
  const incidents = [
    ['old', 'info', 60, 'one'],
    ['older', 'info', 30, 'two'],
    ['new', 'critical', 500, 'one'],
    ['outage', 'critical', 520, ''],
    ['newer', 'warning', 510, 'two'],
  ] as const;
  const series = incidents.flatMap(([incident, severity, since, phone]) => {
    const [start, info] = of(incident, severity, phone);
    return [[start, `${since}x9`] as const, [info, '1x9'] as const];
  });
  const first = (count: number) =>
    filled(argumentOf(open?.query ?? '')).replace('bottomk(1000', `bottomk(${count}`);
  const said = await objections(
    Object.fromEntries(series),
    [1, 2, 3, 4]
      .map((count) => ['outage', 'new', 'newer', 'older'].slice(0, count))
      .map((shownFirst) => ({
        expression: `count by(incident)(${first(shownFirst.length)})`,
        at: '9m',
        samples: shownFirst.map((incident) => ({ labels: `{incident="${incident}"}`, value: 1 })),
      })),
  );
  expect(said).toBe('');
});

it('money that came in has no value after a lost state file, and is not negative', async () => {
  const income = 'hoster_balance_observed_income_cents{account="a", job="j", instance="i"}';
  const said = await objections({ [income]: '1000+10x1440 0+10x9' }, [
    { expression: shown('money.json', 'In, 24 h', 'A'), at: '24h5m', samples: [] },
    {
      expression: shown('money.json', 'In, 24 h', 'A'),
      at: '24h',
      samples: [{ labels: '{account="a"}', value: 144 }],
    },
  ]);
  expect(said).toBe('');
});
