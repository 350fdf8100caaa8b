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

/** Of alerts that fire at the same time, those that are told. */
function told(firing: readonly string[]): readonly string[] {
  const labels = firing.map(alertOf);
  return firing.filter((_, index) => {
    const own = labels[index];
    return own !== undefined && !isInhibited(own, labels, rules);
  });
}

const PROCESS = /^(exporter)$/;
const OF_MAIN = alerts.filter(({ labels }) => !PROCESS.test(labels.scope));
const EVERYTHING_OF_MAIN = [
  ...new Set(
    OF_MAIN.map(({ alert, labels }) =>
      ['device', 'tunnel'].includes(labels.scope) ? `${alert} main phone-1` : `${alert} main`,
    ),
  ),
];

describe('the inhibition rules leave only the expected alerts of', () => {
  it.each<[string, string[], string[]]>([
    [
      'no exporter at all',
      ['HosterExporterDown', 'HosterAccountUnwatched main', ...EVERYTHING_OF_MAIN],
      ['HosterExporterDown'],
    ],
    [
      'an exporter that is gone, without inhibiting alerts on the phones of another one',
      [
        'HosterExporterDown at-a',
        'HosterAccountUnwatched main',
        'HosterExporterRestarting',
        'HosterFileUnusable main',
        ...EVERYTHING_OF_MAIN,
        'HosterRentedDeviceOffline other phone-2',
      ],
      ['HosterExporterDown at-a', 'HosterRentedDeviceOffline other phone-2'],
    ],
    [
      'one of two exporters that is gone, while the other sees the account',
      ['HosterExporterDown at-a', 'HosterRentedDeviceOffline main phone-1'],
      ['HosterExporterDown at-a', 'HosterRentedDeviceOffline main phone-1'],
    ],
    [
      'a target that vanished',
      ['HosterAccountUnwatched main', ...EVERYTHING_OF_MAIN],
      ['HosterAccountUnwatched main'],
    ],
    [
      'a refused key',
      ['HosterApiKeyRejected main', 'HosterApiUnavailable main', 'HosterApiErrorsHigh main'],
      ['HosterApiKeyRejected main'],
    ],
    [
      'an API that is down, for one of two accounts',
      [
        ...EVERYTHING_OF_MAIN.filter((name) => !/KeyRejected|DataStale/.test(name)),
        'HosterDeviceOffline other phone-2',
      ],
      ['HosterApiUnavailable main', 'HosterDeviceOffline other phone-2'],
    ],
    [
      'a site without power',
      [
        'HosterFleetOffline main',
        'HosterManyDevicesOffline main',
        'HosterRentedDeviceOffline main phone-1',
        'HosterDeviceOffline main phone-1',
        'HosterDeviceOffline main phone-2',
        'HosterDeviceFlapping main phone-3',
        'HosterTunnelsDown main',
        'HosterTunnelDown main phone-1',
        'HosterDeviceOffline other phone-2',
      ],
      ['HosterFleetOffline main', 'HosterDeviceOffline other phone-2'],
    ],
    [
      'a shelf without power: the rented phones are still worth a page',
      [
        'HosterManyDevicesOffline main',
        'HosterRentedDeviceOffline main phone-1',
        'HosterDeviceOffline main phone-1',
        'HosterDeviceOffline main phone-2',
      ],
      ['HosterManyDevicesOffline main', 'HosterRentedDeviceOffline main phone-1'],
    ],
    [
      'a proxy server that is down',
      ['HosterTunnelsDown main', 'HosterTunnelDown main phone-1', 'HosterTunnelDown main phone-2'],
      ['HosterTunnelsDown main'],
    ],
    [
      'a rented phone that is silent, and a tunnel of another one',
      [
        'HosterRentedDeviceOffline main phone-1',
        'HosterDeviceOffline main phone-1',
        'HosterTunnelDown main phone-1',
        'HosterTunnelDown main phone-2',
      ],
      ['HosterRentedDeviceOffline main phone-1', 'HosterTunnelDown main phone-2'],
    ],
    [
      'a phone that is given up',
      [
        'HosterDeviceDead main phone-1',
        'HosterDeviceOffline main phone-1',
        'HosterDeviceOffline main phone-2',
      ],
      ['HosterDeviceDead main phone-1', 'HosterDeviceOffline main phone-2'],
    ],
    [
      'two accounts whose APIs are down',
      ['HosterApiUnavailable main', 'HosterApiUnavailable other'],
      ['HosterApiUnavailable main', 'HosterApiUnavailable other'],
    ],
    [
      'thresholds that are missing, which inhibit no alert and are inhibited by none',
      ['HosterThresholdsMissing', 'HosterExporterDown at-a', 'HosterBalanceLow main'],
      ['HosterThresholdsMissing', 'HosterExporterDown at-a', 'HosterBalanceLow main'],
    ],
  ])('%s', (_, firing, expected) => {
    expect(told(firing)).toEqual(expected);
  });

  it('does not inhibit alerts of other accounts', () => {
    const foreign = { alertname: 'DiskFull', severity: 'critical', account: 'main' };
    const everything = ['HosterExporterDown', 'HosterAccountUnwatched main', ...EVERYTHING_OF_MAIN];
    expect(isInhibited(foreign, everything.map(alertOf), rules)).toBe(false);
  });
});
