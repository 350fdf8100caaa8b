import { describe, expect, it } from 'vitest';
import { COLLECTORS, ENDPOINTS, type Endpoint, type FailureReason } from '../../src/model/enums.ts';
import type { FaultKind } from '../../src/simulator/faults/fault.ts';
import { FAULTS } from '../../src/simulator/faults/switchboard.ts';
import type { Pace } from './effects/fault-group.ts';
import { type Expectation, expectationOf } from './effects/fault-groups.ts';
import { GATEWAY_FAULTS, type GatewayFault, type GatewayKind } from './gateway.ts';
import type { HarnessOptions } from './harness.ts';
import { injectFault, injectGatewayFault } from './injection.ts';
import { failuresBetween, type Observation, pollsFailed } from './invariants.ts';
import { type Outcome, PHASES, type Phase, play, type Scenario } from './scenario.ts';

/** Requests of a round in which all goes well, and some that may be tried again. */
const USUAL_BUDGET = 24;

/** Longest time for one scenario, in milliseconds: on a busy machine, with the others of its file beside it. */
const TIME_LIMIT = 180_000;

/** Declares the scenarios of the faults of one kind: each fault, at each endpoint, in each phase. */
export function testFaults(kind: FaultKind): void {
  const scenarios = FAULTS.filter((fault) => fault.kind === kind).flatMap(({ name, endpoints }) =>
    endpoints.flatMap((endpoint) => PHASES.map((phase) => [name, endpoint, phase] as const)),
  );
  describe.concurrent(`the exporter keeps its invariants with a fault of the kind ${kind}:`, () => {
    it.for(scenarios)('%s at the endpoint %s, %s', { timeout: TIME_LIMIT }, ([name, endpoint, phase]) =>
      testFault(name, endpoint, phase),
    );
  });
}

async function testFault(name: string, endpoint: Endpoint, phase: Phase): Promise<void> {
  const expected = expectationOf(name, endpoint);
  const outcome = await play(injectFault(endpoint, name), scenarioOf([endpoint], phase, expected));
  const { reason } = expected;
  expect([...outcome.failures.keys()]).toEqual(reason === undefined ? [] : [reason]);
  if (endpoint === 'balance' && reason !== undefined) expectOneCountEach(outcome, phase);
  if (reason === undefined) expectGoodPolls(outcome);
  // Before anything is known, nothing can be lost.
  if (name !== 'fleet-vanishes' || phase !== 'from the start') expectGrowth(outcome, expected.counter);
}

/** Declares the scenarios of the gateway's faults of one kind: each fault in each phase, at all endpoints at once. */
export function testGatewayFaults(kind: GatewayKind): void {
  const scenarios = GATEWAY_FAULTS.filter((fault) => fault.kind === kind).flatMap((fault) =>
    phasesOf(fault).map((phase) => [fault.name, phase] as const),
  );
  describe.concurrent(`the exporter keeps its invariants with a fault of the kind ${kind}:`, () => {
    it.for(scenarios)('%s, %s', { timeout: TIME_LIMIT }, ([name, phase]) =>
      testGatewayFault(kind, name, phase),
    );
  });
}

/** At the start there is no connection yet that could go dead. */
function phasesOf({ existing }: GatewayFault): readonly Phase[] {
  return existing === 'silence' ? PHASES.slice(1) : PHASES;
}

/** Reasons of failure of requests in flight when the gateway breaks their connections. */
const BROKEN: readonly FailureReason[] = ['reset', 'truncated'];

async function testGatewayFault(kind: GatewayKind, name: string, phase: Phase): Promise<void> {
  const expected = expectationOf(name, 'devices');
  const { injection, route } = injectGatewayFault(kind, name);
  const scenario = scenarioOf(ENDPOINTS, phase, expected);
  const outcome = await play(injection, { ...scenario, harness: { ...scenario.harness, route } });
  const { reason } = expected;
  const seen = [...outcome.failures.keys()];
  expect(seen.filter((one) => one !== reason && !BROKEN.includes(one))).toEqual([]);
  if (reason !== undefined) expect(seen).toContain(reason);
  else if (phase !== 'in the middle of a poll') expectGoodPolls(outcome);
}

function scenarioOf(endpoints: readonly Endpoint[], phase: Phase, expected: Expectation): Scenario {
  const pace = PACES[expected.pace ?? 'usual'];
  const size = endpoints.length === 1 ? SIZES[endpoints[0] ?? 'devices'] : {};
  return {
    endpoints,
    phase,
    budget: expected.budget ?? USUAL_BUDGET,
    recovery: expected.rounds,
    alone: !expected.pauses,
    ...pace,
    harness: { ...size, ...pace.harness },
  };
}

/** The fleet is only as large as the endpoint with the fault needs: several pages for a list, several tunnels for a round. */
const SIZES: Readonly<Record<Endpoint, Pick<HarnessOptions, 'phones' | 'tunnels'>>> = {
  devices: { tunnels: 1 },
  tunnel: { phones: 10 },
  balance: { phones: 10, tunnels: 1 },
};

const PACES: Readonly<Record<Pace | 'usual', Pick<Scenario, 'harness' | 'during' | 'rest'>>> = {
  usual: {},
  slow: { harness: { timeMode: { idleRounds: 100 }, tunnels: 2 } },
  real: { harness: { timeMode: 'real', client: { timeout: '15s' } }, during: 2 },
  // The client keeps an idle connection for two seconds at most.
  restful: { rest: 2_200 },
};

function expectGoodPolls({ before, during }: Outcome): void {
  for (const collector of COLLECTORS) expect(pollsFailed(before, during, collector), collector).toBe(0);
}

/**
 * Each request that failed counts once; beside them, a question that was held back counts without having been sent, at
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
