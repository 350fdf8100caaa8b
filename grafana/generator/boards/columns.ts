import { MEANINGS } from '../alerts.ts';
import { NO_DATA, PROBLEM, SEVERITY, type State } from '../palette.ts';
import { type Column, TO_PHONE, table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import { alerts, coded, firingAlerts, ofAccount, ofProcess, perPhone, ROWS, renamed } from '../promql.ts';
import { placeholder } from '../variables.ts';
import { INSTANT, NONE_OR_UNKNOWN } from './tiles.ts';

/** Columns that several dashboards have. A link to a phone needs all three of these columns in its table. */
export const PHONE: Column = { title: 'Phone', label: 'phone', link: TO_PHONE, minWidth: 140 };
export const ACCOUNT: Column = { title: 'Account', label: 'account', width: 90 };
export const ID: Column = {
  title: 'History',
  label: 'device_id',
  isLink: true,
  link: { ...TO_PHONE, title: 'Open' },
  width: 80,
};

export const PROBLEMS: readonly State[] = [NO_DATA, ...Object.values(PROBLEM)];

const SEVERITIES = Object.values(SEVERITY);

/** Alerts on phones come after those on all of an account, which may be their cause. */
const SEVERITIES_OF_PHONES = SEVERITIES.map((state) => ({ ...state, code: state.code + SEVERITIES.length }));

/** Adds the label `runbook`, the address of the runbook of an alert, where an exporter knows its own address. */
function withRunbook(firing: string): string {
  const address = `topk(1, ${ofProcess('hoster_exporter_external_url_info')}) or on () vector(1)`;
  const joined = `label_join((${firing})\n* on () group_left (url) (${address}), "runbook", "/runbooks/", "url", "alertname")`;
  return `label_replace(${joined}, "runbook", "", "url", "")`;
}

/** The firing alerts that meet some matchers: those on an account first, then by severity, then the longest. */
export function alertTable(
  title: string,
  width: number,
  height: number,
  matchers: readonly string[] = [],
): Tile {
  const firing = (states: readonly State[], device: string): string =>
    coded(
      states.map((state) => [
        `max by (alertname, severity, account, device_id) (${firingAlerts(...matchers, device, `severity="${state.value}"`)})`,
        state,
      ]),
    );
  // The name of a phone is no part of its alert: it may change meanwhile.
  const names = `topk by (account, device_id) (1, max by (account, device_id, label) (${ofAccount('hoster_device_info')}))`;
  const named = (vector: string): string => {
    const known = `(${vector}) * on (account, device_id) group_left (label) ${names}`;
    return `(${known} or on (alertname, severity, account, device_id) (${vector}))`;
  };
  // Of the alerts on one phone the worst alone: two of them say the same.
  const ofPhones = `bottomk by (account, device_id) (1, ${named(firing(SEVERITIES_OF_PHONES, 'device_id!=""'))})`;
  const shown = `bottomk(${ROWS}, (${firing(SEVERITIES, 'device_id=""')}\nor ${ofPhones}))`;
  // The name of the alert twice: once in plain words, and once as the runbooks have it.
  const told = (vector: string): string => renamed(vector, 'alertname', 'meaning');
  // Firing begins where pending ends; an alert that is not pending first fires as soon as it is active.
  const pending = `max_over_time(timestamp(${alerts('ALERTS', 'alertstate="pending"')})[1d:1m])`;
  const active = alerts('ALERTS_FOR_STATE');
  const own = 'alertname, severity, account, device_id';
  const began = `max by (${own}) (${pending}) or max by (${own}) (${active})`;
  const back = `max by (account, device_id) (${ofAccount('hoster_device_back_timestamp_seconds')}) unless on (account, device_id) ${perPhone(ofAccount('hoster_device_problem_since_timestamp_seconds'))}`;
  return table({
    title,
    description:
      'Alerts that fire now, those on a whole account first; of each phone the worst. An alert goes on for some minutes after its phone is back: Back says since when. What to do: open the runbook; without web.external_url in the exporter there is no link, so open /runbooks/ and the name of the alert behind the address of the exporter.',
    noValue: NONE_OR_UNKNOWN,
    isList: true,
    width,
    height,
    columns: [
      {
        title: 'Severity',
        target: { expression: told(withRunbook(shown)) },
        states: [...SEVERITIES, ...SEVERITIES_OF_PHONES],
        width: 100,
      },
      { title: 'Phone', label: 'label', link: TO_PHONE, minWidth: 115 },
      { title: 'What it means', label: 'meaning', words: MEANINGS, minWidth: 200 },
      {
        title: 'Since',
        target: {
          expression: told(`0 * ${shown} + on (${own}) group_left () 1000 * (${began})`),
        },
        unit: INSTANT,
        width: 110,
      },
      {
        title: 'Back',
        target: {
          expression: told(`0 * ${shown} + on (account, device_id) group_left () 1000 * (${back})`),
        },
        unit: INSTANT,
        width: 110,
      },
      {
        title: 'Runbook',
        label: 'runbook',
        isLink: true,
        link: { title: 'Open', url: placeholder('__value.raw') },
        width: 80,
      },
      { title: 'Alert', label: 'alertname', width: 180 },
      ACCOUNT,
      ID,
    ],
    sortBy: ['Severity', 'ascending'],
    thenBy: ['Since', 'ascending'],
  });
}
