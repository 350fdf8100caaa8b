import type { Device, Devices } from '../model/device.ts';
import type { Phones } from '../model/reading.ts';
import { inSlices } from '../slices.ts';
import { type Choose, createRuns, mergeById } from './runs.ts';
import { createSightings } from './sightings.ts';

/** The devices of one pass over the list, as its pages come in. */
export type Union = {
  /** Takes a page in, after those that came before it. */
  readonly add: (page: readonly Device[]) => void;
  /** Resolves when every page was taken in. */
  readonly joined: () => Promise<Joined>;
};

export type Joined = {
  readonly devices: Devices;
  /** Phones that came twice and said the same, save for their heartbeat. */
  readonly duplicates: number;
  /** Phones that came twice and said something else. */
  readonly conflicts: number;
};

/**
 * @param known the phones as they were known before, if they were
 * @param pause gives the event loop back between two slices
 */
export function createUnion(known: Phones | undefined, pause: () => Promise<void>): Union {
  let duplicates = 0;
  let conflicts = 0;
  const choose: Choose = (earlier, later) => {
    if (saysTheSame(earlier, later)) duplicates += 1;
    else conflicts += 1;
    return fresher(earlier, later);
  };
  const sightings = known && createSightings(known, choose);
  const others = createRuns(choose, pause);
  return {
    add: (page) => {
      const unknown = sightings === undefined ? page : page.filter((device) => !sightings.note(device));
      if (unknown.length > 0) others.add(unknown);
    },
    joined: async () => {
      const strangers = await others.joined();
      const seen = sightings === undefined ? [] : await inSlices(sightings.noted(), pause);
      const devices = await inSlices(mergeById(seen, strangers, choose), pause);
      return { devices, duplicates, conflicts };
    },
  };
}

/** Of two descriptions of one phone, the one with the newer heartbeat; what was read later where that does not tell. */
export function fresher(earlier: Device, later: Device): Device {
  return (earlier.lastHeartbeatAt ?? 0) > (later.lastHeartbeatAt ?? 0) ? earlier : later;
}

/** A phone that beats moves in a list by heartbeats; nothing but that is to be expected of two readings at one moment. */
function saysTheSame(one: Device, other: Device): boolean {
  const text = (device: Device) => JSON.stringify({ ...device, lastHeartbeatAt: undefined });
  return text(one) === text(other);
}
