const FEW_ARE_OFFLINE = 'two phones of sixty are offline';
const OFF_BY_DEFAULT = 'a feature that is off by default';
const MAY_FIRE = 'a tunnel is told when it was down for a minute, which the demo may take to start';
const NOTHING_IN_COMMON = 'no phones became offline together';
const NO_RULES = 'there are no rules';
const TOO_YOUNG = 'less than a tenth of the days is known';
const NO_WHOLE_DAY = 'no day is over yet';

/** The state file of the exporter is new, and its history is not: as after a state file was lost. */
const SUMS_BEGAN_ANEW = 'the sums began anew';

const NOTHING_WORKED_ON = 'nothing is in maintenance';

/** Panels that are empty in the demo now and in its history. */
const AT_ANY_TIME: readonly (readonly [place: string, reason: string])[] = [
  ['device.json: Data A', 'the exporter responds'],
  ['device.json: Data B', 'the data is fresh'],
  ['device.json: Details A', 'the phone has no problem'],
  ['device.json: Details D', NOTHING_IN_COMMON],
  ['device.json: Firing alerts C', NOTHING_IN_COMMON],
  ['device.json: variable unread', 'the exporter responds'],
  ['device.json: Online E', TOO_YOUNG],
  ['device.json: Statuses F', 'the phone is not self-rented'],
  ['device.json: States F', 'there is data'],
  ['device.json: Tunnel endpoints A', OFF_BY_DEFAULT],
  ['tunnels.json: The worst tunnels over time B', 'there is data'],
  ['exporter.json: Data A', 'the exporter responds'],
  ['exporter.json: Data B', 'the data is fresh'],
  ['exporter.json: Accounts G', 'no request fails'],
  ['exporter.json: State of the data B', 'there is data'],
  ['fleet.json: Data A', 'the exporter responds'],
  ['fleet.json: Data B', 'the data is fresh'],
  ['fleet.json: Firing alerts ($alerts) C', NOTHING_IN_COMMON],
  ['fleet.json: Racks over time B', 'there is data'],
  ['fleet.json: Maintenance A', NOTHING_WORKED_ON],
  ['fleet.json: Maintenance B', NOTHING_WORKED_ON],
  ['fleet.json: Maintenance C', NOTHING_WORKED_ON],
  ['fleet.json: variable tag', 'no phone has a tag'],
  ...['A', 'B', 'C', 'D', 'E'].map(
    (refId) => [`month.json: The month before ${refId}`, 'nothing was watched a month ago'] as const,
  ),
  ['fleet.json: variable unread', 'the exporter responds'],
  ['fleet.json: Phones with a problem D', NOTHING_IN_COMMON],
  ['fleet.json: Accounts H', 'no request fails'],
  ['money.json: variable unread', 'the exporter responds'],
  ['money.json: Data A', 'the exporter responds'],
  ['money.json: Data B', 'the data is fresh'],
  ['money.json: Accounts F', 'no request fails'],
  ['tunnels.json: Data A', 'the exporter responds'],
  ['tunnels.json: Data B', 'the data is fresh'],
  ['tunnels.json: Firing alerts on tunnels C', NOTHING_IN_COMMON],
  ['tunnels.json: variable unread', 'the exporter responds'],
  ['month.json: Phones with most sold hours lost E', 'no status is unheard of'],
  ['month.json: Phones with most sold hours lost F', 'nobody works on a phone'],
  ['month.json: variable away', 'the exporter responds'],
  ['month.json: variable expired', 'the API responds'],
  ['month.json: variable twins', 'there is one exporter'],
];

