import type { Clock } from '../clock.ts';
import type { Devices } from '../model/device.ts';
import type { ListInconsistency } from '../model/inconsistency.ts';
import type { Phones } from '../model/reading.ts';
import { inSlices } from '../slices.ts';
import { withOwnAbort } from './abort.ts';
import type { Answer } from './answer.ts';
import type { ApiClient } from './client.ts';
import { ApiError } from './errors.ts';
import { factsOf, type PageFacts } from './listing-pages.ts';
import type { Count } from './listing-pass.ts';
import { beforeListing, notePass, noteRound, planListing, type Verdict } from './listing-plan.ts';
import { mergeById } from './runs.ts';
import { createUnion, fresher } from './union.ts';

/** The device list as a whole, and how its reading went. */
export type Listing = Verdict & {
  /** Each phone of any pass once, in the order of their ids, as it was seen last. */
  readonly devices: Devices;
};

export type ListingOptions = {
  /** The phones as they were known before; most of them say the same again. */
  readonly known?: Phones | undefined;
  /** How many pages the list is likely to have: they are all asked for at once. 1 if nobody knows. */
  readonly expectedPages: number;
  /** Another pass is only begun if it can end within this time of the listing. */
  readonly budgetMilliseconds: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Gives the event loop back between two slices of work. */
  readonly pause: () => Promise<void>;
  /** Is told after each pass what was wrong in it, and how often. */
  readonly inconsistent: (kind: ListInconsistency, count: number) => void;
};

/**
 * Pages that are under way at once; most of them wait for their turn, as no more requests than these are allowed at
 * once. A thousand that wait are a thousand times six kilobytes that outlive the young generation.
 */
const LANES = 128;

/** A pass is given this much more time than the one before it took. */
const PASS_ALLOWANCE = 1.5;

/**
 * Reads the device list to its end, pages side by side, and again from its start until nothing is missing: the less
 * time passes between two pages, the fewer phones move from one to the other. {@link planListing} decides, this obeys.
 * The API time is that of the latest answer. Rejects as a whole with the {@link ApiError} of the first page that fails,
 * and aborts the others: half a list would look like half a fleet lost.
 */
export async function listDevices(
  client: Pick<ApiClient, 'devicePage'>,
  signal: AbortSignal,
  options: ListingOptions,
): Promise<Answer<Listing>> {
  const { expectedPages, inconsistent } = options;
  return withOwnAbort(signal, async (own) => {
    const reader = createReader(client, own, options);
    let state = beforeListing(expectedPages);
    for (;;) {
      const plan = planListing(state);
      switch (plan.step) {
        case 'read':
          state = noteRound(state, await reader.read(plan.pages));
          break;
        case 'count': {
          const { count, hasTime } = await reader.endPass();
          state = notePass(state, count, hasTime);
          for (const [kind, times] of state.passes.at(-1)?.findings ?? []) inconsistent(kind, times);
          break;
        }
        case 'refuse':
          inconsistent(plan.finding, 1);
          throw new ApiError({ reason: 'inconsistent', endpoint: 'devices', got: plan.got });
        case 'finish': {
          const { step: _, ...verdict } = plan;
          return { value: { ...verdict, devices: reader.devices() }, apiTime: reader.apiTime() };
        }
      }
    }
  });
}

/** Reads pages, and keeps their phones. */
function createReader(
  client: Pick<ApiClient, 'devicePage'>,
  abort: AbortController,
  { known, clock, pause, budgetMilliseconds }: ListingOptions,
) {
  const startedAt = clock.monotonic();
  let passStartedAt = startedAt;
  let union = createUnion(known, pause);
  let devices: Devices = [];
  let apiTime = 0;

  const readPage = async (number: number): Promise<PageFacts> => {
    const answer = await client.devicePage(number, abort.signal, (page) => {
      union.add(page.devices);
      return factsOf(number, page);
    });
    apiTime = Math.max(apiTime, answer.apiTime);
    return answer.value;
  };

  return {
    devices: () => devices,
    apiTime: () => apiTime,
    read: async (pages: readonly number[]): Promise<readonly PageFacts[]> => {
      const facts = new Map<number, PageFacts>();
      // One line of pages for all lanes: an array's iterator goes on where another loop over it stopped.
      const line = pages.values();
      const lane = async (): Promise<void> => {
        for (const number of line) facts.set(number, await readPage(number));
      };
      try {
        await Promise.all(Array.from({ length: Math.min(LANES, pages.length) }, lane));
        return pages.flatMap((number) => facts.get(number) ?? []);
      } catch (error) {
        abort.abort(error);
        throw error;
      }
    },
    endPass: async (): Promise<{ readonly count: Count; readonly hasTime: boolean }> => {
      const { devices: ofPass, duplicates, conflicts } = await union.joined();
      devices = await inSlices(mergeById(devices, ofPass, fresher), pause);
      const now = clock.monotonic();
      const hasTime = now - startedAt + PASS_ALLOWANCE * (now - passStartedAt) <= budgetMilliseconds;
      union = createUnion(known, pause);
      passStartedAt = now;
      return { count: { distinct: ofPass.length, known: devices.length, duplicates, conflicts }, hasTime };
    },
  };
}
