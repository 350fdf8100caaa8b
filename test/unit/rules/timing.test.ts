import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { secondsOf } from '../../rules/duration.ts';
import {
  ALERTMANAGER_FILE,
  PROMETHEUS_FILE,
  RULES_FILE,
  readRules,
  readThresholds,
  shippedText,
  THRESHOLDS_FILE,
} from '../../rules/shipped.ts';
import { durationsIn, overrideThresholds, readShortened, shortenDurations } from '../../rules/shorten.ts';

const shortened = readShortened();
const rules = shippedText(RULES_FILE);
const thresholds = shippedText(THRESHOLDS_FILE);

const FILES = [RULES_FILE, ALERTMANAGER_FILE, PROMETHEUS_FILE];

/** When an alert begins and how long it stays, in seconds, as a set of rules and thresholds has it. */
function timesOf(rulesText: string, thresholdsText: string) {
  const { alerts } = readRules(rulesText);
  const figures = readThresholds(thresholdsText);
  const alert = (name: string) => {
    const found = alerts.find((each) => each.alert === name);
    if (found === undefined) throw new RangeError(`No such alert: ${name}`);
    return found;
  };
  return {
    waits: (name: string) => secondsOf(alert(name).for),
    keeps: (name: string) => secondsOf(alert(name).keep_firing_for),
    silent: (name: string) => figures.get(`hoster:threshold_${name}_silent:seconds`) ?? Number.NaN,
    seenWindow: secondsOf(/data_state\{state="fresh"\}\[(\w+)\]/.exec(rulesText)?.[1] ?? ''),
    failureWindow: secondsOf(/rate\(\w+_failures_total\[(\w+)\]/.exec(rulesText)?.[1] ?? ''),
    onData: alerts.filter(({ labels }) => /fleet|device|tunnel|money/.test(labels.scope)),
  };
}

describe.each([
  ['as shipped', timesOf(rules, thresholds)],
  [
    'shortened for the end-to-end tests',
    timesOf(shortenDurations(rules, shortened), overrideThresholds(thresholds, shortened)),
  ],
])('the order of alerts, %s', (_, { waits, keeps, silent, seenWindow, failureWindow, onData }) => {
  const fleetAt = silent('fleet') + waits('HosterFleetOffline');

  it.each([
    ['HosterManyDevicesOffline', silent('fleet')],
    ['HosterRentedDeviceOffline', silent('rented')],
    ['HosterDeviceOffline', silent('device')],
  ])('has HosterFleetOffline fire before %s and stay longer', (name, silence) => {
    expect(fleetAt).toBeLessThan(silence + waits(name));
    expect(keeps('HosterFleetOffline')).toBeGreaterThan(keeps(name));
  });

  it('has HosterRentedDeviceOffline fire before HosterDeviceOffline and stay longer', () => {
    expect(silent('rented') + waits('HosterRentedDeviceOffline')).toBeLessThan(
      silent('device') + waits('HosterDeviceOffline'),
    );
    expect(keeps('HosterRentedDeviceOffline')).toBeGreaterThan(keeps('HosterDeviceOffline'));
  });

  it('has HosterTunnelsDown fire after the alert time of silent phones, but before HosterTunnelDown, and stay longer', () => {
    expect(waits('HosterTunnelsDown')).toBeGreaterThan(silent('fleet'));
    expect(waits('HosterTunnelDown')).toBeGreaterThan(waits('HosterTunnelsDown'));
    expect(keeps('HosterTunnelsDown')).toBeGreaterThan(keeps('HosterTunnelDown'));
  });

  it.each([
    ['HosterExporterDown', 'HosterAccountUnwatched'],
    ['HosterApiKeyRejected', 'HosterApiUnavailable'],
  ])('has %s fire before %s and stay longer', (cause, consequence) => {
    expect(waits(cause)).toBeLessThan(waits(consequence));
    expect(keeps(cause)).toBeGreaterThan(keeps(consequence));
  });

  it('keeps HosterApiUnavailable firing longer than HosterApiErrorsHigh looks back', () => {
    expect(failureWindow + keeps('HosterApiErrorsHigh')).toBeLessThan(keeps('HosterApiUnavailable'));
  });

  it('has no alert fire within the time in which held data counts', () => {
    expect(onData.filter((alert) => secondsOf(alert.for) < seenWindow).map(({ alert }) => alert)).toEqual([]);
  });
});

describe('the override file', () => {
  const order = Object.entries(shortened.durations).map(
    ([long, short]) => [secondsOf(long), secondsOf(short)] as const,
  );

  it('lists each duration of the shipped files, and no other', () => {
    const shipped = new Set(FILES.flatMap((file) => durationsIn(shippedText(file))));
    expect(Object.keys(shortened.durations).sort()).toEqual([...shipped].sort());
  });

  it('keeps the order of the durations', () => {
    expect(order.map(([long]) => long)).toEqual(order.map(([long]) => long).sort((a, b) => a - b));
    expect(order.map(([, short]) => short)).toEqual(order.map(([, short]) => short).sort((a, b) => a - b));
  });

  it.each(FILES)('changes nothing but durations in %s', (file) => {
    const [text, shorter] = [shippedText(file), shortenDurations(shippedText(file), shortened)];
    const blank = (value: string) => value.replaceAll(/\d+[smhd]\b/g, '…');
    expect(shorter).not.toBe(text);
    expect(blank(shorter)).toBe(blank(text));
  });

  it('changes nothing but figures of time in the thresholds', () => {
    const [before, after] = [
      readThresholds(thresholds),
      readThresholds(overrideThresholds(thresholds, shortened)),
    ];
    expect([...after.keys()]).toEqual([...before.keys()]);
    const changed = [...after].filter(([name, figure]) => figure !== before.get(name));
    expect(Object.fromEntries(changed)).toEqual(shortened.thresholds);
    expect(changed.map(([name]) => name).filter((name) => !name.endsWith(':seconds'))).toEqual([]);
  });

  it('reports missing durations', () => {
    const nothing = { durations: {}, thresholds: { 'hoster:threshold_x:count': 1 } };
    expect(() => shortenDurations('for: 5m', nothing)).toThrow(
      'test/rules/shortened.yml does not say what 5m becomes.',
    );
    expect(() => overrideThresholds(thresholds, nothing)).toThrow(
      'hoster.thresholds.yml has no line for hoster:threshold_x:count.',
    );
  });
});

describe('prometheus.yml', () => {
  it('loads the thresholds and the rules', () => {
    expect(parse(shippedText(PROMETHEUS_FILE)).rule_files).toEqual([
      'hoster.thresholds.yml',
      'hoster.rules.yml',
    ]);
  });
});
