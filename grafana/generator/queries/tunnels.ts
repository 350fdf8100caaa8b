import { ENABLED } from '../palette.ts';
import { coded, countOfRead, ofAccount, onlyRead, perPhone, whileRead } from '../promql.ts';
import { rentalIs } from './phones.ts';

/** Questions about the tunnels of self-rented phones. */

/** 1 if the API has a tunnel for the phone, else 0. */
export function hasTunnel(...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_tunnel_live', ...matchers));
}

export function isUp(...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_tunnel_up', ...matchers));
}

/** For each phone that should have a tunnel: 1 if it has one that is up, otherwise 0. */
export function works(...matchers: readonly string[]): string {
  return `(${isUp(...matchers)} or ${hasTunnel(...matchers)})`;
}

/** Number of phones that should have a tunnel that is up, and have none. */
export function notWorking(): string {
  return countOfRead(`${works()} == 0`, 'tunnels');
}

/** Self-rented phones of whose tunnel nothing is known yet, 0 or 1. */
export function unread(): string {
  return `${rentalIs('self_rented')} unless on (account, device_id) ${hasTunnel()}`;
}

export function enabledState(...matchers: readonly string[]): string {
  return whileRead(
    coded([
      [perPhone(ofAccount('hoster_tunnel_status', 'status="enabled"', ...matchers)), ENABLED.yes],
      [perPhone(ofAccount('hoster_tunnel_status', ...matchers)), ENABLED.no],
    ]),
    'tunnels',
  );
}

/**
 * The share of the time range for which the tunnel of a phone was up, 0 to 1, as far as it is known; while it was
 * missing it was not up.
 */
export function uptime(...matchers: readonly string[]): string {
  return perPhone(`avg_over_time(${works(...matchers)}[$__range:$__interval])`);
}

/**
 * The tunnels that do not work now first, then the worst of the time range, also while nothing is known of them now.
 * Grafana knows no fitting step where it asks for variables. Steps stand at full hours, which a new tunnel has not seen.
 */
export function byOutage(): string {
  const downtime = `1 - ${perPhone(`avg_over_time(${works()}[$__range:1h])`)}`;
  const isOut = `(${works()} == bool 0)`;
  return `(${downtime} + on (account, device_id) ${isOut} or ${downtime} or ${isOut})`;
}

/** Number of tunnels in a state; 0 where there are others. */
export function tunnelsIn(state: string, by: string): string {
  const some = {
    up: `${isUp()} == 1`,
    down: `${isUp()} == 0`,
    missing: `${hasTunnel()} == 0`,
  }[state];
  return `(count by (${by}) (${onlyRead(some ?? '', 'tunnels')}) or 0 * ${tunnelsOf(by)})`;
}

/** Number of phones that should have a tunnel. */
export function tunnelsOf(by: string): string {
  return `count by (${by}) (${onlyRead(works(), 'tunnels')})`;
}

export function logins(...matchers: readonly string[]): string {
  return `max by (account, device_id, status) (${ofAccount('hoster_tunnel_credentials', ...matchers)})`;
}

export function secondsSince(name: string, ...matchers: readonly string[]): string {
  return `time() - ${perPhone(ofAccount(name, ...matchers))}`;
}
