const NOTHING_FIRES = 'no alert has lasted as long as it has to';
const OFF_BY_DEFAULT = 'a feature that is off by default';
const NO_RULES = 'there are no rules';
const NO_WHOLE_DAY = 'no day is over yet';
const GOOD_ANSWERS = 'the simulated API sends nothing but what is documented';

/** Panels that are empty in the demo now and in its history. */
const AT_ANY_TIME: readonly (readonly [place: string, reason: string])[] = [
  ['device.json: Where the tunnel can be reached A', OFF_BY_DEFAULT],
  ['device.json: Self-rent rental A', OFF_BY_DEFAULT],
  ['device.json: Online, 30 d A', 'less than a tenth of the days is known'],
  ['device.json: States F', 'there is data'],
  ['fleet.json: Rental of the phones that changed last B', 'there is data'],
  ['tunnels.json: The worst tunnels over time B', 'there is data'],
  ['exporter.json: Skipped per minute A', 'every poll ends before the next one is due'],
  ['exporter.json: Pause that the API asked for A', 'the simulated API never asks for a pause'],
  ['fleet.json: Common causes A', 'no phones became silent together'],
  ['fleet.json: Common causes B', 'no phones became silent together'],
];

/** Alerts on what does not befall the demo. */
const UNTROUBLED = {
  'the exporter is there, whole and in order': [
    'HosterExporterDown',
    'HosterAccountUnwatched',
    'HosterThresholdsMissing',
    'HosterExporterRestarting',
    'HosterFileUnusable',
    'HosterAccountAmbiguous',
  ],
  'the API answers as it should': [
    'HosterApiUnavailable (critical)',
    'HosterApiUnavailable (warning)',
    'HosterDataStale',
    'HosterApiKeyRejected',
    'HosterApiErrorsHigh',
    'HosterApiFieldUnreadable',
    'HosterDevicesUnreadable',
  ],
  'most phones report, are rented, and stay as they are': [
    'HosterFleetOffline',
    'HosterGroupOffline',
    'HosterCommonCause',
    'HosterDeviceLeft',
    'HosterManyDevicesOffline',
    'HosterFleetShrunk',
    'HosterDeviceFlapping',
    'HosterDeviceRotationStopped',
    'HosterTunnelsDown',
    'HosterTunnelCredentialChanged',
  ],
  'there is money, and it comes in': ['HosterBalanceLow', 'HosterBalanceRunsOut', 'HosterEarningsStalled'],
} as const;

/**
 * Expressions that have nothing to say while the phones of the demo are as they are, and why. Whatever is not listed has
 * to bring data; whatever is listed has to be there, and to bring none.
 */
export const EMPTY: ReadonlyMap<string, string> = new Map([
  ['device.json: Firing alerts A', NOTHING_FIRES],
  ['device.json: Firing alerts B', NOTHING_FIRES],
  ['fleet.json: Firing alerts A', NOTHING_FIRES],
  ['fleet.json: Firing alerts B', NOTHING_FIRES],
  ['tunnels.json: Firing alerts on tunnels A', NOTHING_FIRES],
  ['tunnels.json: Firing alerts on tunnels B', NOTHING_FIRES],
  ['money.json: Movements per day A', NO_WHOLE_DAY],
  ['money.json: Movements per day B', NO_WHOLE_DAY],
  ['money.json: Hours by day A', NO_WHOLE_DAY],
  ['money.json: A sold hour by day A', NO_WHOLE_DAY],
  ['device.json: annotation', NOTHING_FIRES],
  ['exporter.json: annotation', NOTHING_FIRES],
  ['fleet.json: annotation', NOTHING_FIRES],
  ['money.json: annotation', NOTHING_FIRES],
  ['tunnels.json: annotation', NOTHING_FIRES],
  ['hoster:alert_held:nan', NOTHING_FIRES],
  ...AT_ANY_TIME,
  ['hoster:account_unwatched:bool', 'the only exporter answers'],
  ['hoster:device_heartbeat_unreadable:info', GOOD_ANSWERS],
  ['hoster:device_rotation_stopped:info', 'rotation has not been on for as long as it has to be'],
  ['hoster:device_common_cause:info', 'no phones became silent together'],
  ['hoster:alert_left:told', 'no phone leaves'],
  ...Object.entries(UNTROUBLED).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
]);

/** Expressions that return series at some hours only, their condition, and one that holds at any hour. */
export const BY_CHANCE: ReadonlyMap<string, readonly [condition: string, always: string]> = new Map([
  // One of twenty self-rented phones is silent now and then.
  ['HosterRentedDeviceOffline (warning)', ['> scalar(hoster:threshold_rented_silent:seconds)', '>= 0']],
  // The history may end with such a status, which Prometheus shows for five minutes.
  ['HosterSelfRentExpiring', ['status=~"expir.*"', 'status=~".+"']],
]);

const NO_STATE = 'the demo keeps no state';
const NO_PROCESS = 'there was no process whose processor and memory could be told';

/** The same for the history, which has no rules. */
export const EMPTY_IN_THE_PAST: ReadonlyMap<string, string> = new Map([
  ['device.json: Firing alerts A', NO_RULES],
  ['device.json: Firing alerts B', NO_RULES],
  ['fleet.json: Firing alerts A', NO_RULES],
  ['fleet.json: Firing alerts B', NO_RULES],
  ['tunnels.json: Firing alerts on tunnels A', NO_RULES],
  ['tunnels.json: Firing alerts on tunnels B', NO_RULES],
  ['fleet.json: Sold, silent A', NO_RULES],
  ['fleet.json: variable problem', NO_RULES],
  ['money.json: variable sold_silent', NO_RULES],
  ['fleet.json: Phones with a problem B', NO_RULES],
  ['fleet.json: Phones with a problem C', NO_RULES],
  ['fleet.json: Problems by kind A', NO_RULES],
  ['fleet.json: Silent phones by account A', NO_RULES],
  ['tunnels.json: Tunnels by state A', NO_RULES],
  ['tunnels.json: Tunnels by state B', NO_RULES],
  ['tunnels.json: Tunnels by state C', NO_RULES],
  ['tunnels.json: Share of tunnels up, by account A', NO_RULES],
  ['tunnels.json: Logins by status A', NO_RULES],
  ['fleet.json: Longest gap of healthy phones, by model A', NO_RULES],
  ['fleet.json: Longest gap of healthy phones, by model B', NO_RULES],
  ['fleet.json: Longest gap of healthy phones, by model C', NO_RULES],
  ...AT_ANY_TIME,
  ['exporter.json: Requests to the exporter A', 'nobody scraped'],
  ['exporter.json: Not saved A', NO_STATE],
  ['exporter.json: Not loaded A', NO_STATE],
  ['exporter.json: Exporters B', NO_PROCESS],
  ['exporter.json: Exporters C', NO_PROCESS],
  ['exporter.json: Processor A', NO_PROCESS],
  ['exporter.json: Memory A', NO_PROCESS],
  ['exporter.json: Memory B', NO_PROCESS],
  ['exporter.json: Event loop delay (99 %) A', NO_PROCESS],
]);
