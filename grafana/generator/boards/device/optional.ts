import type { Row } from '../../layout.ts';
import { table } from '../../panels/table.ts';
import { ofAccount, renamed, THIS_PHONE } from '../../promql.ts';
import { ACCOUNT } from '../columns.ts';

function current(name: string, as: string): { readonly expression: string } {
  const status = `max by (account, device_id, status) (${ofAccount(name, THIS_PHONE)})`;
  return { expression: `max by (account, device_id, ${as}) (${renamed(status, 'status', as)})` };
}

function oncePer(name: string, labels: string): { readonly expression: string } {
  return { expression: `max by (${labels}) (${ofAccount(name, THIS_PHONE)})` };
}

/** Panels of undocumented values, and of features that are off by default. */
export const optional: Row = {
  title: 'In the words of the API',
  collapsed: true,
  tiles: [
    table({
      title: 'Statuses',
      description:
        'The statuses as the API writes them. A word that you do not know: ask the marketplace what it means.',
      noValue: 'The API says none of them of this phone.',
      width: 24,
      height: 4,
      columns: [
        { title: 'Self-rent', label: 'self_rent' },
        { title: 'Rotation', label: 'rotation' },
        { title: 'Tunnel', label: 'tunnel' },
        { title: 'Uptime', label: 'uptime' },
        ACCOUNT,
      ],
      labelsOf: [
        current('hoster_device_self_rent_status', 'self_rent'),
        current('hoster_device_rotation_status', 'rotation'),
        current('hoster_tunnel_status', 'tunnel'),
        current('hoster_tunnel_uptime_status', 'uptime'),
      ],
      sortBy: ['Account', 'ascending'],
    }),
    table({
      title: 'Where the tunnel can be reached',
      description:
        'Address and ports for a client or a probe. Exported only with features.tunnel_endpoints, since it lists reachable proxies.',
      noValue: 'No tunnel, or features.tunnel_endpoints is off (the default).',
      width: 24,
      height: 4,
      columns: [
        { title: 'Host', label: 'host' },
        { title: 'SOCKS5', label: 'socks5_port', width: 90 },
        { title: 'HTTPS', label: 'https_port', width: 90 },
        { title: 'Transparent SOCKS5', label: 'transparent_socks5_port', width: 160 },
        { title: 'Tunnel', label: 'tunnel_id' },
      ],
      labelsOf: [
        oncePer('hoster_tunnel_info', 'host, socks5_port, https_port, transparent_socks5_port, tunnel_id'),
      ],
      sortBy: ['Host', 'ascending'],
    }),
  ],
};
