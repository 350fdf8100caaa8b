import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage early, for the sake of a small process: it holds a fleet for days and makes little else that
 * lasts. By default the young generation grows to 32 MiB, the old one to several times what is in use, what the first
 * poll keeps is made in the old one ever after, and the parser of HTTP is compiled twice, the second time with 20 MB of
 * scratch memory. That is right for a program that has a machine to itself. What it costs and saves:
 * docs/decisions/0018.
 */
export function keepHeapSmall(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
  letYoungGenerationGrow(false);
  new PerformanceObserver(() => letYoungGenerationGrow(youngBytes() < YOUNG_BYTES)).observe({
    entryTypes: ['gc'],
  });
}

/**
 * To be called when a thread has been started: V8 sets this flag anew for the heap of that thread, and for all others
 * with it. After the next collection it is as it should be.
 */
export function keepYoungGeneration(): void {
  letYoungGenerationGrow(false);
}

const FLAGS = [
  '--heap-growing-percent=60',
  '--no-allocation-site-pretenuring',
  '--no-parallel-scavenge',
  '--liftoff-only',
] as const;

/**
 * Bytes of the young generation, both halves together, from which on it stays as it is. It can't be told a limit once
 * V8 runs, only whether to double when much has outlived a collection; so it is told after each. Left at the two
 * megabytes that it begins with, it would be collected twice for each page of a hundred phones, in the midst of both.
 */
const YOUNG_BYTES = 8 * 1024 * 1024;

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return young?.space_size ?? YOUNG_BYTES;
}

function letYoungGenerationGrow(may: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`);
}