/** Alerts on what does not befall the demo. */
const UNTROUBLED = {
  'the exporter is there, whole and in order': [
    'HosterExporterDown (critical)',
    'HosterExporterDown (warning)',
    'HosterExporterBlind',
    'HosterExporterStalled',
    'HosterExporterRestarting',
    'HosterFileUnusable',
  ],
  'the API answers as it should': [
    'HosterApiUnavailable (critical)',
    'HosterApiUnavailable (warning)',
    'HosterKeyRefused',
    'HosterApiDegraded',
  ],
  'most phones report and stay as they are': [
    'HosterCommonCause',
    'HosterPhoneLeft',
    'HosterPhoneFlapping',
    'HosterCredentialChanged',
  ],
  'there is money': ['HosterBalanceLow'],
  'it is off': ['HosterIncidentNotAcknowledged', 'HosterWeeklyReport'],
} as const;

/**
 * Expressions that have nothing to say while the phones of the demo are as they are, and why. Whatever is not listed has
 * to bring data; whatever is listed has to be there, and to bring none.
 */
export const EMPTY: ReadonlyMap<string, string> = new Map([
  ...['device', 'exporter', 'fleet', 'money', 'tunnels'].map(
    (board) => [`${board}.json: annotation Maintenance`, NOTHING_WORKED_ON] as const,
  ),
  ...[
    'device.json: Use of its time A',
    'fleet.json: Phones G',
    'fleet.json: Balance B',
    'money.json: In, 24 h A',
    'money.json: A sold day A',
    'month.json: A sold day A',
    'money.json: Sold share A',
    'money.json: Accounts D',
    'money.json: Accounts E',
    'money.json: Idle for longest B',
    'month.json: Balance by account C',
    'month.json: Balance by account D',
  ].map((place) => [place, SUMS_BEGAN_ANEW] as const),
  ['month.json: Hours by day A', NO_WHOLE_DAY],
  ['month.json: Hours by day B', NO_WHOLE_DAY],
  ['money.json: Movements per day A', NO_WHOLE_DAY],
  ['money.json: Movements per day B', NO_WHOLE_DAY],
  ['money.json: Hours by day A', NO_WHOLE_DAY],
  ['money.json: A sold day, day by day A', NO_WHOLE_DAY],
  ['money.json: annotation Incidents', 'there is money'],
  ...AT_ANY_TIME,
  ['HosterManyPhonesOffline', FEW_ARE_OFFLINE],
  ...Object.entries(UNTROUBLED).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
]);

const NO_PROCESS = 'there was no process whose processor and memory could be told';

/** The same for the history, which has no rules. */
export const EMPTY_IN_THE_PAST: ReadonlyMap<string, string> = new Map([
  ['month.json: Hours by day B', 'no phone was listed at both ends of a day'],
  ['device.json: Firing alerts A', NO_RULES],
  ['fleet.json: Firing alerts ($alerts) A', NO_RULES],
  ['tunnels.json: Firing alerts on tunnels A', NO_RULES],
  ...AT_ANY_TIME,
  ['exporter.json: Exporters B', NO_PROCESS],
  ['exporter.json: Exporters C', NO_PROCESS],
  ['exporter.json: Exporters D', NO_PROCESS],
]);

/** Expressions of which it is chance whether the phone that was chosen has something to show; Prometheus has to take them. */
export const BY_CHANCE: ReadonlyMap<string, string> = new Map([
  ['device.json: Logins B', 'a login of the phone may be not active'],
  ['device.json: Firing alerts A', MAY_FIRE],
  ['device.json: Firing alerts B', MAY_FIRE],
  ['device.json: Incidents of this phone A', 'the phone may have had no trouble'],
  ['device.json: Incidents of this phone B', 'the phone may have had no trouble'],
  ['tunnels.json: Firing alerts on tunnels A', MAY_FIRE],
  ['tunnels.json: Firing alerts on tunnels B', MAY_FIRE],
  ['HosterTunnelDown', MAY_FIRE],
  [
    'month.json: Phones with most sold hours lost B',
    'the offline phone may have been offline in the history, whose sums are larger',
  ],
  ['month.json: Phones with most sold hours lost H', 'a sold phone may fall offline'],
]);
