import { systemClock } from '../../src/clock.ts';
import { createExposition, type Exposition } from '../../src/metrics/exposition.ts';
import type { AccessState } from '../../src/model/access.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
import { createLocalExporter, FAMILIES } from '../exporter.ts';
import { median, ownCpu } from '../measure.ts';
import { benchSelfMetrics, pause } from '../surroundings.ts';
import { answerQuestions } from './answers.ts';

/** An exposition that is shown snapshots. Parameters: phones of all accounts, accounts. */
const [phones = '', accounts = '1'] = process.argv.slice(2);
const exporter = createLocalExporter(Number(phones), Number(accounts));

let stretchStartedAt = 0;
let longestStretch = 0;

/** Gives the event loop back like the daemon, and notes for how long it was held. */
async function watchedPause(): Promise<void> {
  endStretch();
  await pause();
  stretchStartedAt = performance.now();
}

function endStretch(): void {
  longestStretch = Math.max(longestStretch, performance.now() - stretchStartedAt);
}

function createWatched(): Exposition {
  return createExposition(FAMILIES, benchSelfMetrics(), systemClock, watchedPause);
}

async function nextSnapshot(): Promise<Snapshot> {
  await exporter.prepare();
  await exporter.poll();
  return exporter.snapshot();
}

/** Milliseconds until the page shows a snapshot, the longest stretch in it, and milliseconds of CPU. */
async function show(exposition: Exposition, snapshot: Snapshot): Promise<readonly number[]> {
  // What was left behind is not cleaned up at this snapshot's expense.
  globalThis.gc?.();
  longestStretch = 0;
  stretchStartedAt = performance.now();
  const [startedAt, before] = [stretchStartedAt, ownCpu()];
  exposition.show(snapshot);
  await exposition.settled();
  endStretch();
  return [performance.now() - startedAt, longestStretch, ownCpu() - before];
}

/** The median of each figure over some rounds, after one that does not count. */
async function medians(
  rounds: number,
  measure: () => Promise<readonly number[]>,
): Promise<readonly number[]> {
  await measure();
  const results: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measure());
  return [0, 1, 2].map((index) => median(results.map((result) => result[index] ?? Number.NaN)));
}

function withAccess({ accounts }: Snapshot, access: AccessState): Snapshot {
  return { accounts: accounts.map((account) => ({ ...account, access })) };
}

answerQuestions({
  cold: (rounds = 1) => medians(rounds, async () => show(createWatched(), await nextSnapshot())),
  steady: (rounds = 1) => {
    const exposition = createWatched();
    return medians(rounds, async () => show(exposition, await nextSnapshot()));
  },
  facts: async (rounds = 1) => {
    const exposition = createWatched();
    let access: AccessState = 'granted';
    return medians(rounds, () => {
      access = access === 'granted' ? 'denied' : 'granted';
      return show(exposition, withAccess(exporter.snapshot(), access));
    });
  },
});
