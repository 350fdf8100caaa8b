const FEW_ARE_OFFLINE = 'two phones of sixty are offline';
const MAY_FIRE = 'a tunnel is told when it was down for a minute, which the demo may take to start';

/** Columns of a table of incidents that the demo does not fill: nobody acknowledges, and there is no address for runbooks. */
const ofIncidents = (place: string, columns: string): readonly (readonly [string, string])[] =>
  [...columns].map((column) => [`${place} ${column}`, 'nobody is on it, and it is of one phone'] as const);

/** Queries of boards that are empty in the demo now and in its history. */
const AT_ANY_TIME: readonly (readonly [place: string, reason: string])[] = [
  ['device.json: Data A', 'the data is fresh'],
  ['device.json: Data B', 'the data is fresh'],
  ['device.json: Data C', 'the data is fresh'],
  ...ofIncidents('device.json: Open incidents of this phone', 'BCDEHI'),
  ...ofIncidents('fleet.json: Firing alerts', 'BCDEHI'),
  ...ofIncidents('tunnels.json: Open incidents of tunnels', 'BCDEHI'),
  ['device.json: State G', 'the phone is there'],
  ['device.json: Incidents of this phone B', 'its incident is open'],
  ['device.json: Details D', 'the demo has none'],
  ['device.json: Details E', 'the demo has none'],
  ['device.json: Statuses F', 'a feature that is off by default, or a phone that is not self-rented'],
  ['device.json: Tunnel endpoints A', 'a feature that is off by default, or a phone that is not self-rented'],
  ['exporter.json: Data A', 'the data is fresh'],
  ['exporter.json: Data B', 'the data is fresh'],
  ['exporter.json: Data C', 'the data is fresh'],
  ['fleet.json: Balance B', 'the demo has none'],
  ['fleet.json: Data A', 'the data is fresh'],
  ['fleet.json: Data B', 'the data is fresh'],
  ['fleet.json: Data C', 'the data is fresh'],
  ['fleet.json: Maintenance A', 'nothing is in maintenance'],
  ['fleet.json: Maintenance B', 'nothing is in maintenance'],
  ['fleet.json: Maintenance C', 'nothing is in maintenance'],
  ['money.json: A sold day A', 'no day is over yet'],
  ['money.json: Accounts C', 'the demo has none'],
  ['money.json: Data A', 'the data is fresh'],
  ['money.json: Data B', 'the data is fresh'],
  ['money.json: Data C', 'the data is fresh'],
  ['money.json: Movements per day A', 'no day is over yet'],
  ['money.json: Movements per day B', 'no day is over yet'],
  ['month.json: Data A', 'the data is fresh'],
  ['month.json: Data B', 'the data is fresh'],
  ['month.json: Data C', 'the data is fresh'],
  ['tunnels.json: Data A', 'the data is fresh'],
  ['tunnels.json: Data B', 'the data is fresh'],
  ['tunnels.json: Data C', 'the data is fresh'],
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
    'HosterCommonCause (warning)',
    'HosterCommonCause (critical)',
    'HosterPhoneLeft',
    'HosterPhoneFlapping',
    'HosterCredentialChanged',
  ],
  'there is money': ['HosterBalanceLow'],
  'it is off': ['HosterIncidentNotAcknowledged'],
} as const;

/**
 * Expressions that have nothing to say while the phones of the demo are as they are, and why. Whatever is not listed has
 * to bring data; whatever is listed has to be there, and to bring none.
 */
export const EMPTY: ReadonlyMap<string, string> = new Map([
  ...AT_ANY_TIME,
  ['device.json: annotation Maintenance', 'nothing is in maintenance'],
  ['exporter.json: annotation Maintenance', 'nothing is in maintenance'],
  ['fleet.json: annotation Maintenance', 'nothing is in maintenance'],
  ['money.json: annotation Incidents', 'the demo has none'],
  ['money.json: annotation Maintenance', 'nothing is in maintenance'],
  ['tunnels.json: annotation Maintenance', 'nothing is in maintenance'],
  ['HosterManyPhonesOffline', FEW_ARE_OFFLINE],
  ...Object.entries(UNTROUBLED).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
]);

/** The same for the history, which has no rules. */
export const EMPTY_IN_THE_PAST: ReadonlyMap<string, string> = new Map([
  ...AT_ANY_TIME,
  ['exporter.json: Bad files B', 'nothing of the process was recorded, or nothing fails'],
  ['exporter.json: Bad files C', 'nothing of the process was recorded, or nothing fails'],
  ['exporter.json: Exporters C', 'nothing of the process was recorded, or nothing fails'],
  ['exporter.json: Firing alerts A', 'the history has no rules'],
  ['exporter.json: Firing alerts B', 'the history has no rules'],
]);

/** Expressions for which it is chance whether the chosen phone has anything to show. Prometheus has to accept them. */
export const BY_CHANCE: ReadonlyMap<string, string> = new Map([
  ['month.json: The month A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['month.json: The month B', 'the hour of the day decides if a day is over, and what was recorded'],
  ['month.json: Known A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['month.json: The month before A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['month.json: The month before B', 'the hour of the day decides if a day is over, and what was recorded'],
  ['month.json: Known before A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['month.json: The month: shares A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['month.json: The month: shares B', 'the hour of the day decides if a day is over, and what was recorded'],
  [
    'month.json: The month before: shares A',
    'the hour of the day decides if a day is over, and what was recorded',
  ],
  [
    'month.json: The month before: shares B',
    'the hour of the day decides if a day is over, and what was recorded',
  ],
  ['money.json: Hours by day A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['month.json: Hours by day A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['money.json: Sold share A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['exporter.json: Exporters A', 'the hour of the day decides if a day is over, and what was recorded'],
  ['exporter.json: Exporters B', 'the hour of the day decides if a day is over, and what was recorded'],
  [
    'account:hoster_sold_availability:ratio1h',
    'the hour of the day decides if a day is over, and what was recorded',
  ],
  ['device.json: Logins B', 'a login of the phone may be not active'],
  ['HosterTunnelDown', MAY_FIRE],
  ['tunnels.json: Open incidents of tunnels A', MAY_FIRE],
  ['tunnels.json: Open incidents of tunnels F', MAY_FIRE],
  ['tunnels.json: Open incidents of tunnels G', MAY_FIRE],
  ['tunnels.json: Tunnels, the worst first E', 'no phone with a tunnel may have a problem'],
  ['tunnels.json: variable open', MAY_FIRE],
  [
    'month.json: Phones with most sold hours lost B',
    'the offline phone may have been offline in the history, whose sums are larger',
  ],
  [
    'month.json: By group, the most interrupted first E',
    'no sold phone may have been offline by the first scrape',
  ],
  ['month.json: Phones with most sold hours lost C', 'the offline phone may never have been idle'],
]);
