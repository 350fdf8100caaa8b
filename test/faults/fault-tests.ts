import { describe, expect, it } from 'vitest';
import { COLLECTORS, ENDPOINTS, type Endpoint, type FailureReason } from '../../src/model/enums.ts';
import type { Pace } from './effects/fault-group.ts';
import { type Expectation, expectationOf } from './effects/fault-groups.ts';
import { GATEWAY_FAULTS, type GatewayFault, type GatewayKind } from './gateway.ts';
import type { HarnessOptions } from './harness.ts';
import { injectFault, injectGatewayFault } from './injection.ts';
import { failuresBetween, type Observation, pollsFailed } from './invariants.ts';
import {
  createPlayer,
  type FaultInjection,
  type Outcome,
  PHASES,
  type Phase,
  type Scenario,
} from './scenario.ts';
import type { FaultKind } from './simulated/fault.ts';
import { FAULTS } from './simulated/faults.ts';

/** Requests of a round in which all goes well, and some that may be tried again. */
const USUAL_BUDGET = 24;

/** Longest time for one scenario, in milliseconds: on a busy machine, while the others in its file run too. */
const TIME_LIMIT = 180_000;

/** Declares the scenarios of the faults of one kind: each fault, at each endpoint, in each phase. */
export function testFaults(kind: FaultKind): void {
  const scenarios = FAULTS.filter((fault) => fault.kind === kind).flatMap(({ name, endpoints }) =>
    endpoints.flatMap((endpoint) => {
      const expected = expectationOf(name, endpoint);
      const outcomeOf = playPhases(
        PHASES,
        expected,
        () => ({ injection: injectFault(endpoint, name), options: harnessOptionsOf([endpoint], expected) }),
        (phase) => scenarioOf([endpoint], phase, expected),
      );
      return PHASES.map((phase) => [name, endpoint, phase, outcomeOf] as const);
    }),
  );
  describe.concurrent(`the exporter keeps its invariants with a fault of the kind ${kind}:`, () => {
    it.for(scenarios)('%s at the endpoint %s, %s', { timeout: TIME_LIMIT }, async (scenario) => {
      const [name, endpoint, phase, outcomeOf] = scenario;
      expectOutcome(name, endpoint, phase, await outcomeOf(phase));
    });
  });
}

function expectOutcome(name: string, endpoint: Endpoint, phase: Phase, outcome: Outcome): void {
  const { reason, chance, counter } = expectationOf(name, endpoint);
  const failures = [...outcome.failures.keys()].filter((each) => each !== chance);
  expect(failures).toEqual(reason === undefined ? [] : [reason]);
  if (endpoint === 'balance' && reason !== undefined) expectOneCountEach(outcome, phase);
  if (reason === undefined) expectGoodPolls(outcome);
  expectGrowth(outcome, counter);
}

/** Declares the scenarios of the gateway's faults of one kind: each fault in each phase, at all endpoints at once. */
export function testGatewayFaults(kind: GatewayKind): void {
  const scenarios = GATEWAY_FAULTS.filter((fault) => fault.kind === kind).flatMap((fault) => {
    const phases = phasesOf(fault);
    const expected = expectationOf(fault.name, 'devices');
    const outcomeOf = playPhases(
      phases,
      expected,
      () => {
        const { injection, route } = injectGatewayFault(kind, fault.name);
        return { injection, options: { ...harnessOptionsOf(ENDPOINTS, expected), route } };
      },
      (phase) => scenarioOf(ENDPOINTS, phase, expected),
    );
    return phases.map((phase) => [fault.name, phase, outcomeOf] as const);
  });
  describe.concurrent(`the exporter keeps its invariants with a fault of the kind ${kind}:`, () => {
    it.for(scenarios)('%s, %s', { timeout: TIME_LIMIT }, async ([name, phase, outcomeOf]) => {
      expectGatewayOutcome(name, phase, await outcomeOf(phase));
    });
  });
}

/** At the start, there is no connection that could go dead. */
function phasesOf({ existing }: GatewayFault): readonly Phase[] {
  return existing === 'silence' ? PHASES.slice(1) : PHASES;
}

/** Reasons of failure of requests in flight when the gateway breaks their connections. */
const BROKEN: readonly FailureReason[] = ['reset', 'truncated'];

function expectGatewayOutcome(name: string, phase: Phase, outcome: Outcome): void {
  const { reason } = expectationOf(name, 'devices');
  const seen = [...outcome.failures.keys()];
  expect(seen.filter((one) => one !== reason && !BROKEN.includes(one))).toEqual([]);
  if (reason !== undefined) expect(seen).toContain(reason);
  else if (phase !== 'in the middle of a poll') expectGoodPolls(outcome);
}

