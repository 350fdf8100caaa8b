import type { Device, Devices } from '../model/device.ts';
import type { Phones } from '../model/reading.ts';
import { inSlices } from '../slices.ts';
import { type Choose, createRuns, mergeById, type Runs } from './runs.ts';
import { Sightings } from './sightings.ts';

export type Joined = {
  readonly devices: Devices;
  /** Phones that came twice and said the same, save for their heartbeat. */
  readonly duplicates: number;
  /** Phones that came twice and said something else. */
  readonly conflicts: number;
};

/** The devices of one pass over the list, as its pages come in. A class: see docs/decisions/0019. */
export class Union {
  readonly #pause: () => Promise<void>;
  readonly #sightings: Sightings | undefined;
  readonly #others: Runs;
  #duplicates = 0;
  #conflicts = 0;

  /**
   * @param known the phones as they were known before, if they were
   * @param pause gives the event loop back between two slices
   */
  constructor(known: Phones | undefined, pause: () => Promise<void>) {
    this.#pause = pause;
    this.#sightings = known && new Sightings(known, this.#choose);
    this.#others = createRuns(this.#choose, pause);
  }

  /** Takes a page in, after those that came before it. */
  add(page: readonly Device[]): void {
    const unknown: Device[] = [];
    for (const device of page) if (!this.#sightings?.note(device)) unknown.push(device);
    if (unknown.length > 0) this.#others.add(unknown);
  }

  /** Resolves when every page was taken in. */
  async joined(): Promise<Joined> {
    const strangers = await this.#others.joined();
    const seen = this.#sightings === undefined ? [] : await inSlices(this.#sightings.noted(), this.#pause);
    const devices = await inSlices(mergeById(seen, strangers, this.#choose), this.#pause);
    return { devices, duplicates: this.#duplicates, conflicts: this.#conflicts };
  }

  readonly #choose: Choose = (earlier, later) => {
    if (saysTheSame(earlier, later)) this.#duplicates += 1;
    else this.#conflicts += 1;
    return fresher(earlier, later);
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
