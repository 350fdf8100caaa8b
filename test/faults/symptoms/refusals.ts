import { AFTER_REST, FAILED, failing, HELD, HELD_ALONE, NEXT_POLL, UNAVAILABLE } from './phrases.ts';
import type { Symptom } from './symptom.ts';

/** The API, or what stands in front of it, answers that it will not. */
export const REFUSALS: readonly Symptom[] = [
  {
    title: 'The API has a fault of its own',
    effects: failing('server', 'internal-error', 'bad-gateway-html', 'success-false'),
    served: HELD_ALONE,
    shown: FAILED,
    alerts: UNAVAILABLE,
    action: 'Wait; nothing here is wrong. If it lasts, ask the marketplace.',
    recovery: AFTER_REST,
    rounds: 4,
  },
  {
    title: 'The API is down for maintenance',
    effects: failing('server', 'service-unavailable'),
    served: `${HELD} The whole account pauses, as the API asked for.`,
    shown: `${FAILED} \`hoster_exporter_api_throttled_until_timestamp_seconds\` says until when nothing is sent.`,
    alerts: UNAVAILABLE,
    action: 'Wait; nothing here is wrong.',
    recovery: 'When the time that the API named is over, at most 5 min.',
    rounds: 4,
    pauses: true,
  },
  {
    title: 'Something in front of the API turns us away',
    effects: failing('edge_block', 'forbidden-html', 'unknown-error-page'),
    served: HELD_ALONE,
    shown: `${FAILED} \`hoster_account_api_access\` does not change, since the API was never asked.`,
    alerts: UNAVAILABLE,
    action:
      'Not the key: a firewall or content delivery network blocks this address. Ask the marketplace to let it in.',
    recovery: AFTER_REST,
    rounds: 4,
  },
  {
    title: 'The key is refused',
    effects: failing('unauthorized', 'missing-api-key', 'invalid-api-key', 'hoster-banned'),
    served: `${HELD} Those that the key is not refused to go on.`,
    shown: `${FAILED} \`hoster_account_api_access\` says what the API said; polls left out count in \`hoster_exporter_polls_skipped_total{reason="refused_key"}\`.`,
    alerts: ['HosterApiKeyRejected', 'HosterAccountSuspended', 'HosterApiUnavailable'],
    action:
      'The API uses its codes for both causes, so check the key and the account. A new key in the key file is used at the next poll, without a restart.',
    recovery:
      'With another key at the next poll; with the same one at the next try, 5 min after the first refusal and then once an hour.',
    rounds: 12,
    pauses: true,
  },
  {
    title: 'The API asks for fewer requests',
    effects: failing(
      'throttled',
      'too-many-requests',
      'retry-after-seconds',
      'retry-after-date',
      'retry-after-negative',
      'retry-after-garbage',
      'retry-after-huge',
    ),
    served: `${HELD} The whole account pauses, since the key is what was throttled.`,
    shown: `${FAILED} \`hoster_exporter_api_throttled_until_timestamp_seconds\` says until when nothing is sent.`,
    alerts: ['HosterApiThrottled', 'HosterApiUnavailable'],
    action:
      'Poll less often, or set `client.requests_per_second`; look for another program that uses the same key.',
    recovery:
      'When the pause that the API asked for is over: at most 15 min; 30 s, doubled each time, where it named none.',
    rounds: 34,
    pauses: true,
  },
  {
    title: 'The address or the request is wrong',
    effects: {
      ...failing('bad_request', 'bad-request'),
      ...failing('not_found', 'not-found-json', 'not-found-html'),
      ...failing('redirect', 'redirect-same-origin', 'redirect-other-origin'),
    },
    served: HELD_ALONE,
    shown: FAILED,
    alerts: UNAVAILABLE,
    action:
      'Check `api_url`: redirects are not followed, since the key would go with them, so name the final address. If it is right, the API has changed: look for a newer version.',
    recovery: NEXT_POLL,
  },
];
