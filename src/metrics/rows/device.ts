import type { FleetDevice } from '../../model/fleet.ts';
import { currentValue, gauge, info, onlyWith, type Row, seconds } from '../row.ts';

/** Metrics of one device, as of the last successful poll of the device list. */
export const deviceRows: readonly Row<FleetDevice>[] = [
  gauge(
    'hoster_device_last_heartbeat_timestamp_seconds',
    'When the phone last reported to the marketplace, in seconds since 1970, as of the last successful poll. Absent without a usable instant.',
    ({ device, heartbeatAgeSeconds }) =>
      heartbeatAgeSeconds === undefined ? undefined : seconds(device.lastHeartbeatAt),
  ),
  gauge(
    'hoster_device_heartbeat_age_seconds',
    'Seconds between the last heartbeat and the last successful poll, by the clock of the API; it does not grow between polls, so an outage of the API does not age the fleet. Never below 0. Absent where the last heartbeat is missing, unreadable or far in the future.',
    (device) => device.heartbeatAgeSeconds,
  ),
  currentValue(
    'hoster_device_rental_status',
    'Always 1; the label is the present rental status of the phone, as of the last successful poll. Absent without one.',
    'status',
    ({ device: { rentalStatus } }) => rentalStatus,
  ),
  currentValue(
    'hoster_device_marketplace_status',
    'Always 1; the label is the present marketplace status of the phone, as of the last successful poll. Absent without one.',
    'status',
    ({ device: { marketplaceStatus } }) => marketplaceStatus,
  ),
  currentValue(
    'hoster_device_setup_status',
    'Always 1; the label is the present setup status of the phone, as of the last successful poll. Absent without one.',
    'status',
    ({ device: { setupStatus } }) => setupStatus,
  ),
  gauge(
    'hoster_device_rental_status_since_timestamp_seconds',
    'When this exporter first saw the present rental status of the phone, in seconds since 1970; the true change was up to one poll earlier, or before the start of the exporter.',
    (device) => seconds(device.rentalStatusSince),
  ),
  gauge(
    'hoster_device_offline_after_seconds',
    'Heartbeat age in seconds above which the phone is offline: learned from its own heartbeats, or offline.after of the configuration.',
    ({ offlineAfterSeconds }) => offlineAfterSeconds,
  ),
  gauge(
    'hoster_device_back_timestamp_seconds',
    'The heartbeat with which a offline phone reported again, in seconds since 1970, as of the last successful poll. Shown for an hour; absent otherwise.',
    ({ backAt }) => seconds(backAt),
  ),
  currentValue(
    'hoster_device_self_rent_status',
    'Always 1; the label is the present self-rent status of the phone, as of the last successful poll. Absent without one.',
    'status',
    ({ device: { selfRentStatus } }) => selfRentStatus,
  ),
  currentValue(
    'hoster_device_rotation_status',
    'Always 1; the label is the present rotation status of the phone, as of the last successful poll. Absent without one.',
    'status',
    ({ device: { rotationStatus } }) => rotationStatus,
  ),
  gauge(
    'hoster_device_rotation_interval_seconds',
    'Seconds between two rotations of the IP address, as of the last successful poll. Absent without rotation settings.',
    ({ device: { rotationIntervalMilliseconds } }) => seconds(rotationIntervalMilliseconds),
  ),
  // Its label changes with each rental.
  onlyWith(
    'rental_ids',
    info(
      'hoster_device_self_rent_info',
      'Always 1; the label is the identifier of the present self-rent rental, as of the last successful poll. Off by default (features.rental_ids). Absent without a rental.',
      ['rental_id'],
      ({ device: { rentalId } }) => (rentalId === undefined ? undefined : [rentalId]),
    ),
  ),
];
