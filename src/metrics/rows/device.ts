import type { FleetDevice } from '../../model/fleet.ts';
import { currentValue, gauge, info, onlyWith, type Row, seconds } from '../row.ts';

export const deviceRows: readonly Row<FleetDevice>[] = [
  gauge(
    'hoster_device_last_heartbeat_timestamp_seconds',
    "The phone's last heartbeat at the last successful poll, in seconds since 1970. Absent if missing or unreadable.",
    ({ device, heartbeatAgeSeconds }) =>
      heartbeatAgeSeconds === undefined ? undefined : seconds(device.lastHeartbeatAt),
  ),
  gauge(
    'hoster_device_heartbeat_age_seconds',
    "Age of the last heartbeat in seconds at the last successful poll, by the API's clock. It does not grow while polls fail. Absent if the heartbeat is missing, unreadable or far in the future.",
    (device) => device.heartbeatAgeSeconds,
  ),
  currentValue(
    'hoster_device_rental_status',
    "Always 1; the label is the phone's rental status at the last successful poll. Absent without one.",
    'status',
    ({ device: { rentalStatus } }) => rentalStatus,
  ),
  currentValue(
    'hoster_device_marketplace_status',
    "Always 1; the label is the phone's marketplace status at the last successful poll. Absent without one.",
    'status',
    ({ device: { marketplaceStatus } }) => marketplaceStatus,
  ),
  currentValue(
    'hoster_device_setup_status',
    "Always 1; the label is the phone's setup status at the last successful poll. Absent without one.",
    'status',
    ({ device: { setupStatus } }) => setupStatus,
  ),
  gauge(
    'hoster_device_rental_status_since_timestamp_seconds',
    "When this exporter first saw the phone's current rental status, in seconds since 1970. The change was up to one poll earlier, or before the exporter started.",
    (device) => seconds(device.rentalStatusSince),
  ),
  gauge(
    'hoster_device_offline_after_seconds',
    'Heartbeat age in seconds above which the phone is offline: learned from its heartbeats, or set with offline.after.',
    ({ offlineAfterSeconds }) => offlineAfterSeconds,
  ),
  gauge(
    'hoster_device_back_timestamp_seconds',
    'Heartbeat with which an offline phone came back online, in seconds since 1970. Present for an hour, otherwise absent.',
    ({ backAt }) => seconds(backAt),
  ),
  currentValue(
    'hoster_device_self_rent_status',
    "Always 1; the label is the phone's self-rent status at the last successful poll. Absent without one.",
    'status',
    ({ device: { selfRentStatus } }) => selfRentStatus,
  ),
  currentValue(
    'hoster_device_rotation_status',
    "Always 1; the label is the phone's rotation status at the last successful poll. Absent without one.",
    'status',
    ({ device: { rotationStatus } }) => rotationStatus,
  ),
  gauge(
    'hoster_device_rotation_interval_seconds',
    'Interval of IP rotation in seconds at the last successful poll. Absent without rotation settings.',
    ({ device: { rotationIntervalMilliseconds } }) => seconds(rotationIntervalMilliseconds),
  ),
  // Its label changes with each rental.
  onlyWith(
    'rental_ids',
    info(
      'hoster_device_self_rent_info',
      'Always 1; the label is the ID of the self-rent rental at the last successful poll. Off by default (features.rental_ids). Absent without a rental.',
      ['rental_id'],
      ({ device: { rentalId } }) => (rentalId === undefined ? undefined : [rentalId]),
    ),
  ),
];
