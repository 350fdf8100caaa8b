import type { TunnelResponse } from '../../model/tunnel.ts';
import { currentValue, flag, gauge, info, onlyWith, type Row, samples, seconds } from '../row.ts';

/** Metrics of the tunnel of one device with a live self-rental. */
export const tunnelRows: readonly Row<TunnelResponse>[] = [
  flag(
    'hoster_tunnel_live',
    '1 if a phone with a live self-rent has a readable tunnel, 0 if the API says that it has none, at the last successful poll.',
    ({ tunnel }) => tunnel !== undefined,
  ),
  flag(
    'hoster_tunnel_up',
    "1 if the tunnel's uptime status is up, 0 for any other, at the last successful poll. Absent without a tunnel.",
    ({ tunnel }) => (tunnel?.uptimeStatus === undefined ? undefined : tunnel.uptimeStatus === 'up'),
  ),
  currentValue(
    'hoster_tunnel_uptime_status',
    "Always 1; the label is the tunnel's uptime status at the last successful poll. Absent without one.",
    'status',
    ({ tunnel }) => tunnel?.uptimeStatus,
  ),
  currentValue(
    'hoster_tunnel_status',
    "Always 1; the label is the tunnel's status at the last successful poll. Absent without one.",
    'status',
    ({ tunnel }) => tunnel?.status,
  ),
  samples(
    'hoster_tunnel_credentials',
    "Number of the tunnel's logins by status at the last successful poll; active is always present. Absent without a list of logins.",
    ['status'],
    ({ tunnel }) =>
      Array.from(tunnel?.credentials?.countByStatus ?? [], ([status, count]) => [count, status]),
  ),
  gauge(
    'hoster_tunnel_oldest_credential_timestamp_seconds',
    "Creation time of the tunnel's oldest active login, in seconds since 1970, at the last successful poll. Absent without one.",
    ({ tunnel }) => seconds(tunnel?.credentials?.oldestActiveAt),
  ),
  gauge(
    'hoster_tunnel_last_credential_change_timestamp_seconds',
    "Time of the last change to one of the tunnel's logins, in seconds since 1970, at the last successful poll. Absent without one.",
    ({ tunnel }) => seconds(tunnel?.credentials?.lastChangeAt),
  ),
  // Off by default: a scrape page should not list reachable proxies.
  onlyWith(
    'tunnel_endpoints',
    info(
      'hoster_tunnel_info',
      "Always 1; the labels are the tunnel's address at the last successful poll. Off by default (features.tunnel_endpoints). Absent without a tunnel.",
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
