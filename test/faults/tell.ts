import { describe, expect, it } from 'vitest';
import { COLLECTORS, ENDPOINTS, type Endpoint, type FailureReason } from '../../src/model/enums.ts';
import type { FaultKind } from '../../src/simulator/faults/fault.ts';
import { FAULTS } from '../../src/simulator/faults/switchboard.ts';
import { GATEWAY_FAULTS, type GatewayFault, type GatewayKind } from '../../src/simulator/gateway.ts';
import { failuresBetween, type Observation, pollsFailed } from './invariants.ts';
import { type Outcome, PHASES, type Phase, play, type Scenario } from './scenario.ts';
import type { Pace } from './symptoms/symptom.ts';
import { type Expectation, expectationOf } from './symptoms/symptoms.ts';
import { faultTrouble, gatewayTrouble } from './trouble.ts';

/** Requests of a round in which all goes well, and some that may be tried again. */
const USUAL_BUDGET = 24;

/** Longest time for one scenario, in milliseconds: on a busy machine, with the others of its file beside it. */
const TIME_LIMIT = 180_000;

/** Declares the scenarios of the faults of one kind: each fault, at each endpoint, in each phase. */
export function tellFaults(kind: FaultKind): void {
  const scenarios = FAULTS.filter((fault) => fault.kind === kind).flatMap(({ name, endpoints }) =>
    endpoints.flatMap((endpoint) => PHASES.map((phase) => [name, endpoint, phase] as const)),
  );
  describe.concurrent(`a fault of the kind ${kind}`, () => {
    it.for(scenarios)('%s (%s) %s breaks no promise', { timeout: TIME_LIMIT }, ([name, endpoint, phase]) =>
      tellFault(name, endpoint, phase),
    );
  });
}

async function tellFault(name: string, endpoint: Endpoint, phase: Phase): Promise<void> {
  const expected = expectationOf(name, endpoint);
  const outcome = await play(faultTrouble(endpoint, name), scenarioOf([endpoint], phase, expected));
  const { reason } = expected;
  expect([...outcome.failures.keys()]).toEqual(reason === undefined ? [] : [reason]);
  if (endpoint === 'balance' && reason !== undefined) expectOneCountEach(outcome, phase);
  if (expected.poll !== undefined) expectBadPolls(outcome, expected.poll);
  else if (reason === undefined) expectGoodPolls(outcome);
  // Before anything is known, nothing can be lost.
  if (name !== 'fleet-vanishes' || phase !== 'at the start') expectGrowth(outcome, expected.counter);
}

/** Declares the scenarios of the gateway's faults of one kind: each fault in each phase, at all endpoints at once. */
export function tellGatewayFaults(kind: GatewayKind): void {
  const scenarios = GATEWAY_FAULTS.filter((fault) => fault.kind === kind).flatMap((fault) =>
    phasesOf(fault).map((phase) => [fault.name, phase] as const),
  );
  describe.concurrent(`a fault of the kind ${kind}`, () => {
    it.for(scenarios)('%s %s breaks no promise', { timeout: TIME_LIMIT }, ([name, phase]) =>
      tellGatewayFault(kind, name, phase),
    );
  });
}

/** At the start there is no connection yet that could go dead. */
function phasesOf({ existing }: GatewayFault): readonly Phase[] {
  return existing === 'silence' ? PHASES.slice(1) : PHASES;
}

/** What requests fail with that were under way when the gateway broke their connections. */
const BROKEN: readonly FailureReason[] = ['reset', 'truncated'];

async function tellGatewayFault(kind: GatewayKind, name: string, phase: Phase): Promise<void> {
  const expected = expectationOf(name, 'devices');
  const { trouble, way } = gatewayTrouble(kind, name);
  const scenario = scenarioOf(ENDPOINTS, phase, expected);
  const outcome = await play(trouble, { ...scenario, stage: { ...scenario.stage, way } });
  const { reason } = expected;
  const seen = [...outcome.failures.keys()];
  expect(seen.filter((one) => one !== reason && !BROKEN.includes(one))).toEqual([]);
  if (reason !== undefined) expect(seen).toContain(reason);
  else if (phase !== 'in mid-run') expectGoodPolls(outcome);
}

function scenarioOf(endpoints: readonly Endpoint[], phase: Phase, expected: Expectation): Scenario {
  return {
    endpoints,
    phase,
    budget: expected.budget ?? USUAL_BUDGET,
    recovery: expected.rounds,
    alone: !expected.pauses,
    ...PACES[expected.pace ?? 'usual'],
  };
}

const PACES: Readonly<Record<Pace | 'usual', Pick<Scenario, 'stage' | 'troubled' | 'rest'>>> = {
  usual: {},
  slow: { stage: { passing: { patience: 100 }, tunnels: 1 } },
  real: { stage: { passing: 'really', client: { timeout: '15s' } }, troubled: 2 },
  // The client keeps an idle connection for two seconds at most.
  restful: { rest: 2_200 },
};

function expectGoodPolls({ before, troubled }: Outcome): void {
  for (const collector of COLLECTORS) expect(pollsFailed(before, troubled, collector), collector).toBe(0);
}

/**
 * Each request that failed counts once; beside them, a question that was held back counts without having been sent, at
 * most once in a poll. Asked of the balance, whose polls have one question. In mid-run only one request fails.
 */
function expectOneCountEach({ before, troubled }: Outcome, phase: Phase): void {
  const acted = phase === 'in mid-run' ? 1 : troubled.requests.balance - before.requests.balance;
  const counts = failuresBetween(before, troubled, 'balance').values();
  const failed = [...counts].reduce((sum, count) => sum + count, 0);
  expect(failed).toBeGreaterThanOrEqual(acted);
  expect(failed).toBeLessThanOrEqual(acted + pollsFailed(before, troubled, 'balance'));
}

/** Every failure of a poll counts under this reason, and there are some. */
function expectBadPolls({ before, troubled }: Outcome, reason: FailureReason): void {
  const failed = COLLECTORS.map((collector) => pollsFailed(before, troubled, collector));
  const under = COLLECTORS.map((collector) => pollsFailed(before, troubled, collector, reason));
  expect(under).toEqual(failed);
  expect(Math.max(...under)).toBeGreaterThan(0);
}

function expectGrowth({ before, troubled }: Outcome, family: string | undefined): void {
  if (family === undefined) return;
  const sum = ({ page }: Observation) => page.sum(family);
  expect(sum(troubled), family).toBeGreaterThan(sum(before));
}
