import { ENABLED } from '../palette.ts';
import { atEnd, coded, ofAccount, orAtLast, perAccount, perPhone } from '../promql.ts';

/** Queries about the tunnels of self-rented phones. */

/** Number of phones of each account that meet a condition, 0 included. */
function number(condition: string): string {
  const none = `0 * ${perAccount(ofAccount('hoster_devices_reported'))}`;
  return `(count by (account) (${condition}) or ${none})`;
}

/** Numbers of tunnels of each account by problem, including those of offline phones, like the rows of the table. */
export const TUNNELS = {
  up: number(`${perPhone(ofAccount('hoster_tunnel_up'))} == 1`),
  down: number(`${perPhone(ofAccount('hoster_tunnel_up'))} == 0`),
  missing: number(`${perPhone(ofAccount('hoster_tunnel_live'))} == 0`),
  noLogin: number(`${perPhone(ofAccount('hoster_tunnel_credentials', 'status="active"'))} == 0`),
} as const;

/** 1 for each phone with a tunnel that is up, 0 for each other phone that should have one. */
function works(...matchers: readonly string[]): string {
  const up = perPhone(ofAccount('hoster_tunnel_up', ...matchers));
  return `(${up} or ${perPhone(ofAccount('hoster_tunnel_live', ...matchers))})`;
}

export function enabledState(...matchers: readonly string[]): string {
  return coded([
    [perPhone(ofAccount('hoster_tunnel_status', 'status="enabled"', ...matchers)), ENABLED.yes],
    [perPhone(ofAccount('hoster_tunnel_status', ...matchers)), ENABLED.no],
  ]);
}

/**
 * The share of the known time range in which the tunnel of a phone was up, 0 to 1. A missing tunnel is not up.
 */
export function uptime(...matchers: readonly string[]): string {
  return perPhone(`avg_over_time(${works(...matchers)}[$__range:$__interval])`);
}

/**
 * Tunnels of self-rented phones, as last read: those that are down now first, then the worst of the last day. Grafana has no
 * suitable step for variables.
 */
export function byOutage(): string {
  const downtime = `1 - ${perPhone(`avg_over_time(${works()}[1d:10m])`)}`;
  const isOut = `(${works()} == bool 0)`;
  const ranked = `${downtime} + on (account, device_id) ${isOut} or ${downtime} or ${isOut}`;
  return `((${ranked}) and on (account, device_id) ${orAtLast(works())})`;
}

/** Ranks the tunnels of the time range by their downtime in it. */
export function byDowntime(): string {
  return `(1 - ${perPhone(`avg_over_time(${works()}[$__range:10m])`)})`;
}

/** Adds a label that sorts the series of phones: the share of the time range in which their tunnel was up. */
export function worstFirst(vector: string, ...matchers: readonly string[]): string {
  const share = atEnd(`round(${uptime(...matchers)}, 0.0001)`);
  return `(${vector})\n* on (account, device_id) group_left (_uptime) (0 * count_values by (account, device_id) ("_uptime", ${share}) + 1)`;
}

/** Number of logins on tunnels by status. */
export function logins(...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_tunnel_credentials', ...matchers), 'status');
}

export function secondsSince(name: string, ...matchers: readonly string[]): string {
  return `time() - ${perPhone(ofAccount(name, ...matchers))}`;
}
