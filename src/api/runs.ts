import { compareIds, type Device, type Devices } from '../model/device.ts';
import { inSlices, SLICE_STEPS, type SlicedWork } from '../slices.ts';

/** Which of two descriptions of one phone to keep, the first of which was read earlier. */
export type Choose = (earlier: Device, later: Device) => Device;

/**
 * Devices in the order of their ids, each once, as runs that every new page is merged into: like the digits of a binary
 * counter, each run is at least twice as long as the next. So each page costs its share while others are still on their
 * way, and little is left for the end.
 */
export type Runs = {
  /** Takes a page in, in slices, after those that came before it. */
  readonly add: (page: readonly Device[]) => void;
  /** Resolves when every page was taken in. */
  readonly joined: () => Promise<Devices>;
};

/** @param pause gives the event loop back between two slices */
export function createRuns(choose: Choose, pause: () => Promise<void>): Runs {
  let runs: readonly Devices[] = [];
  const merge = (earlier: Devices, later: Devices) => inSlices(mergeById(earlier, later, choose), pause);

  const take = async (page: readonly Device[]): Promise<void> => {
    let run: Devices = sortById(page, choose);
    for (let last = runs.at(-1); last && last.length < 2 * run.length; last = runs.at(-1)) {
      run = await merge(last, run);
      runs = runs.slice(0, -1);
    }
    runs = [...runs, run];
  };
  const join = async (): Promise<Devices> => {
    let devices: Devices = [];
    for (const run of runs.toReversed()) devices = await merge(run, devices);
    return devices;
  };

  let work = Promise.resolve();
  return {
    add: (page) => {
      work = work.then(() => take(page));
    },
    joined: () => work.then(join),
  };
}

/** One list of two, each in the order of ids and without doubles. */
export function* mergeById(earlier: Devices, later: Devices, choose: Choose): SlicedWork<Devices> {
  if (earlier.length === 0) return later;
  if (later.length === 0) return earlier;
  // As long as it can become, since an array that grows leaves several times its room behind.
  const merged: Device[] = new Array(earlier.length + later.length);
  let length = 0;
  for (let fromEarlier = 0, fromLater = 0; fromEarlier < earlier.length || fromLater < later.length; ) {
    const one = earlier.at(fromEarlier);
    const other = later.at(fromLater);
    const order = compareIds(one?.id, other?.id);
    if (one !== undefined && order <= 0) {
      merged[length] = other !== undefined && order === 0 ? choose(one, other) : one;
    } else if (other !== undefined) merged[length] = other;
    length += 1;
    if (order <= 0) fromEarlier += 1;
    if (order >= 0) fromLater += 1;
    if (length % SLICE_STEPS === 0) yield;
  }
  merged.length = length;
  return merged;
}

/** A page is short enough to be sorted at once. */
function sortById(page: readonly Device[], choose: Choose): readonly Device[] {
  const sorted: Device[] = [];
  for (const device of page.toSorted((one, other) => compareIds(one.id, other.id))) {
    const last = sorted.at(-1);
    if (last?.id === device.id) sorted[sorted.length - 1] = choose(last, device);
    else sorted.push(device);
  }
  return sorted;
}
