import type { Endpoint, FailureReason } from '../../../src/model/enums.ts';
import { CONNECTIONS } from './connections.ts';
import { CONTENTS } from './contents.ts';
import { ERROR_RESPONSES } from './error-responses.ts';
import type { At, FaultGroup, Pace } from './fault-group.ts';

/** Effects of each fault: the table that the scenarios and docs/FAILURES.md share. */
export const FAULT_GROUPS: readonly FaultGroup[] = [...ERROR_RESPONSES, ...CONNECTIONS, ...CONTENTS];

/** Expected effect of one fault at one endpoint. */
export type Expectation = {
  readonly reason: FailureReason | undefined;
  readonly chance: FailureReason | undefined;
  readonly counter: string | undefined;
  readonly budget: number | undefined;
  readonly pace: Pace | undefined;
  readonly rounds: number;
  readonly pauses: boolean;
};

/** Returns the expected effect of a fault at an endpoint. Throws a RangeError for a fault that the table lacks. */
export function expectationOf(fault: string, endpoint: Endpoint): Expectation {
  for (const { effects, rounds = 2, pauses = false } of FAULT_GROUPS) {
    const effect = effects[fault];
    if (effect === undefined) continue;
    const { reason, chance, counter, budget, pace } = effect;
    return {
      reason: at(reason, endpoint),
      chance,
      counter: at(counter, endpoint),
      budget,
      pace,
      rounds,
      pauses,
    };
  }
  throw new RangeError(`no symptom is known of the fault ${fault}: add it to FAULT_GROUPS`);
}

function at<Value extends string>(values: At<Value> | undefined, endpoint: Endpoint): Value | undefined {
  return typeof values === 'object' ? values[endpoint] : values;
}
