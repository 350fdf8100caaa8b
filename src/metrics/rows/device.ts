import { MARKETPLACE_STATUSES, OTHER, RENTAL_STATUSES, SETUP_STATUSES } from '../../model/device.ts';
import type { FleetDevice } from '../../model/fleet.ts';
import {
  currentValue,
  flag,
  gauge,
  info,
  isStatus,
  onlyWith,
  type Row,
  type Sample,
  samples,
  seconds,
  stateSet,
} from '../row.ts';

const RENTAL_STATES = [...RENTAL_STATUSES, OTHER] as const;

/** Metrics of one device, as of the last successful poll of the device list. */
export const deviceRows: readonly Row<FleetDevice>[] = [
  info(
    'hoster_device_info',
    'Always 1; the texts that describe a phone, to be joined to other series by account and device_id. As of the last successful poll; a text that the API did not give is empty.',
    ['label', 'brand', 'model', 'app_version'],
    ({ device: { label, brand, model, appVersion } }) => [label, brand, model, appVersion],
  ),
  gauge(
    'hoster_device_last_heartbeat_timestamp_seconds',
    'When the phone last reported to the marketplace, in seconds since 1970, as of the last successful poll. Absent without a usable instant.',
    ({ device, heartbeatAgeSeconds }) =>
      heartbeatAgeSeconds === undefined ? undefined : seconds(device.lastHeartbeatAt),
  ),
  gauge(
    'hoster_device_heartbeat_age_seconds',
    'Seconds between the last heartbeat and the last successful poll, by the clock of the API; it does not grow between polls, so an outage of the API does not age the fleet. Never below 0. Absent without a usable instant.',
    (device) => device.heartbeatAgeSeconds,
  ),
  flag(
    'hoster_device_heartbeat_valid',
    'Whether the last heartbeat was a usable instant (1) or missing, unreadable or far in the future (0), as of the last successful poll.',
    (device) => device.heartbeatAgeSeconds !== undefined,
  ),
  stateSet(
    'hoster_device_rental_status',
    'Rental status of the phone: 1 for the present status, 0 for the others, as of the last successful poll.',
    'status',
    RENTAL_STATES,
    ({ device: { rentalStatus } }) => rentalStatus,
  ),
  stateSet(
    'hoster_device_marketplace_status',
    'Marketplace status of the phone: 1 for the present status, 0 for the others, as of the last successful poll.',
    'status',
    [...MARKETPLACE_STATUSES, OTHER],
    ({ device: { marketplaceStatus } }) => marketplaceStatus,
  ),
  onlyWith(
    'setupStatus',
    stateSet(
      'hoster_device_setup_status',
      'Setup status of the phone: 1 for the present status, 0 for the others, as of the last successful poll.',
      'status',
      [...SETUP_STATUSES, OTHER],
      ({ device: { setupStatus } }) => setupStatus,
    ),
  ),
  gauge(
    'hoster_device_rental_status_since_timestamp_seconds',
    'When this exporter first saw the present rental status of the phone, in seconds since 1970; the true change was up to one poll earlier, or before the start of the exporter.',
    (device) => seconds(device.rentalStatusSince),
  ),
  samples(
    'counter',
    'hoster_device_rental_status_seconds_total',
    'Observed seconds that the phone spent in each rental status; only time between two successful polls counts.',
    ['status'],
    ({ rentalStatusSeconds }) => RENTAL_STATES.map((status): Sample => [rentalStatusSeconds[status], status]),
  ),
  currentValue(
    'hoster_device_self_rent_status',
    'Always 1; the label is the present self-rent status of the phone, as of the last successful poll. Absent without one.',
    'status',
    ({ device: { selfRentStatus } }) => selfRentStatus,
  ),
  flag(
    'hoster_device_rotation_active',
    'Whether the rotation of the IP address is active (1) or in another status (0), as of the last successful poll. Absent without rotation settings.',
    ({ device: { rotationStatus } }) => isStatus(rotationStatus, 'active'),
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
    'rentalIds',
    info(
      'hoster_device_self_rent_info',
      'Always 1; the label is the identifier of the present self-rent rental, as of the last successful poll. Off by default (features.rental_ids). Absent without a rental.',
      ['rental_id'],
      ({ device: { rentalId } }) => (rentalId === undefined ? undefined : [rentalId]),
    ),
  ),
];
