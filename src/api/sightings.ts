import type { Device, Devices } from '../model/device.ts';
import type { Phones } from '../model/reading.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';
import type { Choose } from './runs.ts';

/**
 * Which phones of those that were known a list shows, and what it says of them: a listing as what is new in it. Nearly
 * every phone says what it said in the listing before, save for its heartbeat. Of such a phone that number alone is
 * kept, and nothing of its answer outlives the page that it is from. A fleet that is listed twice a minute would else be
 * garbage twice a minute, and the old one at that, which is dear to collect. A class: see docs/decisions/0019.
 */
export class Sightings implements Devices {
  readonly #known: Phones;
  readonly #choose: Choose;
  readonly #isNoted: Uint8Array;
  /** In milliseconds since 1970; NaN where there is none. */
  readonly #heartbeats: Float64Array;
  /** What phones say that say something else, by their places. */
  readonly #changed = new Map<number, Device>();
  #count = 0;
  /** The place after that of the phone that was noted last, since most lists are in the same order each time. */
  #next = 0;

  constructor(known: Phones, choose: Choose) {
    this.#known = known;
    this.#choose = choose;
    this.#isNoted = new Uint8Array(known.length);
    this.#heartbeats = new Float64Array(known.length);
  }

  get length(): number {
    return this.#known.length;
  }

  /** Notes what is said of a phone; false where it is none of those that were known. */
  note(device: Device): boolean {
    const index = this.#indexOf(device.id);
    if (index === undefined) return false;
    if (this.#isNoted[index] === 0) {
      this.#isNoted[index] = 1;
      this.#count += 1;
      this.#keep(index, device);
    } else {
      const earlier = this.at(index);
      if (earlier !== undefined) this.#keep(index, this.#choose(earlier, device));
    }
    return true;
  }

  /** Those that were noted, in the order of their ids. */
  *noted(): SlicedWork<Devices> {
    if (this.#count === this.length) return this;
    const places = yield* placesOf(this.#isNoted, this.#count);
    return { length: this.#count, at: (index) => this.at(places[index] ?? -1) };
  }

  /** The phone in a place among those known, as it was noted. */
  at(index: number): Device | undefined {
    const other = this.#changed.size === 0 ? undefined : this.#changed.get(index);
    if (other !== undefined) return other;
    const before = this.#known.deviceAt(index);
    if (before === undefined) return undefined;
    const { id, label, kind, state, rentalId } = before;
    const heartbeat = this.#heartbeats[index];
    const lastHeartbeatAt = heartbeat === undefined || Number.isNaN(heartbeat) ? undefined : heartbeat;
    return { id, label, kind, state, lastHeartbeatAt, rentalId };
  }

  #keep(index: number, device: Device): void {
    const { labels, kinds, states, rentalIds } = this.#known.columns;
    this.#heartbeats[index] = device.lastHeartbeatAt ?? Number.NaN;
    const isSame =
      labels[index] === device.label &&
      kinds[index] === device.kind &&
      states[index] === device.state &&
      rentalIds[index] === device.rentalId;
    if (!isSame) this.#changed.set(index, device);
    else if (this.#changed.size > 0) this.#changed.delete(index);
  }

  #indexOf(id: string): number | undefined {
    const { ids } = this.#known.columns;
    const index = ids[this.#next] === id ? this.#next : search(ids, id);
    if (index !== undefined) this.#next = index + 1;
    return index;
  }
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

/** The place of an id among those in order, by halving. */
function search(ids: readonly string[], id: string): number | undefined {
  let [from, to] = [0, ids.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ids[middle] ?? '') < id) from = middle + 1;
    else to = middle;
  }
  return ids[from] === id ? from : undefined;
}
