import { FAILED, failing, HELD_ALONE, harmless, NEXT_POLL, UNAVAILABLE } from './phrases.ts';
import type { Symptom } from './symptom.ts';

/** An answer comes, and what it says is wrong, odd or contradicts itself. */
export const CONTENTS: readonly Symptom[] = [
  {
    title: 'The answer is not what the API promises',
    effects: {
      ...failing('envelope', 'html', 'empty-body', 'null-body', 'success-without-data'),
      ...failing('encoding', 'latin-1', 'gzip-declared-not-sent'),
      'gzip-bomb': { reason: 'encoding', pace: 'slow' },
      'huge-body': { reason: 'too_large', pace: 'slow' },
      ...failing('too_large', 'huge-header', 'many-headers'),
      'deep-nesting': { reason: 'schema', pace: 'slow' },
    },
    served: HELD_ALONE,
    shown: FAILED,
    alerts: UNAVAILABLE,
    action:
      'Ask the API from this machine with curl. A page for people (`envelope`) is often a captive portal or a wrong `api_url`; otherwise the API has changed, or something in between changes its answers.',
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
      'limit-ignored': { counter: 'hoster_exporter_list_inconsistencies_total', budget: 60 },
      'same-page-for-ever': {
        poll: 'inconsistent',
        counter: 'hoster_exporter_list_inconsistencies_total',
        budget: 40,
      },
      'total-pages-huge': { counter: 'hoster_exporter_list_inconsistencies_total', budget: 40 },
    },
    served:
      'All phones: what listings show, and for those that an incomplete one lacks, what was known of them. No phone leaves on the word of a list that is not complete.',
    shown:
      '`hoster_exporter_list_complete` is 0, `hoster_exporter_list_inconsistencies_total` counts by kind; `hoster_devices_reported` differs from the number of phones.',
    alerts: ['HosterListingIncomplete'],
    action:
      'Nothing, if it passes: the list is read up to three times in a poll. If it stays, the API pages wrongly: tell the marketplace.',
    recovery: NEXT_POLL,
  },
  {
    title: 'Phones vanish from the list',
    effects: { 'fleet-vanishes': { counter: 'hoster_exporter_devices_removed_total' } },
    served:
      'All phones, until two complete listings lack them, or three where more than 20 % and more than five are gone at once. Then they have left the fleet.',
    shown:
      '`hoster_exporter_list_suspect` is 1 while a loss waits for its confirmation; `hoster_exporter_devices_removed_total` counts those that left.',
    alerts: ['HosterFleetShrunk'],
    action:
      'Look at the marketplace itself whether the phones are there. If they are, tell the marketplace; they come back by themselves.',
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
      'bad-device-ids': { counter: 'hoster_exporter_items_rejected_total' },
    },
    served:
      'Everything else: one record costs itself alone, and a field of a wrong type costs that field. A balance without any readable field is a failed poll.',
    shown:
      '`hoster_exporter_items_rejected_total` counts phones without a usable identifier, `hoster_exporter_schema_violations_total` records with a field of a wrong type.',
    alerts: ['HosterApiItemsRejected', 'HosterApiFieldUnreadable', 'HosterApiErrorsHigh'],
    action: 'The API has changed: look for a newer version of the exporter, and tell its authors.',
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
      'Everything that can be read. A status that no document names is shown as `other`, a fact that cannot be read has no series, a text is shortened and made printable.',
    shown:
      '`hoster_exporter_unknown_enum_values_total`, `hoster_exporter_schema_violations_total`, `hoster_exporter_labels_sanitized_total`; `hoster_device_heartbeat_valid` is 0 for a phone whose heartbeat is no instant.',
    alerts: ['HosterApiUnknownValue', 'HosterApiFieldUnreadable', 'HosterHeartbeatUnreadable'],
    action:
      'Look for a newer version of the exporter; until then, treat `other` as a phone of unknown state.',
    recovery: NEXT_POLL,
  },
  {
    title: 'Odd, but harmless',
    effects: {
      ...harmless(
        'byte-order-mark',
        'interim-answers',
        'close-after-answer',
        'unknown-fields',
        'name-dead-address',
      ),
      'connection-idle-close': { pace: 'restful' },
      'one-byte-packets': { pace: 'slow' },
    },
    served: 'Everything, as if nothing were wrong.',
    shown:
      'Nowhere, save that a request on a connection that has died counts in `hoster_exporter_api_retries_total`.',
    alerts: [],
    action: 'Nothing.',
    recovery: 'There is nothing to recover from.',
  },
];
