import type { DepartedDevice } from '../../model/fleet.ts';
import { type Row, samples, seconds } from '../row.ts';

/** Metrics of one device that left the list. */
export const leftRows: readonly Row<DepartedDevice>[] = [
  samples(
    'hoster_device_left_timestamp_seconds',
    'When a phone that left the device list was last listed, in seconds since 1970. Shown as long as its hoster_device_info. The list does not say whether a phone was archived or lost.',
    ['label'],
    ({ device, leftAt }) => [[seconds(leftAt) ?? 0, device.label]],
  ),
];
