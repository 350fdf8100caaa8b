import { describe, expect, it } from 'vitest';
import { discoveryReply } from '../../../../src/features/discovery/index.ts';
import type { Reply } from '../../../../src/http/reply.ts';
import type { AccountSnapshot, Snapshot } from '../../../../src/model/snapshot.ts';
import type { Tunnel, Tunnels } from '../../../../src/model/tunnel.ts';
import {
  accountOf,
  answerAtNoon,
  bareDevice,
  fleetDevice,
  fleetOf,
  freshReading,
  snapshotOf,
  tunnelOf,
  UNREAD,
} from '../../../builders.ts';

/** An account with these tunnels, by device; undefined for one whose device has none. */
function accountWith(tunnels: Readonly<Record<string, Tunnel | undefined>>, name = 'main'): AccountSnapshot {
  const answers: Tunnels = new Map(
    Object.entries(tunnels).map(([deviceId, tunnel]) => [deviceId, answerAtNoon(tunnel)]),
  );
  const devices = Object.keys(tunnels).map((id) =>
    fleetDevice(bareDevice({ id, rentalStatus: 'self_rented' })),
  );
  return accountOf({ name, devices: freshReading(fleetOf(...devices)), tunnels: freshReading(answers) });
}

function ask(snapshot: Snapshot | undefined, query = ''): Reply {
  return discoveryReply(snapshot, new URLSearchParams(query));
}

function bodyOf(reply: Reply): string {
  return String(reply.content);
}

function targetsOf(account: AccountSnapshot, query = ''): readonly string[] {
  const groups: readonly { readonly targets: readonly string[] }[] = JSON.parse(
    bodyOf(ask(snapshotOf(account), query)),
  );
  return groups.flatMap(({ targets }) => targets);
}

describe('GET /sd/tunnels', () => {
  it('lists a tunnel as a target with labels and without logins', () => {
    const reply = ask(snapshotOf(accountWith({ 'phone-1': tunnelOf() })));
    expect(reply.status).toBe(200);
    expect(reply.headers).toEqual({ 'content-type': 'application/json; charset=utf-8' });
    expect(JSON.parse(bodyOf(reply))).toEqual([
      {
        targets: ['proxy.example.com:10000'],
        labels: {
          __meta_hoster_account: 'main',
          __meta_hoster_device_id: 'phone-1',
          __meta_hoster_tunnel_id: 'tunnel-1',
          __meta_hoster_port: 'socks5',
        },
      },
    ]);
  });

  it.each([
    ['', 'proxy.example.com:10000'],
    ['port=socks5', 'proxy.example.com:10000'],
    ['port=https', 'proxy.example.com:10001'],
    ['port=transparent', 'proxy.example.com:10002'],
  ])('lists the port that ?%s selects', (query, target) => {
    expect(targetsOf(accountWith({ 'phone-1': tunnelOf() }), query)).toEqual([target]);
  });

  it('sorts targets by account and device id', () => {
    const at = (host: string) => tunnelOf({ host });
    const accounts = [
      accountWith({ b: at('2.example.com'), a: at('1.example.com') }, 'two'),
      accountWith({ a: at('3.example.com') }, 'one'),
    ];
    const found = bodyOf(ask(snapshotOf(...accounts))).match(/\d(?=\.example)/g);
    expect(found).toEqual(['1', '2', '3']);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7:10000'],
    ['2001:db8::7', '[2001:db8::7]:10000'],
    ['proxy_1.example.com', 'proxy_1.example.com:10000'],
    ['proxy.example.com.', 'proxy.example.com.:10000'],
  ])('lists a tunnel at %s as %s', (host, target) => {
    expect(targetsOf(accountWith({ 'phone-1': tunnelOf({ host }) }))).toEqual([target]);
  });

  it.each<[string, Tunnel | undefined]>([
    ['is gone', undefined],
    ['is disabled', tunnelOf({ status: 'disabled' })],
    ['has no status', tunnelOf({ status: undefined })],
    ['has no such port', tunnelOf({ ports: { ...tunnelOf().ports, socks5: undefined } })],
    ['has no host', tunnelOf({ host: '' })],
    ['has an invalid host', tunnelOf({ host: 'proxy/../etc' })],
    ['has a host with a port in it', tunnelOf({ host: 'proxy.example.com:80' })],
    ['has a host with a login in it', tunnelOf({ host: 'user@proxy.example.com' })],
  ])('leaves out a tunnel that %s', (_, tunnel) => {
    expect(targetsOf(accountWith({ 'phone-1': tunnel }))).toEqual([]);
  });

  it('returns an empty list when no device has a tunnel', () => {
    const reply = ask(snapshotOf(accountWith({})));
    expect([reply.status, bodyOf(reply)]).toEqual([200, '[]']);
  });
});

describe('a list of tunnels', () => {
  const known = accountWith({ 'phone-1': tunnelOf() });
  const { devices: threePhones } = accountWith(
    Object.fromEntries(['phone-1', 'phone-2', 'phone-3'].map((id) => [id, undefined])),
  );

  it('has those that are known while others never got a response', () => {
    expect(targetsOf({ ...known, devices: threePhones })).toEqual(['proxy.example.com:10000']);
  });

  it.each<[string, AccountSnapshot]>([
    ['nothing was polled yet', accountOf()],
    ['no tunnels were polled yet', { ...known, tunnels: UNREAD }],
    ['none of three tunnels ever got a response', { ...accountWith({}), devices: threePhones }],
    ['the tunnels are too old', { ...known, tunnels: { ...known.tunnels, state: 'expired' } }],
    ['the phones are too old', { ...known, devices: { ...known.devices, state: 'expired' } }],
  ])('is 503 and never empty while no tunnel is known: %s', (_, account) => {
    const reply = ask(snapshotOf(account));
    expect([reply.status, bodyOf(reply)]).toEqual([503, 'tunnels not polled yet, or expired: main\n']);
  });

  it('has held tunnels while polls fail', () => {
    const tunnels = { ...known.tunnels, state: 'stale', failure: 'timeout' } as const;
    expect(targetsOf({ ...known, tunnels })).toEqual(['proxy.example.com:10000']);
  });

  it('has the tunnels of one account while those of another are unknown', () => {
    const accounts = [known, accountOf({ name: 'other' })];
    expect(ask(snapshotOf(...accounts)).status).toBe(503);
    expect(ask(snapshotOf(...accounts), 'account=other').status).toBe(503);
    expect(ask(snapshotOf(...accounts), 'account=main').status).toBe(200);
  });
});

describe('an invalid query for tunnels', () => {
  const PORTS = 'expected port=socks5, port=https, port=transparent, as in /sd/tunnels?port=https\n';

  it.each([
    ['port=http', PORTS],
    ['port=constructor', PORTS],
    ['port=', PORTS],
    ['account=nobody', 'expected account=NAME with the name of a configured account\n'],
  ])('refuses the query ?%s and says what is valid', (query, words) => {
    const reply = ask(snapshotOf(accountWith({})), query);
    expect([reply.status, bodyOf(reply)]).toEqual([400, words]);
  });

  it('says how to switch discovery on when it is off', () => {
    const reply = ask(undefined);
    const words =
      'Tunnel discovery is disabled: turn it on with features.tunnel_discovery (--features.tunnel-discovery)\n';
    expect([reply.status, bodyOf(reply)]).toEqual([404, words]);
  });
});
