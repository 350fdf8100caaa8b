import { systemClock, yieldToEventLoop } from '../../src/base/clock.ts';
import { createExposition, type Exposition } from '../../src/metrics/exposition.ts';
import type { AccessState } from '../../src/model/enums.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
import { benchMetrics } from '../dependencies.ts';
import { createLocalExporter, FAMILIES } from '../exporter.ts';
import { median, ownCpu } from '../measure.ts';
import { handleRequests } from './handlers.ts';

/** An exposition that is shown snapshots. Parameters: phones of all accounts, accounts. */
const [phones = '', accounts = '1'] = process.argv.slice(2);
const exporter = createLocalExporter(Number(phones), Number(accounts));

/** Longest time between two turns of the event loop since the last look, in milliseconds. */
let longestStretch = 0;
let turnAt = performance.now();

function watchTurns(): void {
  const now = performance.now();
  longestStretch = Math.max(longestStretch, now - turnAt);
  turnAt = now;
  setImmediate(watchTurns).unref();
}

function createWatched(): Exposition {
  return createExposition(FAMILIES, benchMetrics(), systemClock, yieldToEventLoop);
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
  turnAt = performance.now();
  const [startedAt, before] = [turnAt, ownCpu()];
  exposition.show(snapshot);
  await exposition.settled();
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

function withAccess(snapshot: Snapshot, access: AccessState): Snapshot {
  return { ...snapshot, accounts: snapshot.accounts.map((account) => ({ ...account, access })) };
}

watchTurns();

handleRequests({
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
