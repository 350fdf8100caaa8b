import type { Collector } from '../../../src/model/enums.ts';
import { COLOURS, type Coded, DATA, PROBLEM, SEVERITY } from '../palette.ts';
import { sum } from '../panels/steps.ts';
import { type Column, TO_ACCOUNT, TO_PHONE, table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import {
  among,
  type Choices,
  chosen,
  DATA_SINCE,
  INCIDENT_SINCE,
  ofAccount,
  ofProcess,
  PROBLEM_SINCE,
  per,
  ROWS,
  severities,
} from '../promql.ts';
import { placeholder } from '../variables.ts';
import { AGO, INSTANT, NO_ROWS } from './tiles.ts';

/** A column with the value of a query. */
export const cell = (title: string, expression: string, width = 65, look: Partial<Column> = {}): Column => ({
  title,
  query: expression,
  width,
  ...look,
});

/** A column with a time, from seconds since 1970. */
export const at = (title: string, seconds: string, width = 110): Column =>
  cell(title, `1000*${seconds}`, width, { unit: INSTANT });

/** A column with the time since then. */
export const ago = (title: string, seconds: string, width = 110): Column =>
  cell(title, `1000*${seconds}`, width, { unit: AGO });

/** A column with the number of phones of each model, of the most frequent ones. */
export function ofModels(title: string, phones: string): Column {
  const models = per('account,device_id,model', ofAccount('hoster_device_info'));
  return cell(
    title,
    `topk(${ROWS},count by(model)(${among(models, phones)}) or 0*count by(model)(${models}))`,
    90,
  );
}

/** Columns of several dashboards. A link to a phone needs the last one in its table. */
export const PHONE: Column = { title: 'Phone', label: 'label', link: TO_PHONE, width: 190 };
export const ACCOUNT: Column = { title: 'Account', label: 'account', link: TO_ACCOUNT, width: 100 };
export const ID: Column = {
  title: 'History',
  label: 'device_id',
  isLink: true,
  link: { ...TO_PHONE, title: 'Open' },
  minWidth: 66,
};

/** Columns of each account with the state of its data. */
export function dataColumns(collector: Collector): readonly Column[] {
  const since = per('account,state,why', ofAccount(DATA_SINCE, `collector="${collector}"`));
  return [
    ACCOUNT,
    { title: 'Data', label: 'state', states: Object.values(DATA), width: 80 },
    { title: 'Why', label: 'why', width: 120 },
    at('Read', `bottomk(${ROWS},${since})`, 100),
  ];
}

/** A column of the most costly problem of each phone. */
export const PROBLEM_COLUMN: Column = {
  title: 'Problem',
  label: 'problem',
  states: Object.values(PROBLEM),
  width: 150,
};

/** The problems of some phones. */
export const problems = (choice: Choices): string =>
  `0*${per('account,device_id,problem', ofAccount(PROBLEM_SINCE, chosen(choice)))}`;

/** The labels of listed phones. */
export function names(choice: Choices, ...more: readonly string[]): string {
  const labels = ['account', 'device_id', 'label', ...more].join(',');
  return per(labels, ofAccount('hoster_device_info', chosen(choice)));
}

/** The place of each phone among the problems: the most costly is 1. */
export function ranks(...matchers: readonly string[]): string {
  const problem = per('account,device_id,problem', ofAccount(PROBLEM_SINCE, ...matchers));
  const rank = per('problem', ofProcess('hoster_exporter_problem_rank'));
  return `0*${problem} + on(problem) group_left() ${rank}`;
}

const ESCALATED: readonly Coded[] = [{ value: '', code: 1, text: 'Yes', colour: COLOURS.bad }];

/** The incidents that a table shows. */
const CHOSEN = 'incident=~"$open"';

/** Open incidents, by severity, those of one phone last, and then by age; the exporter names them as on its page. */
export function incidentTable(title: string, height: number): Tile {
  const info = ofAccount('hoster_incident_info', CHOSEN);
  const of = (name: string, labels = 'account,incident') => per(labels, ofAccount(name, CHOSEN));
  const described = 'account,incident,severity,title,subject,acknowledged_by';
  const url = `on(job,instance) group_left(url) ${ofProcess('hoster_exporter_external_url_info')}`;
  return table({
    title,
    description:
      'Open incidents, the most severe first: what it is, who is on it, and the last note. Acknowledge it on the fleet page or in the chat. The runbook says what to do; without web.external_url there is no link. The Exporter dashboard has the alerts about exporters.',
    noValue: NO_ROWS,
    size: [24, height],
    columns: [
      { title: 'What', label: 'title', minWidth: 110 },
      { title: 'Subject', label: 'subject', width: 118 },
      ago('Open', of(INCIDENT_SINCE), 114),
      { title: 'Severity', label: 'severity', states: Object.values(SEVERITY), width: 72 },
      cell(
        'Offline',
        `sum by(account,incident)(${of('hoster_incident_devices', 'account,incident,sold')})`,
        72,
      ),
      { title: 'On it', label: 'acknowledged_by', width: 66 },
      ago('On it for', of('hoster_incident_acknowledged_timestamp_seconds'), 80),
      cell('Escalated', of('hoster_incident_escalated'), 88, { states: ESCALATED }),
      { title: 'Note', label: 'text', width: 74 },
      {
        title: 'Runbook',
        label: 'runbook',
        isLink: true,
        link: { title: 'Open', url: placeholder('__value.raw') },
        width: 78,
      },
      { title: 'Account', label: 'account', width: 76 },
      { title: 'Rank', label: 'order', isHidden: true },
    ],
    inputs: {
      wide: `0*${per('account,incident', ofAccount(INCIDENT_SINCE, CHOSEN, 'device_id=""'))}-0.5`,
      rank: per('account,incident', severities(CHOSEN)),
    },
    steps: [sum('order', ['wide', 'rank'])],
    labelsOf: [
      per(described, info),
      of('hoster_incident_note_info', 'account,incident,text'),
      per(
        'account,incident,runbook',
        `label_join(${info} * ${url}, "runbook", "/runbooks/", "url", "alert")`,
      ),
    ],
    inOrder: ['Open', 'Rank'],
  });
}
