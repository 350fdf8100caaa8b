import type { Device } from '../../src/model/device.ts';
import type { ListObservation } from '../../src/model/observation.ts';

/** A whole list of devices in one page at an instant of the API, from polls at an interval in milliseconds. */
export function listObservation(
  devices: readonly Device[],
  at: number,
  interval: number,
  elapsed: number | undefined,
): ListObservation {
  return {
    kind: 'list',
    times: { elapsed, dueIn: interval, slack: interval },
    devices: new Map(devices.map((device) => [device.id, { device, listedAt: at }])),
    reported: devices.length,
    apiTime: at,
    listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false },
  };
}
