import { describe, expect, it } from 'vitest';
import { secondsOf } from '../../rules/duration.ts';
import {
  CASE_FILES,
  RULES_FILE,
  readRules,
  readScenarios,
  type Scenario,
  shippedText,
} from '../../rules/shipped.ts';

const { alerts } = readRules(shippedText(RULES_FILE));
const scenarios = CASE_FILES.flatMap(readScenarios);

/** One moment of a scenario: whether the alert fires then. */
type Moment = { readonly seconds: number; readonly fires: boolean };

function momentsOf(scenario: Scenario, alert: string): readonly Moment[] {
  return (scenario.alert_rule_test ?? [])
    .filter(({ alertname }) => alertname === alert)
    .map(({ eval_time, exp_alerts }) => ({ seconds: secondsOf(eval_time), fires: exp_alerts.length > 0 }));
}

/** Rules are evaluated every minute, or every 4 minutes where days are told. */
const ONE_EVALUATION_SECONDS = 4 * 60;

/** Silent, firing, silent again. */
function beginsAndEnds(moments: readonly Moment[]): boolean {
  const first = moments.findIndex(({ fires }) => fires);
  return first > 0 && moments.at(-1)?.fires === false;
}

/** Silent still one evaluation before it begins. */
function isInTime(moments: readonly Moment[]): boolean {
  const first = moments.findIndex(({ fires }) => fires);
  const [before, begin] = [moments[first - 1], moments[first]];
  if (before === undefined || begin === undefined) return false;
  return begin.seconds - before.seconds <= ONE_EVALUATION_SECONDS;
}

/** Scenarios in which nothing but the data goes missing. */
const MISSING = /when only the data is missing/;
const HELD = /: stays while/;

/** Alerts on a process end with it; Alertmanager inhibits them while the process is gone. */
const NOT_HELD = /^Hoster(Exporter.+|AccountUnwatched|AccountAmbiguous|ThresholdsMissing|FileUnusable)$/;

function scenariosOf(alert: string): readonly Scenario[] {
  return scenarios.filter(({ name }) => name.startsWith(`${alert}: `));
}

/** The watchdog always fires. */
const names = [...new Set(alerts.map(({ alert }) => alert))].filter((name) => name !== 'HosterWatchdog');

describe.each(names)('%s', (alert) => {
  const own = scenariosOf(alert);

  it('has at least four cases', () => {
    expect(own.flatMap((scenario) => momentsOf(scenario, alert)).length).toBeGreaterThanOrEqual(4);
  });

  it('has a scenario in which it is silent just before its time, fires, and ends', () => {
    const whole = own
      .map((scenario) => momentsOf(scenario, alert))
      .filter((moments) => beginsAndEnds(moments) && isInTime(moments));
    expect(whole.length).toBeGreaterThanOrEqual(1);
  });

  it('has a scenario in which only the data is missing, and it is silent', () => {
    const moments = own
      .filter(({ name }) => MISSING.test(name))
      .flatMap((scenario) => momentsOf(scenario, alert));
    expect(moments.length).toBeGreaterThanOrEqual(3);
    expect(moments.filter(({ fires }) => fires)).toEqual([]);
  });
});

describe.each(names.filter((name) => !NOT_HELD.test(name)))('%s', (alert) => {
  it('has a scenario in which it stays while the data is missing', () => {
    const held = scenariosOf(alert)
      .filter(({ name }) => HELD.test(name))
      .filter((scenario) => beginsAndEnds(momentsOf(scenario, alert)));
    expect(held.length).toBeGreaterThanOrEqual(1);
  });
});

describe('the rules', () => {
  it('hold every alert that is not about a process', () => {
    const free = alerts.filter(
      ({ expr, alert }) => !expr.includes(`hoster:alert_held:nan{alertname="${alert}"`),
    );
    expect(
      free.map(({ alert }) => alert).filter((alert) => names.includes(alert) && !NOT_HELD.test(alert)),
    ).toEqual([]);
  });
});
