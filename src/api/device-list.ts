import type { Clock } from '../clock.ts';
import type { Device } from '../model/device.ts';
import type { ListInconsistency } from '../model/enums.ts';
import type { ApiClient } from './client.ts';
import {
  afterPass,
  afterRound,
  beforeListing,
  factsOf,
  type ListingResult,
  type PageFacts,
  type PassCounts,
  planListing,
} from './device-list-plan.ts';
import { ApiError } from './errors.ts';
import type { ApiResponse } from './response.ts';
import { asRound } from './round.ts';

/** The device list as a whole, and how its reading went. */
type Listing = ListingResult & {
  /** Each device of any page once, by id, with its newest description. */
  readonly devices: ReadonlyMap<string, Device>;
};

export type ListingOptions = {
  /** The likely number of pages, all of which are requested at once; 1 if unknown. */
  readonly expectedPages: number;
  /** Another pass is only started if it can end within this time of the listing. */
  readonly budgetMilliseconds: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called after each pass for each kind of inconsistency. */
  readonly inconsistent: (kind: ListInconsistency, count: number) => void;
};

/** Factor on the duration of the last pass: an estimate of the time that the next pass needs. */
const PASS_ALLOWANCE = 1.5;

/**
 * Lists all devices: reads the pages in parallel, and again from the start until nothing is missing, since the less time
 * passes between two pages, the fewer devices move from one to the other. {@link planListing} decides each step.
 *
 * The API time is that of the latest response. Rejects as a whole with the {@link ApiError} of the first page that fails:
 * half a list would look like half a fleet lost.
 */
export async function listDevices(
  client: Pick<ApiClient, 'devicePage'>,
  signal: AbortSignal,
  { expectedPages, budgetMilliseconds, clock, inconsistent }: ListingOptions,
): Promise<ApiResponse<Listing>> {
  const startedAt = clock.monotonic();
  const reader = createListReader(client);
  let passStartedAt = startedAt;
  let state = beforeListing(expectedPages);
  for (;;) {
    const plan = planListing(state);
    switch (plan.step) {
      case 'read':
        state = afterRound(state, await reader.read(plan.pages, signal));
        break;
      case 'count': {
        const now = clock.monotonic();
        const nextPassEnds = now - startedAt + PASS_ALLOWANCE * (now - passStartedAt);
        state = afterPass(state, reader.endPass(), nextPassEnds <= budgetMilliseconds);
        passStartedAt = now;
        for (const [kind, times] of state.passes.at(-1)?.inconsistencies ?? []) inconsistent(kind, times);
        break;
      }
      case 'refuse':
        inconsistent(plan.kind, 1);
        throw new ApiError({ reason: 'inconsistent', endpoint: 'devices', got: plan.got });
      case 'finish': {
        const { step: _, ...result } = plan;
        return { value: { ...result, devices: reader.devices() }, apiTime: reader.apiTime() };
      }
    }
  }
}

/** Creates a reader of pages that merges their devices. */
function createListReader(client: Pick<ApiClient, 'devicePage'>) {
  const devices = new Map<string, Device>();
  let ofPass = new Set<string>();
  let duplicates = 0;
  let conflicts = 0;
  let apiTime = 0;

  const merge = (device: Device): void => {
    const earlier = devices.get(device.id);
    if (ofPass.has(device.id) && earlier !== undefined) {
      if (differsInHeartbeatOnly(earlier, device)) duplicates += 1;
      else conflicts += 1;
    }
    ofPass.add(device.id);
    if (earlier === undefined || isNewer(device, earlier)) devices.set(device.id, device);
  };

  const readPage = async (number: number, signal: AbortSignal): Promise<PageFacts> => {
    const response = await client.devicePage(number, signal);
    apiTime = Math.max(apiTime, response.apiTime);
    for (const device of response.value.devices) merge(device);
    return factsOf(number, response.value);
  };

  return {
    devices: (): ReadonlyMap<string, Device> => devices,
    apiTime: (): number => apiTime,
    /** Reads pages in parallel; the first one that fails aborts the others. */
    read: (pages: readonly number[], signal: AbortSignal): Promise<readonly PageFacts[]> =>
      asRound(signal, (round) => Promise.all(pages.map((number) => readPage(number, round.signal)))),
    endPass: (): PassCounts => {
      const counts = { distinct: ofPass.size, known: devices.size, duplicates, conflicts };
      ofPass = new Set();
      duplicates = 0;
      conflicts = 0;
      return counts;
    },
  };
}

/** Tells whether a description that was read later is the newer one: its heartbeat is not older. */
function isNewer(later: Device, earlier: Device): boolean {
  return (later.lastHeartbeatAt ?? 0) >= (earlier.lastHeartbeatAt ?? 0);
}

/** Tests if two descriptions differ at most in the heartbeat, which moves a device in a list by heartbeats. */
function differsInHeartbeatOnly(one: Device, other: Device): boolean {
  const text = (device: Device): string => JSON.stringify({ ...device, lastHeartbeatAt: undefined });
  return text(one) === text(other);
}
