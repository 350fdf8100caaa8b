import type { Device } from '../model/device.ts';

/**
 * Devices in the order of their ids, each once, as runs that every new page is merged into: like the digits of a binary
 * counter, each run is at least twice as long as the next. So each page costs its share when it comes, and little is
 * left for the end; a single sort of 100,000 phones would hold up the event loop for a tenth of a second.
 */
export type Runs = readonly (readonly Device[])[];

/** The runs with the devices of one more page. */
export function addPage(runs: Runs, page: readonly Device[]): Runs {
  const longer = [...runs];
  let run = sortById(page);
  for (let last = longer.at(-1); last && last.length < 2 * run.length; last = longer.at(-1)) {
    run = mergeById(last, run);
    longer.pop();
  }
  return [...longer, run];
}

/** All devices of the runs as one list. */
export function joinRuns(runs: Runs): readonly Device[] {
  return runs.reduceRight<readonly Device[]>((joined, run) => mergeById(run, joined), []);
}

/** A merge sort, since that is what finds the doubles as well. */
function sortById(devices: readonly Device[]): readonly Device[] {
  if (devices.length < 2) return devices;
  const middle = devices.length >> 1;
  return mergeById(sortById(devices.slice(0, middle)), sortById(devices.slice(middle)));
}

/** One list of two, each in order and without doubles. */
function mergeById(left: readonly Device[], right: readonly Device[]): readonly Device[] {
  const merged: Device[] = [];
  let fromLeft = 0;
  let fromRight = 0;
  for (;;) {
    const one = left[fromLeft];
    const other = right[fromRight];
    if (one === undefined) return merged.concat(right.slice(fromRight));
    if (other === undefined) return merged.concat(left.slice(fromLeft));
    if (one.id < other.id) {
      merged.push(one);
      fromLeft += 1;
    } else if (other.id < one.id) {
      merged.push(other);
      fromRight += 1;
    } else {
      merged.push(fresher(one, other));
      fromLeft += 1;
      fromRight += 1;
    }
  }
}

/** Of two descriptions of one phone, the one with the newer heartbeat; the first where that does not tell. */
function fresher(one: Device, other: Device): Device {
  return (other.lastHeartbeatAt ?? 0) > (one.lastHeartbeatAt ?? 0) ? other : one;
}
