import type { DepartedDevice } from '../../model/fleet.ts';
import { COLUMNS } from '../../model/times.ts';
import { gauge, info, type Row, type Sample, samples, seconds } from '../row.ts';

/** A device that is listed, or that left. */
type Known = Omit<DepartedDevice, 'leftAt'>;

/** The texts of one device, as of the last successful poll of the device list. */
export const textRows: readonly Row<Known>[] = [
  info(
    'hoster_device_info',
    'Always 1; the texts that describe a phone, to be joined to other series by account and device_id. As of the last successful poll; the group is the part of the label that says where the phone stands (groups of the configuration). A text that the API did not give is empty. A phone that left keeps it until the end of the following month, the 1,000 newest.',
    ['label', 'group', 'brand', 'model', 'app_version'],
    ({ group, device: { label, brand, model, appVersion } }) => [label, group, brand, model, appVersion],
  ),
];

/** Times of one device since it was first listed. They stand while polls fail, and over restarts. */
export const timeRows: readonly Row<Known>[] = [
  samples(
    'gauge',
    'hoster_device_time_seconds',
    'Observed seconds of the phone in each column of the month since it was first listed, kept in the state file; only time between two successful polls counts. Hours of a time range are the difference of two values; increase() does not fit. Absent for a column that was never entered. A phone that left keeps it until the end of the following month, the 1,000 newest.',
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
    'How often the phone fell offline while it was sold and not in maintenance, since it was first listed. Kept and read like hoster_device_time_seconds.',
    ({ times }) => times.interruptions,
  ),
  gauge(
    'hoster_device_first_listed_timestamp_seconds',
    'The first list that showed the phone to this exporter, in seconds since 1970, as its state file remembers.',
    ({ times }) => seconds(times.firstListedAt),
  ),
];