/** A fault, and the exporter that meets it. */
type Setting = { readonly injection: FaultInjection; readonly options: HarnessOptions };

/**
 * Returns a function that plays a phase of a fault and those ahead of it. They share one exporter, which is started with the
 * first one and closed after the last one. Phases that wait for real time have an exporter each, to wait side by side.
 */
function playPhases(
  phases: readonly Phase[],
  { pace }: Expectation,
  settingOf: () => Setting,
  scenario: (phase: Phase) => Scenario,
): (phase: Phase) => Promise<Outcome> {
  const outcomes = new Map<Phase, Promise<Outcome>>();
  const waits = pace === 'real' || pace === 'restful';
  return (phase) => {
    if (!outcomes.has(phase)) {
      for (const [one, outcome] of playInTurn(waits ? [phase] : phases, settingOf(), scenario))
        outcomes.set(one, outcome);
    }
    return outcomes.get(phase) ?? Promise.reject(new RangeError(`the fault has no phase ${phase}`));
  };
}

/** Plays phases with one exporter. A phase that fails fails those behind it too. */
function playInTurn(
  phases: readonly Phase[],
  { injection, options }: Setting,
  scenario: (phase: Phase) => Scenario,
): ReadonlyMap<Phase, Promise<Outcome>> {
  const player = createPlayer(options);
  const outcomes = new Map<Phase, Promise<Outcome>>();
  let before: Promise<unknown> = player;
  for (const phase of phases) {
    const play = before.then(async () => (await player).play(injection, scenario(phase)));
    const outcome = phase === phases.at(-1) ? play.finally(async () => (await player).close()) : play;
    // Its test may not run at all, if only one phase was chosen.
    outcome.catch(() => {});
    outcomes.set(phase, outcome);
    before = outcome;
  }
  return outcomes;
}

function scenarioOf(endpoints: readonly Endpoint[], phase: Phase, expected: Expectation): Scenario {
  return {
    endpoints,
    phase,
    budget: expected.budget ?? USUAL_BUDGET,
    recovery: expected.rounds,
    alone: !expected.pauses,
    ...PACES[expected.pace ?? 'usual'].scenario,
  };
}

function harnessOptionsOf(endpoints: readonly Endpoint[], { pace }: Expectation): HarnessOptions {
  const size = endpoints.length === 1 ? SIZES[endpoints[0] ?? 'devices'] : {};
  return { ...size, ...PACES[pace ?? 'usual'].harness };
}

/** The fleet is only as large as the endpoint with the fault needs: several pages for a list, several tunnels for a round. */
const SIZES: Readonly<Record<Endpoint, Pick<HarnessOptions, 'phones' | 'tunnels'>>> = {
  devices: { tunnels: 1 },
  tunnel: { phones: 10 },
  balance: { phones: 10, tunnels: 1 },
};

type PaceOptions = {
  readonly harness?: HarnessOptions;
  readonly scenario?: Pick<Scenario, 'rest'>;
};

const PACES: Readonly<Record<Pace | 'usual', PaceOptions>> = {
  usual: {},
  slow: { harness: { timeMode: { idleRounds: 100 }, tunnels: 2 } },
  // The clock of a busy machine may leap on before a response has arrived.
  patient: { harness: { client: { timeout: '15s' } } },
  real: { harness: { timeMode: 'real', client: { timeout: '15s' } } },
  // The client keeps an idle connection for two seconds at most.
  restful: { scenario: { rest: 2_200 } },
};

function expectGoodPolls({ before, during }: Outcome): void {
  for (const collector of COLLECTORS) expect(pollsFailed(before, during, collector), collector).toBe(0);
}

/**
 * Each request that failed counts once; beside them, a rejected request counts without having been sent, at
 * most once in a poll. Asked of the balance, whose polls have one question. In mid-run only one request fails.
 */
function expectOneCountEach({ before, during }: Outcome, phase: Phase): void {
  const acted = phase === 'in the middle of a poll' ? 1 : during.requests.balance - before.requests.balance;
  const counts = failuresBetween(before, during, 'balance').values();
  const failed = [...counts].reduce((sum, count) => sum + count, 0);
  expect(failed).toBeGreaterThanOrEqual(acted);
  expect(failed).toBeLessThanOrEqual(acted + pollsFailed(before, during, 'balance'));
}

function expectGrowth({ before, during }: Outcome, family: string | undefined): void {
  if (family === undefined) return;
  const sum = ({ page }: Observation) => page.sum(family);
  expect(sum(during), family).toBeGreaterThan(sum(before));
}
