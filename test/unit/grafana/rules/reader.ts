import { secondsOf } from '../../../rules/duration.ts';
import { BOARDS, expressionsOf, type Panel, panelsOf, queriesOf, type Variable } from '../board.ts';
import { readQuery } from '../promql.ts';
import { INSTANTS, MONEY } from './linter.ts';
import { type Rule, unless } from './rule.ts';

/** Panels that have a row for each series. */
const ROWED_TYPES: ReadonlySet<string> = new Set(['state-timeline', 'status-history', 'table']);

/** Limits of a number of rows: the variable, a choice of phones or groups, or one row for all. */
const BOUNDS =
  /\$limit\b|group=~"\$racks"|incident=~"\$open"|device_id(="\$device_id"|=~"\$\w+")|by\(account(,(collector|currency|maintenance|state|why|covers|started_by|reason))*\)|^(1000\*)?max by\(instance/;

/** Reports whether Grafana keeps as many rows of a panel as the variable says. */
const isLimited = ({ transformations = [] }: Panel): boolean =>
  transformations.some(({ id, options }) => id === 'limit' && options['limitField'] === '$limit');

function unitsOf({ fieldConfig }: Panel): readonly unknown[] {
  const properties = fieldConfig?.overrides.flatMap((override) => override.properties) ?? [];
  return [
    fieldConfig?.defaults.unit,
    ...properties.filter(({ id }) => id === 'unit').map(({ value }) => value),
  ];
}

/** Reports whether the value of a query is a time: it has seconds and neither compares nor counts them, nor shows codes in their place. */
function isTime(expression: string): boolean {
  const { selectors } = readQuery(expression);
  const compares = /[<>]|==|\b0\*|count_over_time\(|\bcount by\(/.test(
    expression.replaceAll(/\{[^}]*\}/g, ''),
  );
  return !compares && selectors.some(({ metric }) => /_seconds(_bucket)?$/.test(metric));
}

/** Units of a time. Times in milliseconds have the units of instants. */
function unitsOfTime(expression: string): readonly string[] {
  if (expression.includes('1000*')) return INSTANTS;
  // Hours, and shares of hours.
  if (/\/3600$/.test(expression)) return [MONEY, 'none'];
  if (/^(sum|1 - avg).*\/sum|^1 - /.test(expression)) return ['percentunit'];
  return [expression.endsWith(' / 60') ? 'suffix:min' : 's'];
}

/** Rules that a viewer relies on. */
export const READER_RULES: readonly Rule[] = [
  {
    name: 'panels have a title, and say what no data means and what to do with what they show',
    breaches: (board) =>
      panelsOf(board).flatMap(({ title = '', description = '', fieldConfig }) =>
        unless(
          title !== '' &&
            /\S/.test(fieldConfig?.defaults.noValue ?? '') &&
            /\S+ \S+.*[.?!]$/.test(description),
          title,
        ),
      ),
  },
  {
    // Not those of a past time: their tables are downloaded, and a file must have every phone and account.
    name: 'tables and timelines of the present have a bounded number of rows',
    breaches: (board) =>
      board.dashboard.time.to === 'now'
        ? panelsOf(board)
            .filter((panel) => ROWED_TYPES.has(panel.type) && !isLimited(panel))
            .flatMap((panel) =>
              expressionsOf(panel).flatMap((expression) =>
                unless(BOUNDS.test(expression), `${panel.title}: ${expression}`),
              ),
            )
        : [],
  },
  {
    // Steps stand at multiples of their length: a range without any of them looks empty.
    name: 'subqueries over the time range have steps of the panel, or of an hour at most',
    breaches: (board) => {
      const longest = 3_600;
      return queriesOf(board).flatMap(({ place, expression }) =>
        [...expression.matchAll(/\[\$__range:(\$__interval|[^\]]*)\]/g)].flatMap(([, step = '']) =>
          unless(step === '$__interval' || secondsOf(step) <= longest, `${place}: ${step}`),
        ),
      );
    },
  },
  {
    // Nothing is wrong, and no data: a panel without a value cannot tell them apart, so it says neither.
    name: 'panels without a value never reassure',
    breaches: (board) =>
      panelsOf(board).flatMap(({ title = '', fieldConfig }) =>
        unless(/^No (data|rows, (or )?no data)/.test(fieldConfig?.defaults.noValue ?? ''), title),
      ),
  },
  {
    name: 'the first panel says since when and why there is no data',
    breaches: (board) =>
      panelsOf(board)
        .slice(0, 1)
        .flatMap(({ title = '', gridPos: { w }, targets = [] }) => {
          const says = targets.some(({ legendFormat = '' }) => legendFormat.includes('{{why}}'));
          return unless(title === 'Data' && w === 24 && says, title);
        }),
  },
  {
    name: 'phones without a group come last in tables of groups, in whatever order the groups are',
    breaches: (board) =>
      panelsOf(board)
        .filter((panel) => JSON.stringify(panel).includes('"text":"no group"'))
        .flatMap(({ title, transformations = [], options }) => {
          const last = transformations.findLast(({ id }) => id === 'sortBy');
          const isLast = /"named( \(max\))?","desc":true/.test(JSON.stringify(last?.options));
          return unless(isLast && options?.sortBy?.length === 0, `${title}`);
        }),
  },
  {
    name: 'queries have 400 characters at most',
    breaches: (board) =>
      queriesOf(board).flatMap(({ place, expression }) => unless(expression.length <= 400, place)),
  },
  {
    // They are in a state file, which may be lost, or be older than the last scrape: increase() would add all of it again.
    name: 'sums of the exporter are read by their values at two instants',
    breaches: (board) =>
      queriesOf(board).flatMap(({ place, query }) =>
        query.selectors
          .filter(({ metric }) => /^hoster_(device_time|device_interruptions|balance_observed)/.test(metric))
          .flatMap(({ metric, within }) =>
            unless(!within.some((name) => /^(increase|i?rate|i?delta)$/.test(name)), `${place}: ${metric}`),
          ),
      ),
  },
  {
    name: 'seconds are shown as times',
    breaches: (board) =>
      panelsOf(board).flatMap((panel) =>
        expressionsOf(panel)
          .filter(isTime)
          .flatMap((expression) =>
            unless(
              unitsOfTime(expression).some((unit) => unitsOf(panel).includes(unit)),
              `${panel.title}: ${expression}`,
            ),
          ),
      ),
  },
  {
    name: 'cents are shown as money, a hundredth of them',
    breaches: (board) =>
      panelsOf(board).flatMap((panel) =>
        expressionsOf(panel)
          .filter((expression) => /_cents(_total)?\{/.test(expression))
          .flatMap((expression) =>
            unless(
              unitsOf(panel).includes(MONEY) && expression.includes('/100'),
              `${panel.title}: ${expression}`,
            ),
          ),
      ),
  },
  {
    name: 'incidents are drawn into the graphs',
    breaches: (board) => {
      const { dashboard } = board;
      // A month is in days, in which an incident is too narrow to see.
      if (dashboard.time.to !== 'now') return [];
      return unless(
        dashboard.annotations.list.some(({ expr }) =>
          expr.includes('hoster_incident_since_timestamp_seconds{'),
        ),
        'no such annotation',
      );
    },
  },
  {
    name: 'links lead to dashboards that are here, and set variables that those have',
    breaches: ({ text }) =>
      [...text.matchAll(/"\/d\/([^"?]+)\?([^"]*)"/g)].flatMap(([, uid = '', query = '']) => {
        const uids = uid.includes('$') ? boardsOfRows(text).map((name) => `hoster-${name}`) : [uid];
        const boards = uids.map((one) => BOARDS.find(({ dashboard }) => dashboard.uid === one));
        const names = boards.flatMap((board) =>
          (board?.dashboard.templating.list ?? []).map(({ name }: Variable) => name),
        );
        const set = [...query.matchAll(/var-(\w+)=|\{(\w+):queryparam\}/g)].map(
          ([, one, other]) => one ?? other,
        );
        return [
          ...unless(boards.length > 0 && !boards.includes(undefined), `no dashboard ${uid}`),
          ...set.flatMap((name) => unless(names.includes(name ?? ''), `${uid} has no variable ${name}`)),
        ];
      }),
  },
  {
    name: 'links to a dashboard name an account, and rows have each field of the address',
    breaches: (board) =>
      panelsOf(board).flatMap((panel) => {
        const text = JSON.stringify(panel);
        const rows = /"include":\{"names":(\[[^\]]*\])/.exec(text)?.[1] ?? '[]';
        return [...text.matchAll(/"\/d\/[^"]*"/g)].flatMap(([url]) => [
          ...unless(NAMES_ACCOUNT.test(url), `${panel.title}: ${url}`),
          ...[...url.matchAll(/__data\.fields\.(\w+)/g)].flatMap(([, name = '']) =>
            unless(rows.includes(JSON.stringify(name)), `${panel.title} has no field ${name}`),
          ),
        ]);
      }),
  },
  {
    name: 'tables fit a screen of 1024 pixels with whole names',
    breaches: (board) =>
      panelsOf(board)
        .filter(({ type }) => type === 'table')
        .flatMap((panel) => {
          const widths = [
            ...JSON.stringify(panel).matchAll(/"id":"custom\.(?:width|minWidth)","value":(\d+)/g),
          ].map(([, width]) => Number(width));
          const sum = widths.reduce((total, width) => total + width, 0);
          return unless(sum <= TABLE_PIXELS, `${panel.title}: ${sum} pixels`);
        }),
  },
];

/** The account of the row, of the series, or the one that the reader selected. */
const NAMES_ACCOUNT =
  /var-account=\$\{__(data\.fields|field\.labels)\.(account|of)\b|\$\{account:queryparam\}/;

/** Room of a table as wide as a screen of 1024 pixels. */
const TABLE_PIXELS = 966;

/** The dashboards that the rows of tables lead to: values of the label `board`. */
function boardsOfRows(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\\"board\\", \\"(\w+)\\"/g)].map(([, name = '']) => name))];
}
