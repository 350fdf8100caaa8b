import { MEANINGS_OF_ALERTS } from '../alerts.ts';
import { NO_DATA, PROBLEM, SEVERITY, type State } from '../palette.ts';
import { type Column, TO_PHONE, TO_PHONES_OF_CAUSE, TO_SUBJECT, table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import {
  alerts,
  called,
  coded,
  firingAlerts,
  knownAccounts,
  lastRead,
  nowOrLast,
  ofAccount,
  ofProcess,
  onBoard,
  owned,
  perAccount,
  perPhone,
  ROWS,
  renamed,
  textsOfListed,
} from '../promql.ts';
import { NOT_IN_USE, problemSince } from '../queries/phones.ts';
import { placeholder } from '../variables.ts';

/** Width of a name: account, site, rack and slot. Grafana truncates longer names and does not wrap links. */
export const NAME_WIDTH = 230;

/** Columns of several dashboards. A link to a phone needs the last one in its table. */
export const PHONE: Column = {
  title: 'Phone',
  label: 'phone',
  link: TO_PHONE,
  width: NAME_WIDTH,
};
export const ACCOUNT: Column = { title: 'Account', label: 'account', width: 130 };
export const CAUSE: Column = {
  title: 'Cause',
  label: 'cause',
  link: TO_PHONES_OF_CAUSE,
  width: 150,
};
export const ID: Column = {
  title: 'History',
  label: 'device_id',
  isLink: true,
  link: { ...TO_PHONE, title: 'Open' },
  minWidth: 66,
};

export const PROBLEMS: readonly State[] = [NO_DATA, ...Object.values(PROBLEM)];

const SEVERITIES = Object.values(SEVERITY);

/** Alerts about phones come after those about a whole account, which may be their cause. */
const SEVERITIES_OF_PHONES = SEVERITIES.map((state) => ({ ...state, code: state.code + SEVERITIES.length }));

/** Adds the label `runbook` with the address of the runbook, if an exporter knows its own address. */
function withRunbook(firing: string): string {
  const address = `topk(1, ${ofProcess('hoster_exporter_external_url_info')}) or on () vector(1)`;
  const joined = `label_join((${firing})\n* on () group_left (url) (${address}), "runbook", "/runbooks/", "url", "alertname")`;
  return `label_replace(${joined}, "runbook", "", "url", "")`;
}

/** An alert and its subject. */
const ALERT = 'alertname, severity, account, device_id, problem, kind, value, instance';

/** The labels that identify an incident in all replicas. */
const INCIDENT = 'account, problem, device_id, kind, value';

/** Firing alerts of this project, by their distinguishing labels. */
function firingBy(states: readonly State[], ...matchers: readonly string[]): string {
  return coded(
    states.map((state) => [
      `max by (${ALERT}) (${firingAlerts(...matchers, `severity="${state.value}"`)})`,
      state,
    ]),
  );
}

/** Adds the label `title` to alerts about one phone: its account and its name. */
function titledByPhone(firing: string): string {
  const names = `topk by (account, device_id) (1, max by (account, device_id, label) (${nowOrLast('hoster_device_info')}))`;
  const known = `(${firing}) * on (account, device_id) group_left (label) ${names}`;
  const titled = titledBy(called(`(${known} or on (${ALERT}) (${firing}))`));
  return onBoard('device', withLabel('only', ALL, withLabel('of', '$1', titled, 'account')));
}

/** Adds the label `title` to alerts about several phones: their account and what they share. */
function titledByCause(firing: string): string {
  const titled = titledBy(`label_replace(${firing}, "phone", "$1", "value", "(.*)")`);
  return onBoard('fleet', withLabel('only', '$1', withLabel('of', '$1', titled, 'account'), 'value'));
}

function titledBy(vector: string): string {
  return `label_join(${owned(vector)}, "title", "", "owner", "phone")`;
}

/** Adds the label `title` to alerts about an account or an exporter. */
function titledByAccount(firing: string): string {
  const titled = `label_replace(label_replace(${firing}, "title", "$1", "account", "(.*)"), "title", "$1", "instance", "(.+)")`;
  const of = withLabel('of', ALL, withLabel('of', '$1', titled, 'account'), 'account', '');
  const board = (name: string, alerts: string, vector: string): string =>
    withLabel('board', name, vector, 'alertname', alerts);
  const money = board('money', 'HosterBalance.*', onBoard('fleet', of));
  return withLabel('only', ALL, board('exporter', 'Hoster(Api|Exporter|File|Key).*', money));
}

/** Value of a variable without a selection, in an address. */
const ALL = 'All';

/** Adds a label if another one matches; `$1` is the text of that one. */
function withLabel(label: string, text: string, vector: string, from = '', pattern = '(.*)'): string {
  return `label_replace(${vector}, "${label}", "${text}", "${from}", "${from === '' ? '' : pattern}")`;
}

/** Firing alerts, for each subject the worst: the others repeat it. */
function shownAlerts(matchers: readonly string[], phone = 'device_id!=""') {
  const worst = (vector: string): string =>
    `bottomk by (alertname, account, problem, kind, value, instance) (1, ${vector})`;
  return {
    ofAccounts: worst(firingBy(SEVERITIES, ...matchers, 'device_id=""', 'kind=""')),
    ofCauses: worst(firingBy(SEVERITIES, ...matchers, 'device_id=""', 'kind!=""')),
    ofPhones: `bottomk by (account, device_id) (1, ${firingBy(SEVERITIES_OF_PHONES, ...matchers, phone)})`,
  } as const;
}

/** Number of the rows of the table of alerts: one for each phone, and for each other subject. */
export function firingCount(): string {
  const ofPhones = `max by (account, device_id) (${firingAlerts('device_id!=""')})`;
  const others = `max by (alertname, account, problem, kind, value, instance) (${firingAlerts('device_id=""')})`;
  return `(count(${others} or ${ofPhones}) or vector(0))`;
}

/** The firing alerts: those about several phones first, then by severity, then by age. */
export function alertTable(title: string, { height, none, matchers = [], phone }: AlertTable): Tile {
  const { ofAccounts, ofCauses, ofPhones } = shownAlerts(matchers, phone);
  const concerning = (vector: string, labels: string, facts: string): string =>
    phone === undefined
      ? `(${vector})`
      : `((${vector}) and on (${labels}) ${facts} or (${vector}) unless on (account) ${knownAccounts()})`;
  const itsAccount = perAccount(
    lastRead(ofAccount('hoster_device_info', ...(phone === undefined ? [] : [phone]))),
  );
  const itsCauses = perAccount(
    lastRead(ofAccount('hoster_device_common_cause', ...(phone === undefined ? [] : [phone]))),
    'kind',
    'value',
  );
  const firing = `bottomk(${ROWS}, ${[
    titledByAccount(concerning(ofAccounts, 'account', itsAccount)),
    titledByCause(concerning(ofCauses, 'account, kind, value', itsCauses)),
    titledByPhone(ofPhones),
  ].join('\nor ')})`;
  // An alert about a phone is named by its problem, as in the other tables.
  const withMeaning = (vector: string): string =>
    ['problem', 'value'].reduce(
      (alert, label) => withLabel('meaning', '$1', alert, label, `(${Object.keys(PROBLEM).join('|')})`),
      renamed(vector, 'alertname', 'meaning'),
    );
  const noRules = onBoard(
    'exporter',
    withLabel(
      'title',
      'Unknown: Prometheus has not loaded our rules',
      withLabel('of', ALL, `absent(${alerts('ALERTS', 'severity="none"')}) * 0 + ${NO_DATA.code}`),
    ),
  );
  const began = perAccount(
    nowOrLast('hoster_incident_since_timestamp_seconds'),
    'problem',
    'device_id',
    'kind',
    'value',
  );
  const active = `max by (${ALERT}) (${alerts('ALERTS_FOR_STATE')})`;
  const all = `max by (${ALERT}) (${firingAlerts(...matchers)})`;
  const start = `(0 * ${all} + on (${INCIDENT}) group_left () ${began} or on (${ALERT}) ${active})`;
  const since = `(0 * (${firing}) + on (${ALERT}) group_left () ${start})`;
  const incidents = perAccount(
    nowOrLast('hoster_incident_since_timestamp_seconds', 'device_id=""'),
    'incident',
    'problem',
    'kind',
    'value',
  );
  const counts = perAccount(nowOrLast('hoster_incident_devices'), 'incident', 'sold');
  const together = sizes(counts, incidents);
  return table({
    title,
    description:
      'Firing alerts, those about many phones first; for each phone the worst. The runbook says what to do. Without web.external_url there is no link: open /runbooks/ with the name of the alert at the address of the exporter.',
    noValue: none,
    isList: true,
    width: 24,
    height,
    columns: [
      { title: 'What', label: 'title', link: TO_SUBJECT, width: 200 },
      { title: 'Meaning', label: 'meaning', words: MEANINGS_OF_ALERTS, width: 205 },
      { title: 'Phones', label: 'phones', width: 115 },
      {
        title: 'For',
        target: { expression: withMeaning(`time() - ${since}`) },
        unit: 's',
        decimals: 0,
        width: 70,
      },
      {
        title: 'Severity',
        target: { expression: `${withMeaning(withRunbook(firing))}\nor ${noRules}` },
        states: [NO_DATA, ...SEVERITIES, ...SEVERITIES_OF_PHONES],
        width: 75,
      },
      {
        title: 'Runbook',
        label: 'runbook',
        isLink: true,
        link: { title: 'Open', url: placeholder('__value.raw') },
        minWidth: 66,
      },
    ],
    labelsOf: [
      {
        expression: withMeaning(
          `0 * (${firing}) + on (account, problem, kind, value) group_left (phones) ${together}`,
        ),
      },
    ],
    sortBy: ['Severity', 'ascending'],
    thenBy: ['For', 'descending'],
  });
}

/** Properties that phones can share, by their labels; all phones of an account without one. */
const SHARED = { group: 'group', model: 'model', app_version: 'app_version', account: 'account' } as const;

/**
 * Counts the phones of an incident as the label `phones`, such as "9 of 9, 4 sold": phones that are still offline, all phones
 * with the cause, and the sold ones.
 */
function sizes(counts: string, incidents: string): string {
  const subject = 'account, problem, kind, value';
  const number = (label: string, vector: string, sold = ''): string => {
    const size = `sum by (account, incident) (${sold === '' ? vector : `(${vector}) * on (sold) group_left () label_replace(vector(1), "sold", "${sold}", "", "")`})`;
    return `count_values by (${subject}) ("${label}", max by (${subject}) (${size} * on (account, incident) group_right () (0 * ${incidents} + 1)))`;
  };
  // Like the common cause: phones that are set up.
  const texts = perPhone(textsOfListed(), ...Object.values(SHARED).filter((label) => label !== 'account'));
  const listed = `topk by (account, device_id) (1, ${texts} unless on (account, device_id) ${problemSince(NOT_IN_USE)})`;
  const shared = Object.entries(SHARED).map(([kind, label]) => {
    const of = withLabel('value', '$1', `max by (account, device_id, ${label}) (${listed})`, label);
    return withLabel('kind', kind, `count by (account, value) (${of})`);
  });
  const tags = `${perPhone(nowOrLast('hoster_device_tag_info'), 'tag', 'value')} and on (account, device_id) ${listed}`;
  const tagged = withLabel('kind', 'tag:$1', `count by (account, tag, value) (${tags})`, 'tag');
  const all = `count by (account) (max by (account, device_id) (${listed}))`;
  const whole = `count_values by (account, kind, value) ("whole", ${[...shared, tagged, all].join(' or ')})`;
  const away = `(0 * ${number('away', counts)} + on (${subject}) group_left (sold) ${number('sold', counts, 'true')})`;
  const known = `(${away} * on (account, kind, value) group_left (whole) ${whole} or on (${subject}) ${away})`;
  const some = `label_join(${known}, "phones", " of ", "away", "whole")`;
  const texted = `label_replace(${some}, "phones", "$1", "phones", "(.*) of ")`;
  return `label_replace(label_join(${texted}, "phones", ", ", "phones", "sold"), "phones", "$1 sold", "phones", "(.*)")`;
}

type AlertTable = {
  readonly height: number;
  /** Text without rows. */
  readonly none: string;
  readonly matchers?: readonly string[];
  /** A matcher of one phone, which limits the table to its alerts. */
  readonly phone?: string;
};
