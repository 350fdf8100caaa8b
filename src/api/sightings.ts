import type { Device, Devices } from '../model/device.ts';
import type { Phones } from '../model/reading.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';
import type { Choose } from './runs.ts';

/** Which phones of those that were known a list shows, and what it says of them. */
export type Sightings = {
  /** Notes what is said of a phone; false where it is none of them. */
  readonly note: (device: Device) => boolean;
  /** Those that were noted, in the order of their ids. */
  readonly noted: () => SlicedWork<Devices>;
};

/**
 * A listing as what is new in it: nearly every phone says what it said in the listing before, save for its heartbeat.
 * Of such a phone that number alone is kept, and nothing of its answer outlives the page that it is from. A fleet that
 * is listed twice a minute would else be garbage twice a minute, and the old one at that, which is dear to collect.
 */
export function createSightings(known: Phones, choose: Choose): Sightings {
  const { ids, labels, kinds, states, rentalIds } = known.columns;
  const indexOf = finderIn(ids);
  const isNoted = new Uint8Array(known.length);
  /** In milliseconds since 1970; NaN where there is none. */
  const heartbeats = new Float64Array(known.length);
  /** What phones say that say something else, by their places. */
  const changed = new Map<number, Device>();
  let count = 0;

  const at = (index: number): Device | undefined => {
    const other = changed.size === 0 ? undefined : changed.get(index);
    if (other !== undefined) return other;
    const before = known.deviceAt(index);
    if (before === undefined) return undefined;
    const { id, label, kind, state, rentalId } = before;
    const heartbeat = heartbeats[index];
    const lastHeartbeatAt = heartbeat === undefined || Number.isNaN(heartbeat) ? undefined : heartbeat;
    return { id, label, kind, state, lastHeartbeatAt, rentalId };
  };

  const keep = (index: number, device: Device): void => {
    heartbeats[index] = device.lastHeartbeatAt ?? Number.NaN;
    const isSame =
      labels[index] === device.label &&
      kinds[index] === device.kind &&
      states[index] === device.state &&
      rentalIds[index] === device.rentalId;
    if (!isSame) changed.set(index, device);
    else if (changed.size > 0) changed.delete(index);
  };

  return {
    note: (device) => {
      const index = indexOf(device.id);
      if (index === undefined) return false;
      if (isNoted[index] === 0) {
        isNoted[index] = 1;
        count += 1;
        keep(index, device);
      } else {
        const earlier = at(index);
        if (earlier !== undefined) keep(index, choose(earlier, device));
      }
      return true;
    },
    noted: function* () {
      if (count === known.length) return { length: count, at };
      const places = yield* placesOf(isNoted, count);
      return { length: count, at: (index) => at(places[index] ?? -1) };
    },
  };
}

/** The places that are not 0. */
function* placesOf(flags: Uint8Array, count: number): SlicedWork<Uint32Array> {
  const places = new Uint32Array(count);
  let length = 0;
  for (let index = 0; index < flags.length; index += 1) {
    if (flags[index] !== 0) {
      places[length] = index;
      length += 1;
    }
    if (index % SLICE_STEPS === 0) yield;
  }
  return places;
}

/** Finds ids among those in order, and the sooner if they are asked for in that order as well. */
function finderIn(ids: readonly string[]): (id: string) => number | undefined {
  let next = 0;
  return (id) => {
    const index = ids[next] === id ? next : search(ids, id);
    if (index !== undefined) next = index + 1;
    return index;
  };
}

function search(ids: readonly string[], id: string): number | undefined {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ids[middle] ?? '') < id) from = middle + 1;
    else to = middle;
  }
  return ids[from] === id ? from : undefined;
}
