import type { Device } from '../model/device.ts';
import { withOwnAbort } from './abort.ts';
import type { Answer } from './answer.ts';
import type { ApiClient } from './client.ts';
import { ApiError } from './errors.ts';
import { isComplete, MAX_PAGES, NOTHING_READ, notePage, PAGE_SIZE, planListing } from './listing-plan.ts';
import { addPage, joinRuns, type Runs } from './union.ts';

/** The device list as a whole. */
export type Listing = {
  /** Each phone once, in the order of their ids; of a phone listed twice, what has the newer heartbeat. */
  readonly devices: readonly Device[];
  /** The largest `total` of any page. */
  readonly total: number;
  readonly pages: number;
  /** How often the list was read from its start. */
  readonly passes: number;
  /** Items that were no device with a usable `deviceId`. */
  readonly rejected: number;
  /** Devices and rejected items are exactly `total`: nothing was hidden by shifts between pages. */
  readonly complete: boolean;
};

/**
 * Reads the whole device list: the first page, then all others side by side, which leaves the least time for phones to
 * move between pages. The API time is that of the latest answer. Rejects as a whole with the {@link ApiError} of the
 * first page that fails, and aborts the others: half a list would look like half a fleet lost.
 */
export async function listDevices(
  client: Pick<ApiClient, 'devicePage'>,
  signal: AbortSignal,
): Promise<Answer<Listing>> {
  return withOwnAbort(signal, async (own) => {
    let state = NOTHING_READ;
    let runs: Runs = [];
    let apiTime = 0;
    const readPage = async (number: number) => {
      const answer = await client.devicePage(number, own.signal);
      state = notePage(state, answer.value);
      runs = addPage(runs, answer.value.devices);
      apiTime = Math.max(apiTime, answer.apiTime);
    };

    for (let plan = planListing(state); plan.step !== 'finish'; plan = planListing(state)) {
      if (plan.step === 'refuse') throw tooLong(state.total);
      try {
        await Promise.all(plan.pages.map(readPage));
      } catch (error) {
        own.abort(error);
        throw error;
      }
    }

    const devices = joinRuns(runs);
    const { total, pagesRead, rejected } = state;
    const complete = isComplete(state, devices.length);
    return { value: { devices, total, pages: pagesRead, passes: 1, rejected, complete }, apiTime };
  });
}

function tooLong(total: number): ApiError {
  const got = `a list of ${total} devices, of which at most ${MAX_PAGES} pages of ${PAGE_SIZE} are read`;
  return new ApiError({ reason: 'inconsistent', endpoint: 'devices', got });
}
