import { isIPv4, isIPv6 } from 'node:net';
import type { Feature } from '../../cli/command.ts';
import { defineSection } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import { onOff } from '../../config/values.ts';
import { jsonReply, type Reply, textReply } from '../../http/reply.ts';
import { shownData } from '../../model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../../model/snapshot.ts';
import type { Tunnel, TunnelPorts } from '../../model/tunnel.ts';

const SWITCH = defineSection('features', {
  tunnel_discovery: setting(onOff, {
    description:
      'Lists the host and ports of tunnels on /sd/tunnels, for a Prometheus that probes them (docs/PROBING.md).',
    default: false,
  }),
});

/** Discovery: live tunnels as targets that Prometheus can probe. */
export const discovery: Feature = {
  name: 'discovery',
  settings: [SWITCH],
  create: ({ config, snapshot }) => ({
    routes: () => [
      [
        '/sd/tunnels',
        {
          methods: ['GET'],
          answer: ({ query }) =>
            discoveryReply(SWITCH.of(config()).tunnel_discovery ? snapshot() : undefined, query),
        },
      ],
    ],
  }),
};

const PORTS: Readonly<Record<string, keyof TunnelPorts>> = {
  socks5: 'socks5',
  https: 'https',
  transparent: 'transparentSocks5',
};

/**
 * Lists the known tunnels as targets. Prometheus drops targets that are missing from a list and keeps its last list after an
 * error, so an account without any known tunnel is an error, not an empty list.
 *
 * @param snapshot undefined while discovery is off
 * @param query `port` selects a port of each tunnel; `account` selects one account
 */
export function discoveryReply(snapshot: Snapshot | undefined, query: URLSearchParams): Reply {
  if (snapshot === undefined)
    return textReply(
      404,
      'Tunnel discovery is disabled: turn it on with features.tunnel_discovery (--features.tunnel-discovery)',
    );
  const port = query.get('port') ?? 'socks5';
  if (!Object.hasOwn(PORTS, port))
    return textReply(
      400,
      `expected port=${Object.keys(PORTS).join(', port=')}, as in /sd/tunnels?port=https`,
    );
  const name = query.get('account');
  const accounts = snapshot.accounts.filter((account) => name === null || account.name === name);
  if (name !== null && accounts.length === 0)
    return textReply(400, 'expected account=NAME with the name of a configured account');
  const unknown = accounts.filter((account) => !hasKnownTunnels(account));
  if (unknown.length > 0) {
    const names = unknown.map((account) => account.name).join(', ');
    return textReply(503, `tunnels not polled yet, or expired: ${names}`);
  }
  return jsonReply(200, JSON.stringify(tunnelTargets(accounts, port)));
}

/** Reports whether at least one tunnel is known, or the account has none. */
function hasKnownTunnels(account: AccountSnapshot): boolean {
  const [fleet, tunnels] = [shownData(account.devices), shownData(account.tunnels)];
  if (fleet === undefined || tunnels === undefined) return false;
  return fleet.liveSelfRents.length === 0 || fleet.liveSelfRents.some((id) => tunnels.has(id));
}

/**
 * Lists the enabled tunnels that have a port, by account, then by device, in the format of Prometheus's HTTP service discovery.
 * Labels contain no text that people edit, because each edit would create another target.
 */
function tunnelTargets(accounts: readonly AccountSnapshot[], port: string) {
  return accounts.flatMap(({ name, tunnels }) =>
    [...(tunnels.data ?? [])]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([deviceId, { tunnel }]) => {
        const address = addressOf(tunnel, port);
        if (tunnel === undefined || address === undefined) return [];
        return {
          targets: [address],
          labels: {
            __meta_hoster_account: name,
            __meta_hoster_device_id: deviceId,
            __meta_hoster_tunnel_id: tunnel.id,
            __meta_hoster_port: port,
          },
        };
      }),
  );
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;

/** Undefined without a valid host, because Prometheus would otherwise reject the whole list. */
function addressOf(tunnel: Tunnel | undefined, port: string): string | undefined {
  const kind = PORTS[port];
  const number = kind === undefined ? undefined : tunnel?.ports[kind];
  if (tunnel?.status !== 'enabled' || number === undefined) return undefined;
  const { host } = tunnel;
  if (isIPv6(host)) return `[${host}]:${number}`;
  return isIPv4(host) || HOST_NAME.test(host) ? `${host}:${number}` : undefined;
}
