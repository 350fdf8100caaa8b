import type { Clock } from '../clock.ts';
import type { Devices } from '../model/device.ts';
import type { ListInconsistency } from '../model/inconsistency.ts';
import type { Phones } from '../model/reading.ts';
import { inSlices } from '../slices.ts';
import { withOwnAbort } from './abort.ts';
import type { Answer, DevicePage } from './answer.ts';
import type { ApiClient } from './client.ts';
import { ApiError } from './errors.ts';
import { factsOf, type PageFacts } from './listing-pages.ts';
import type { Count } from './listing-pass.ts';
import { beforeListing, notePass, noteRound, planListing, type Verdict } from './listing-plan.ts';
import { mergeById } from './runs.ts';
import { fresher, Union } from './union.ts';
import type { PageTaker } from './wire/page-memory.ts';

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
    const reader = new ListingReader(client, own, options);
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

/** Reads pages, and keeps their phones. A class, so that what is called for each page outlives a listing: see docs/decisions/0019. */
class ListingReader implements PageTaker<PageFacts> {
  readonly #client: Pick<ApiClient, 'devicePage'>;
  readonly #abort: AbortController;
  readonly #options: ListingOptions;
  readonly #startedAt: number;
  #passStartedAt: number;
  #union: Union;
  #devices: Devices = [];
  #apiTime = 0;

  constructor(client: Pick<ApiClient, 'devicePage'>, abort: AbortController, options: ListingOptions) {
    this.#client = client;
    this.#abort = abort;
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#passStartedAt = this.#startedAt;
    this.#union = new Union(options.known, options.pause);
  }

  devices(): Devices {
    return this.#devices;
  }

  apiTime(): number {
    return this.#apiTime;
  }

  take(page: DevicePage, number: number): PageFacts {
    this.#union.add(page.devices);
    return factsOf(number, page);
  }

  async read(pages: readonly number[]): Promise<readonly PageFacts[]> {
    const facts = new Map<number, PageFacts>();
    // One line of pages for all lanes: an array's iterator goes on where another loop over it stopped.
    const line = pages.values();
    try {
      await Promise.all(Array.from({ length: Math.min(LANES, pages.length) }, () => this.#lane(line, facts)));
      return pages.flatMap((number) => facts.get(number) ?? []);
    } catch (error) {
      this.#abort.abort(error);
      throw error;
    }
  }

  async #lane(line: Iterable<number>, facts: Map<number, PageFacts>): Promise<void> {
    for (const number of line) {
      const { value, apiTime } = await this.#client.devicePage(number, this.#abort.signal, this);
      this.#apiTime = Math.max(this.#apiTime, apiTime);
      facts.set(number, value);
    }
  }

  async endPass(): Promise<{ readonly count: Count; readonly hasTime: boolean }> {
    const { known, clock, pause, budgetMilliseconds } = this.#options;
    const { devices: ofPass, duplicates, conflicts } = await this.#union.joined();
    this.#devices = await inSlices(mergeById(this.#devices, ofPass, fresher), pause);
    const now = clock.monotonic();
    const hasTime =
      now - this.#startedAt + PASS_ALLOWANCE * (now - this.#passStartedAt) <= budgetMilliseconds;
    this.#union = new Union(known, pause);
    this.#passStartedAt = now;
    return {
      count: { distinct: ofPass.length, known: this.#devices.length, duplicates, conflicts },
      hasTime,
    };
  }
}
