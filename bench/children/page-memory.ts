import { systemClock } from '../../src/clock.ts';
import { createExposition, type Exposition } from '../../src/metrics/exposition.ts';
import { createLocalExporter, FAMILIES } from '../exporter.ts';
import { benchSelfMetrics, pause } from '../surroundings.ts';
import { answerQuestions } from './answers.ts';

/** What a page keeps. Parameter: phones. Has to run with --expose-gc. */
const exporter = createLocalExporter(Number(process.argv[2]), 1);

/** More expositions of the same snapshots, so that what they keep stands out. */
const EXPOSITIONS = 3;

const expositions: Exposition[] = [];

/** Bytes that are in use after everything that nobody needs was let go. */
async function bytesInUse(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await pause();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function pollAndShow(): Promise<void> {
  await exporter.prepare();
  await exporter.poll();
  for (const exposition of expositions) {
    exposition.show(exporter.snapshot());
    await exposition.settled();
  }
}

answerQuestions({
  /** Bytes that an exposition keeps after two polls. */
  page: async () => {
    for (let poll = 0; poll < 3; poll += 1) await pollAndShow();
    const without = await bytesInUse();
    for (let each = 0; each < EXPOSITIONS; each += 1) {
      expositions.push(createExposition(FAMILIES, benchSelfMetrics(), systemClock, pause));
    }
    for (let poll = 0; poll < 2; poll += 1) await pollAndShow();
    return [((await bytesInUse()) - without) / EXPOSITIONS];
  },
});
