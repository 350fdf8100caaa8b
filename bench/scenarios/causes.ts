import { findCommonCauses } from '../../src/analysis/common-cause.ts';
import type { AccountSnapshot } from '../../src/model/snapshot.ts';
import {
  addOutcome,
  emptyScore,
  FLEET_SIZES,
  INCIDENTS,
  outcomeOf,
  precisionOf,
  recallOf,
  type Score,
  simulateIncident,
} from '../../test/incidents.ts';
import { median } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';

/** Incidents of each kind and size: 5,280 in all. */
const SEEDS = 60;

const PRECISION = { atLeast: 0.98 };
const RECALL = { atLeast: 0.95 };

export const causes: Scenario = {
  name: 'causes',
  title: `Common causes in ${INCIDENTS.length * FLEET_SIZES.length * SEEDS} simulated incidents: precision and recall; time of an analysis`,
  async *run({ rounds }) {
    for (const size of FLEET_SIZES) {
      const ofSize = emptyScore();
      for (const incident of INCIDENTS) {
        const score = emptyScore();
        for (let seed = 0; seed < SEEDS; seed += 1) {
          const outcome = outcomeOf(simulateIncident(incident, size, seed));
          for (const each of [score, ofSize]) addOutcome(each, outcome);
        }
        yield { name: `${incident}: wrong names`, phones: size, value: score.wrong, unit: 'incidents' };
        if (hasCauses(score))
          yield { name: `${incident}: recall`, phones: size, value: recallOf(score), unit: 'ratio' };
      }
      yield figureOf('all: precision', size, precisionOf(ofSize), PRECISION);
      yield figureOf('all: recall', size, recallOf(ofSize), RECALL);
    }
    for (const size of [1_000, 10_000, 100_000]) {
      for (const incident of ['5 % a day fail by themselves', 'app update'] as const) {
        const times = Array.from({ length: rounds }, (_, seed) =>
          timeOf(simulateIncident(incident, size, seed).accounts),
        );
        yield {
          name: `${incident}: analysis`,
          phones: size,
          value: median(times),
          unit: 'ms',
          ...(size === 10_000 && { bar: { atMost: 10 } }),
        };
      }
    }
  },
};

function hasCauses({ right, missed }: Score): boolean {
  return right + missed > 0;
}

function figureOf(name: string, phones: number, value: number, bar: { readonly atLeast: number }): Figure {
  return { name, phones, value, unit: 'ratio', bar };
}

function timeOf(accounts: readonly AccountSnapshot[]): number {
  const startedAt = performance.now();
  findCommonCauses(accounts);
  return performance.now() - startedAt;
}
