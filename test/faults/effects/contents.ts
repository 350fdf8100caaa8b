import type { FaultGroup } from './fault-group.ts';
import { failing, harmless, NEXT_POLL, UNAVAILABLE } from './phrases.ts';

/** A response comes, and its content is wrong, odd or contradicts itself. */
export const CONTENTS: readonly FaultGroup[] = [
  {
    title: 'The response is not what the API promises',
    effects: {
      ...failing('envelope', 'html', 'empty-body', 'null-body', 'success-without-data'),
      ...failing('envelope', 'status-zero', 'unasked-continue'),
      ...failing('encoding', 'latin-1', 'gzip-declared-not-sent'),
      'gzip-bomb': { reason: 'too_large', pace: 'slow' },
      'huge-body': { reason: 'too_large', pace: 'slow' },
      ...failing('too_large', 'huge-header', 'many-headers'),
      'deep-nesting': { reason: 'schema', pace: 'slow' },
    },
    alerts: UNAVAILABLE,
    action:
      'Send a request to the API from this machine with curl. A web page (`envelope`) is often a login page of the network or a wrong `api_url`. Otherwise the API has changed, or something in between changes its responses.',
    recovery: NEXT_POLL,
  },
  {
    title: 'The device list contradicts itself',
    effects: {
      'duplicate-devices': { counter: 'hoster_exporter_list_inconsistencies_total', budget: 40 },
      'omitted-devices': { counter: 'hoster_exporter_list_passes', budget: 40 },
      'total-grows': { counter: 'hoster_exporter_list_inconsistencies_total', budget: 40 },
      'total-shrinks': { counter: 'hoster_exporter_list_inconsistencies_total', budget: 40 },
      'empty-middle-page': { counter: 'hoster_exporter_list_inconsistencies_total', budget: 40 },
      'limit-ignored': { budget: 60 },
      'same-page-for-ever': {
        reason: 'inconsistent',
        counter: 'hoster_exporter_list_inconsistencies_total',
        budget: 40,
      },
      'total-pages-huge': { budget: 40 },
    },
    served:
      'Phones that an incomplete list lacks stay as they were. An incomplete list confirms no absence; a phone that no list showed for `poll.stale_after` leaves in any case.',
    shown:
      '`hoster_exporter_list_complete` is 0, and `hoster_exporter_list_inconsistencies_total` counts by kind. `hoster_devices_reported` differs from the number of phones. A list in which most phones have another ID than before is rejected until the next one has the same IDs. A page size or a number of pages that the API does not keep to changes nothing.',
    alerts: ['HosterApiDegraded'],
    action:
      'Nothing at first: the list is read twice in a poll. If it persists, the pages of the API are wrong: report it to the marketplace.',
    recovery: NEXT_POLL,
  },
  {
    title: 'Phones disappear from the list',
    effects: { 'fleet-vanishes': {} },
    served:
      'They stay until two complete lists lack them, or three if more than 20 % and more than five are missing at once.',
    shown: '`hoster_exporter_list_suspect` is 1 until a loss is confirmed.',
    alerts: ['HosterPhoneLeft'],
    action:
      'Check in the dashboard of the marketplace if the phones are there. If they are, report it to the marketplace. Phones that are listed again come back.',
    recovery: NEXT_POLL,
  },
  {
    title: 'A record cannot be read',
    effects: {
      'wrong-types': {
        reason: { balance: 'schema' },
        counter: {
          devices: 'hoster_exporter_items_rejected_total',
          tunnel: 'hoster_exporter_schema_violations_total',
        },
      },
      'null-item': { counter: 'hoster_exporter_items_rejected_total' },
      'bad-device-ids': { reason: 'schema' },
    },
    served:
      'A bad record loses only this record, and a field of a wrong type only this field. A list of which most items have no usable identifier, and a balance without any readable field, are failed polls. A list with such items removes no phone.',
    shown:
      '`hoster_exporter_items_rejected_total` counts phones without a usable identifier. `hoster_exporter_schema_violations_total` counts records with a field of a wrong type.',
    alerts: ['HosterApiDegraded', 'HosterPhoneOffline'],
    action: 'The API has changed: look for a newer version of the exporter, and report it to its authors.',
    recovery: NEXT_POLL,
  },
  {
    title: 'A value is unknown or unusable',
    effects: {
      'unknown-enums': { counter: { devices: 'hoster_exporter_unknown_enum_values_total' } },
      'heartbeat-forms': {},
      'hostile-label': { counter: 'hoster_exporter_labels_sanitized_total' },
      'long-label': { counter: 'hoster_exporter_labels_sanitized_total' },
      'self-rent-forms': {},
      'null-credential': {},
      'port-forms': {},
      'balance-fraction': { counter: 'hoster_exporter_schema_violations_total' },
      'balance-huge': { counter: 'hoster_exporter_schema_violations_total' },
      'balance-negative': {},
    },
    served:
      'An undocumented status is shown as `other`, a value that cannot be read has no series, and a text is shortened and made printable.',
    shown:
      '`hoster_exporter_unknown_enum_values_total`, `hoster_exporter_schema_violations_total`, `hoster_exporter_labels_sanitized_total`; a phone with an unusable heartbeat has no `hoster_device_heartbeat_age_seconds`.',
    alerts: ['HosterApiDegraded', 'HosterPhoneOffline'],
    action: 'Look for a newer version of the exporter. Until then, `other` means an unknown state.',
    recovery: NEXT_POLL,
  },
  {
    title: 'Unusual, but harmless',
    effects: {
      ...harmless('byte-order-mark', 'interim-responses', 'unknown-fields', 'name-dead-address'),
      'close-after-response': { chance: 'reset' },
      'connection-idle-close': { pace: 'restful' },
      'one-byte-packets': { pace: 'slow' },
    },
    alerts: [],
    action: 'Nothing.',
    recovery: 'It needs no recovery.',
  },
];
