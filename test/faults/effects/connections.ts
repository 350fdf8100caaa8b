import type { FaultGroup } from './fault-group.ts';
import { failing, NEXT_POLL, UNAVAILABLE } from './phrases.ts';

/** No response comes, or only a part of one. */
export const CONNECTIONS: readonly FaultGroup[] = [
  {
    title: 'The API is offline or too slow',
    effects: {
      ...failing('timeout', 'request-timeout', 'hang', 'trickle', 'connection-ignored'),
      // A page of a hundred phones takes longer than a request may, a tunnel or a balance does not.
      'slow-body': { reason: { devices: 'timeout' } },
      'connection-half-open': { reason: 'timeout' },
    },
    shown: '`hoster_exporter_api_request_duration_seconds` grows.',
    alerts: UNAVAILABLE,
    action:
      'Check the network between the exporter and the API. If the API is always slow, raise `client.timeout`.',
    recovery: NEXT_POLL,
    rounds: 4,
  },
  {
    title: 'Connections break',
    effects: {
      ...failing(
        'reset',
        'reset-before-headers',
        'reset-after-headers',
        'reset-mid-body',
        'close-before-headers',
        'connection-reset',
      ),
      ...failing(
        'truncated',
        'close-mid-body',
        'content-length-short',
        'content-length-long',
        'content-length-twice',
        'chunked-cut',
        'truncated-json',
      ),
    },
    alerts: UNAVAILABLE,
    action:
      'Check what is between the exporter and the API: a proxy, a load balancer, a firewall that drops connections.',
    recovery: NEXT_POLL,
    rounds: 4,
  },
  {
    title: 'No connection is possible',
    effects: {
      ...failing('connect', 'connection-refused'),
      'tls-stall': { reason: 'connect', pace: 'real' },
      'name-slow': { reason: 'connect', pace: 'real' },
      ...failing('tls', 'tls-expired', 'tls-wrong-host', 'tls-untrusted', 'tls-not-spoken'),
      ...failing('dns', 'name-unknown', 'name-server-fails'),
    },
    alerts: UNAVAILABLE,
    action:
      '`connect`: check `api_url`, the firewall, and whether the API is up. `dns`: check its spelling and the resolver of this machine. `tls`: check the host name, the clock of this machine, and `client.ca_file` for a private authority. Verification cannot be switched off.',
    recovery: NEXT_POLL,
    rounds: 4,
  },
];
