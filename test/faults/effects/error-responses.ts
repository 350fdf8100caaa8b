import type { FaultGroup } from './fault-group.ts';
import { failing, NEXT_POLL, UNAVAILABLE } from './phrases.ts';

/** The API, or a proxy in front of it, refuses the request. */
export const ERROR_RESPONSES: readonly FaultGroup[] = [
  {
    title: 'The API fails',
    effects: failing('server', 'internal-error', 'bad-gateway-html', 'success-false'),
    alerts: UNAVAILABLE,
    action: 'Wait; the problem is not on your side. If it persists, ask the marketplace.',
    recovery: NEXT_POLL,
    rounds: 4,
  },
  {
    title: 'The API is down for maintenance',
    effects: failing('server', 'service-unavailable'),
    served: 'No request of the account is sent until the API allows it.',
    alerts: UNAVAILABLE,
    action: 'Wait; the problem is not on your side.',
    recovery: 'After the time that the API named, at most 5 min.',
    rounds: 4,
    pauses: true,
  },
  {
    title: 'Something in front of the API rejects requests',
    effects: failing('edge_block', 'forbidden-html', 'unknown-error-page'),
    shown: '`hoster_account_api_access` does not change, because the API itself did not respond.',
    alerts: UNAVAILABLE,
    action:
      'A firewall or content delivery network blocks your address. The key is not the reason. Ask the marketplace to allow the address.',
    recovery: NEXT_POLL,
    rounds: 4,
  },
  {
    title: 'The key is refused',
    effects: {
      ...failing('unauthorized', 'missing-api-key', 'invalid-api-key', 'hoster-banned'),
      'late-refusal': { reason: 'unauthorized', pace: 'patient' },
    },
    served: 'Endpoints that accept the key continue.',
    shown:
      '`hoster_account_api_access` shows the refusal. Skipped polls count in `hoster_exporter_polls_skipped_total{reason="refused_key"}`.',
    alerts: ['HosterKeyRefused'],
    action:
      'The API uses the same codes for a wrong key and for a suspended account, so check both. A new key in the key file is used at the next poll, without a restart. A reload tries the same key at once.',
    recovery: 'With another key at the next poll. With the same key at the next try, at most 5 min later.',
    rounds: 12,
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
    served: 'No request of the account is sent, because the limit is that of the key.',
    alerts: ['HosterApiUnavailable'],
    action:
      'Poll less often, or set `client.requests_per_second`. Look for another program that uses the same key.',
    recovery:
      'After the time that the API named, at most 15 min and nine tenths of `poll.stale_after`. If it named none, after 30 s, doubled each time.',
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
    alerts: UNAVAILABLE,
    action:
      'Check `api_url`. Redirects are not followed, because the key would be sent along, so use the final address, if that is the API and not a login page of the network. If the address is right, the API has changed: look for a newer version of the exporter.',
    recovery: NEXT_POLL,
  },
];
