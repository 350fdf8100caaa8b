import { HEARTBEAT, MARKETPLACE, PROBLEM, RENTAL, ROTATION, SETUP, type State, TUNNEL } from '../palette.ts';
import {
  coded,
  description,
  ofAccount,
  onlyRead,
  perAccount,
  perPhone,
  stateOfPhone,
  whileRead,
} from '../promql.ts';

/** Questions about phones. `matchers` narrow them further, to the phone of the device dashboard for example. */

export const IN_USE = 'rental_status=~"sold|self_rented"';

export function heartbeatAge(...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_device_heartbeat_age_seconds', ...matchers));
}

export function rentalIs(status: string, ...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_device_rental_status', `status="${status}"`, ...matchers));
}

/** Phones by rental and marketplace status: a few series per account, so that years of it stay cheap. */
export function phones(...matchers: readonly string[]): string {
  return perAccount(ofAccount('hoster_devices', ...matchers), 'rental_status', 'marketplace_status');
}

/** The share of phones that is rented, 0 to 1, by the given labels; nothing while there are no phones. */
export function occupancy(by: string): string {
  return `sum by (${by}) (${onlyRead(phones(IN_USE))}) / (sum by (${by}) (${onlyRead(phones())}) > 0)`;
}

/** Problems of a phone that does not report. */
const SILENT = 'problem=~".*silent"';
const SILENT_OR_GIVEN_UP = 'problem=~".*silent|given_up"';

/** Phones with a problem, as the exporter judges it, by since when. */
export function withProblem(problem: string, ...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_device_problem_since_timestamp_seconds', problem, ...matchers));
}

/** The phones that are silent and not given up, by since when. */
export function silent(...matchers: readonly string[]): string {
  return withProblem(SILENT, ...matchers);
}

/** Number of silent phones of each account, as the exporter counts them. */
export function silentPhones(): string {
  return `sum by (account) (${perAccount(ofAccount('hoster_devices_with_problem', SILENT), 'problem')})`;
}

/** Number of phones of each account that report. */
export function onlinePhones(): string {
  return perAccount(ofAccount('hoster_devices_online'));
}

/** Number of phones of each account with a problem. */
export function phonesWith(problem: string): string {
  return perAccount(ofAccount('hoster_devices_with_problem', `problem="${problem}"`));
}

/** Seconds for which sold phones have been silent. */
export function soldAndSilent(...matchers: readonly string[]): string {
  return `time() - ${withProblem('problem="sold_silent"', ...matchers)}`;
}

export function heartbeatState(...matchers: readonly string[]): string {
  return whileRead(
    coded([
      [withProblem(SILENT_OR_GIVEN_UP, ...matchers), HEARTBEAT.silent],
      [heartbeatAge(...matchers), HEARTBEAT.online],
      [perPhone(ofAccount('hoster_device_info', ...matchers)), HEARTBEAT.unheard],
    ]),
  );
}

export function rentalState(...matchers: readonly string[]): string {
  return whileRead(stateOfPhone('hoster_device_rental_status', RENTAL, matchers));
}

export function marketplaceState(...matchers: readonly string[]): string {
  return whileRead(stateOfPhone('hoster_device_marketplace_status', MARKETPLACE, matchers));
}

export function setupState(...matchers: readonly string[]): string {
  return whileRead(stateOfPhone('hoster_device_setup_status', SETUP, matchers));
}

export function rotationState(...matchers: readonly string[]): string {
  return whileRead(
    coded([
      [perPhone(ofAccount('hoster_device_rotation_status', 'status="active"', ...matchers)), ROTATION.active],
      [perPhone(ofAccount('hoster_device_rotation_status', ...matchers)), ROTATION.stopped],
    ]),
  );
}

export function tunnelState(...matchers: readonly string[]): string {
  const up = perPhone(ofAccount('hoster_tunnel_up', ...matchers));
  return whileRead(
    coded([
      [`${up} == 1`, TUNNEL.up],
      [`${up} == 0`, TUNNEL.down],
      [`${perPhone(ofAccount('hoster_tunnel_live', ...matchers))} == 0`, TUNNEL.missing],
    ]),
    'tunnels',
  );
}

/** A state, or another one for a phone that is in the list and has none. */
export function orElse(states: string, none: State, ...matchers: readonly string[]): string {
  return `${states}\nor ${whileRead(coded([[perPhone(ofAccount('hoster_device_info', ...matchers)), none]]))}`;
}

/** Seconds for which a phone has been in its rental status, as far as this exporter saw; nothing of what is not read. */
export function rentalStatusFor(...matchers: readonly string[]): string {
  const since = ofAccount('hoster_device_rental_status_since_timestamp_seconds', ...matchers);
  return onlyRead(`time() - ${perPhone(since)}`);
}

/** The problem of each phone that has one, by its code. */
export function problems(...matchers: readonly string[]): string {
  return coded(
    Object.values(PROBLEM).map((state) => [withProblem(`problem="${state.value}"`, ...matchers), state]),
  );
}

/** The costliest problem first, then the one that has lasted longest. */
export function byCost(): string {
  const since = withProblem('problem!=""');
  return `(-1e9 * (${problems()}) + on (account, device_id) (time() - ${since}))`;
}

/** The longest silent first; phones without any heartbeat come before all. */
export function bySilence(): string {
  return `(${withProblem('problem="heartbeat_unreadable"')} + Inf or ${heartbeatAge()})`;
}

/** For how long each idle phone has been idle at least, in seconds; nothing of accounts that are not read. */
export function idleFor(...matchers: readonly string[]): string {
  return `(${rentalStatusFor(...matchers)} and on (account, device_id) ${rentalIs('idle', ...matchers)})`;
}

/** What is there now, or was within two hours before the end of the time range. */
export function remembered(vector: string): string {
  return `last_over_time(${vector}[2h] @ end())`;
}

/** Those whose rental changed last first, also while nothing is shown of them now. */
export function byRentalChange(): string {
  const since = ofAccount('hoster_device_rental_status_since_timestamp_seconds');
  return perPhone(remembered(since));
}

/** The labels that describe a phone, without those of the process that exported them. */
export function descriptionColumns(...matchers: readonly string[]): string {
  return `max by (account, device_id, label, brand, model, app_version) (${description(...matchers)})`;
}

/** Number of phones by descriptive labels, of accounts that are read. */
export function phonesBy(labels: string): string {
  return `count by (${labels}) (${described(labels)})`;
}

/** Number of them among the phones of a vector. */
export function phonesAmong(vector: string, labels: string): string {
  const among = `count by (${labels}) (${described(labels)} and on (account, device_id) (${vector}))`;
  return `(${among} or 0 * ${phonesBy(labels)})`;
}

/** The average of something known of each phone, by descriptive labels. */
export function averageBy(vector: string, labels: string): string {
  return `avg by (${labels}) (${vector} * on (account, device_id) group_left (${labels}) ${description()})`;
}

function described(labels: string): string {
  return onlyRead(`max by (account, device_id, ${labels}) (${ofAccount('hoster_device_info')})`);
}
