import { describe, expect, it } from 'vitest';
import { type AlertLabels, isInhibited, readInhibitRules } from '../../rules/inhibition.ts';
import { RULES_FILE, readRules, shippedText } from '../../rules/shipped.ts';

const rules = readInhibitRules();
const { alerts } = readRules(shippedText(RULES_FILE));

/** An alert with the labels that its rule gives it, as text: `name account phone`, or `name at-instance`. */
function alertOf(text: string): AlertLabels {
  const [alertname = '', where, device_id] = text.split(' ');
  const instance = where?.startsWith('at-') ? where : undefined;
  const account = instance === undefined ? where : undefined;
  const rule = alerts.find(({ alert }) => alert === alertname);
  if (rule === undefined) throw new RangeError(`No such alert: ${alertname}`);
  return {
    alertname,
    ...rule.labels,
    ...(instance === undefined ? {} : { instance }),
    ...(account === undefined ? {} : { account }),
    ...(device_id === undefined ? {} : { device_id }),
  };
}

/** Returns the alerts that are sent, of those that fire at the same time. */
function notified(firing: readonly string[]): readonly string[] {
  const labels = firing.map(alertOf);
  return firing.filter((_, index) => {
    const own = labels[index];
    return own !== undefined && !isInhibited(own, labels, rules);
  });
}

const EVERYTHING_OF_MAIN = [
  ...new Set(
    alerts
      .filter(({ labels }) => labels.scope !== 'exporter')
      .map(({ alert, labels }) =>
        ['device', 'tunnel', 'event'].includes(labels.scope) ? `${alert} main phone-1` : `${alert} main`,
      ),
  ),
];

describe('the inhibition rules', () => {
  it('are two: the exporter decides what explains what', () => {
    expect(rules).toHaveLength(2);
  });
});

describe('the inhibition rules leave only the expected alerts of', () => {
  it.each<[string, string[], string[]]>([
    [
      'an exporter that is gone: its files, and nothing that another one may see',
      [
        'HosterExporterDown at-a',
        'HosterExporterRestarting at-a',
        'HosterFileUnusable at-a',
        'HosterFileUnusable at-b',
        'HosterSoldPhoneOffline main phone-1',
      ],
      ['HosterExporterDown at-a', 'HosterFileUnusable at-b', 'HosterSoldPhoneOffline main phone-1'],
    ],
    [
      'an API that is down: what was wrong before still stands',
      ['HosterApiUnavailable main', 'HosterSoldPhoneOffline main phone-1', 'HosterApiDegraded main'],
      ['HosterApiUnavailable main', 'HosterSoldPhoneOffline main phone-1', 'HosterApiDegraded main'],
    ],
    [
      'two accounts whose APIs are down',
      ['HosterApiUnavailable main', 'HosterApiUnavailable other'],
      ['HosterApiUnavailable main', 'HosterApiUnavailable other'],
    ],
    [
      'a site without power, with an earlier alert for one phone',
      ['HosterCommonCause main', 'HosterSoldPhoneOffline main phone-1', 'HosterTunnelDown main phone-2'],
      ['HosterCommonCause main', 'HosterSoldPhoneOffline main phone-1', 'HosterTunnelDown main phone-2'],
    ],
  ])('%s', (_, firing, expected) => {
    expect(notified(firing)).toEqual(expected);
  });

  it('an API that has been down for an hour: the page, and not the warning', () => {
    const [warning, critical] = alerts
      .filter(({ alert }) => alert === 'HosterApiUnavailable')
      .map(({ alert, labels }) => ({ alertname: alert, ...labels, account: 'main' }));
    const both = [warning ?? {}, critical ?? {}];
    expect(both.map((alert) => isInhibited(alert, both, rules))).toEqual([true, false]);
  });

  it('does not inhibit alerts of other accounts', () => {
    const foreign = { alertname: 'DiskFull', severity: 'critical', account: 'main', scope: 'device' };
    expect(isInhibited(foreign, EVERYTHING_OF_MAIN.map(alertOf), rules)).toBe(false);
  });
});
