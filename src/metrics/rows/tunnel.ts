import type { TunnelResponse } from '../../model/tunnel.ts';
import { currentValue, flag, gauge, info, onlyWith, type Row, samples, seconds } from '../row.ts';

/** Metrics of the tunnel of one device with a live self-rental, as of the last answer of the tunnel endpoint. */
export const tunnelRows: readonly Row<TunnelResponse>[] = [
  flag(
    'hoster_tunnel_live',
    'Whether a phone with a live self-rent has a readable tunnel (1) or the API says that it has none (0), as of the last successful poll.',
    ({ tunnel }) => tunnel !== undefined,
  ),
  flag(
    'hoster_tunnel_up',
    'Whether the uptime status of the tunnel is up (1) or another (0), as of the last successful poll. Absent without a tunnel.',
    ({ tunnel }) => (tunnel?.uptimeStatus === undefined ? undefined : tunnel.uptimeStatus === 'up'),
  ),
  currentValue(
    'hoster_tunnel_uptime_status',
    'Always 1; the label is the present uptime status of the tunnel, as of the last successful poll. Absent without one.',
    'status',
    ({ tunnel }) => tunnel?.uptimeStatus,
  ),
  currentValue(
    'hoster_tunnel_status',
    'Always 1; the label is the present status of the tunnel, as of the last successful poll. Absent without one.',
    'status',
    ({ tunnel }) => tunnel?.status,
  ),
  samples(
    'gauge',
    'hoster_tunnel_credentials',
    'Number of logins on the tunnel by their status, as of the last successful poll; active is always there, also at 0. Absent where the API gave no list of them.',
    ['status'],
    ({ tunnel }) =>
      Array.from(tunnel?.credentials?.countByStatus ?? [], ([status, count]) => [count, status]),
  ),
  gauge(
    'hoster_tunnel_oldest_credential_timestamp_seconds',
    'When the oldest active login on the tunnel was created, in seconds since 1970, as of the last successful poll. Absent without one.',
    ({ tunnel }) => seconds(tunnel?.credentials?.oldestActiveAt),
  ),
  gauge(
    'hoster_tunnel_last_credential_change_timestamp_seconds',
    'When a login on the tunnel was last changed, in seconds since 1970, as of the last successful poll. Absent without one.',
    ({ tunnel }) => seconds(tunnel?.credentials?.lastChangeAt),
  ),
  // A scrape page should not list reachable proxies unasked.
  onlyWith(
    'tunnel_endpoints',
    info(
      'hoster_tunnel_info',
      'Always 1; where the tunnel can be reached, as of the last successful poll. Off by default (features.tunnel_endpoints). Absent without a tunnel.',
      ['tunnel_id', 'host', 'socks5_port', 'https_port', 'transparent_socks5_port'],
      ({ tunnel }) =>
        tunnel === undefined
          ? undefined
          : [
              tunnel.id,
              tunnel.host,
              portText(tunnel.ports.socks5),
              portText(tunnel.ports.https),
              portText(tunnel.ports.transparentSocks5),
            ],
    ),
  ),
];

function portText(port: number | undefined): string {
  return port === undefined ? '' : String(port);
}
