import { isIPv4, isIPv6 } from 'node:net';
import { compareIds } from '../model/device.ts';
import { shownData } from '../model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import type { Tunnel, TunnelPorts } from '../model/tunnel.ts';
import { jsonReply, type Reply, textReply } from './reply.ts';

/** One target of Prometheus' HTTP service discovery (Prometheus, "Writing HTTP service discovery"). */
export type TargetGroup = {
  readonly targets: readonly [hostAndPort: string];
  readonly labels: Readonly<Record<`__meta_hoster_${string}`, string>>;
};

/** The ports of a tunnel by what they are called in the query. */
const PORTS: Readonly<Record<string, keyof TunnelPorts>> = {
  socks5: 'socks5',
  https: 'https',
  transparent: 'transparentSocks5',
};

const DEFAULT_PORT = 'socks5';

/**
 * The tunnels as targets for Prometheus, which forgets what a list leaves out, and keeps its last list where there is
 * none: so there is one only if it is whole.
 *
 * @param snapshot undefined while this is switched off
 * @param query `port` is one of the names above; `account` leaves the other accounts out
 */
export function discoveryReply(snapshot: Snapshot | undefined, query: URLSearchParams): Reply {
  if (snapshot === undefined) {
    return textReply(404, 'off: features.tunnel_discovery (--features.tunnel-discovery) switches it on');
  }
  const port = query.get('port') ?? DEFAULT_PORT;
  if (!Object.hasOwn(PORTS, port)) {
    return textReply(400, `port can be ${Object.keys(PORTS).join(', ')}, as in /sd/tunnels?port=https`);
  }
  const name = query.get('account');
  const accounts = snapshot.accounts.filter((account) => name === null || account.name === name);
  if (name !== null && accounts.length === 0) {
    return textReply(400, 'account can be one of the names of accounts in the configuration');
  }
  const unknown = accounts.filter(
    (account) => shownData(account.devices) === undefined || shownData(account.tunnels) === undefined,
  );
  if (unknown.length > 0) {
    const names = unknown.map((account) => account.name).join(', ');
    return textReply(503, `no tunnels are known by now of: ${names}`);
  }
  return jsonReply(200, JSON.stringify(tunnelTargets(accounts, port)));
}

/**
 * The tunnels of these accounts that are live and enabled and have such a port, by account, then by device. Text that
 * people edit is no part of it, since each edit would make another target.
 */
export function tunnelTargets(accounts: readonly AccountSnapshot[], port: string): readonly TargetGroup[] {
  return accounts.flatMap(({ name, tunnels }) =>
    [...(tunnels.data ?? [])]
      .toSorted(([one], [other]) => compareIds(one, other))
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

/** Undefined where there is nothing to connect to: a host that is none would have the target refused. */
function addressOf(tunnel: Tunnel | undefined, port: string): string | undefined {
  const kind = PORTS[port];
  const number = kind === undefined ? undefined : tunnel?.ports[kind];
  if (tunnel?.status !== 'enabled' || number === undefined) return undefined;
  const { host } = tunnel;
  if (isIPv6(host)) return `[${host}]:${number}`;
  return isIPv4(host) || HOST_NAME.test(host) ? `${host}:${number}` : undefined;
}
