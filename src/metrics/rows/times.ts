import type { DepartedDevice } from '../../model/fleet.ts';
import { COLUMNS } from '../../model/times.ts';
import { gauge, info, type Row, type Sample, samples, seconds } from '../row.ts';

type EverListed = Omit<DepartedDevice, 'leftAt'>;

export const textRows: readonly Row<EverListed>[] = [
  info(
    'hoster_device_info',
    'Always 1; the labels describe the phone, for joins with other series by account and device_id. The group is part of the label (see groups in the configuration). Missing texts are empty. The series of a phone that left stays until the end of the following month, for the 1,000 phones that left last.',
    ['label', 'group', 'brand', 'model', 'app_version'],
    ({ group, device: { label, brand, model, appVersion } }) => [label, group, brand, model, appVersion],
  ),
];

/** Times of one device since it was first listed. They are kept while polls fail, and across restarts. */
export const timeRows: readonly Row<EverListed>[] = [
  samples(
    'hoster_device_time_seconds',
    'Observed seconds that the phone spent in each column of the monthly report since it was first listed, kept in the state file. Only time between two successful polls counts. Subtract two values for a time range; do not use increase(). Absent for unused columns. The series of a phone that left stays until the end of the following month, for the 1,000 phones that left last.',
    ['column'],
    ({ times: { milliseconds } }) => {
      const spent: Sample[] = [];
      for (const column of COLUMNS) {
        const time = milliseconds[column];
        if (time !== undefined) spent.push([time / 1000, column]);
      }
      return spent;
    },
  ),
  gauge(
    'hoster_device_interruptions',
    'Number of times the phone went offline while sold and not in maintenance, since it was first listed. Kept and used like hoster_device_time_seconds.',
    ({ times }) => times.interruptions,
  ),
  gauge(
    'hoster_device_first_listed_timestamp_seconds',
    'First list with the phone, in seconds since 1970, kept in the state file.',
    ({ times }) => seconds(times.firstListedAt),
  ),
];

export const leftRows: readonly Row<DepartedDevice>[] = [
  samples(
    'hoster_device_left_timestamp_seconds',
    'When a phone that left the device list was last listed, in seconds since 1970. Shown as long as its hoster_device_info. The list does not say whether a phone was archived or lost.',
    ['label'],
    ({ device, leftAt }) => [[seconds(leftAt) ?? 0, device.label]],
  ),
];
