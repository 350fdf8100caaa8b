const FEW_ARE_SILENT = 'two phones of sixty are silent';
const OFF_BY_DEFAULT = 'a feature that is off by default';
const MAY_FIRE = 'a tunnel is told when it was down for a minute, which the demo may take to start';
const NO_RULES = 'there are no rules';
const NO_ALERT_OVER = 'no alert stands on a phone that is back';
const TOO_YOUNG = 'less than a tenth of the days is known';
const NO_WHOLE_DAY = 'no day is over yet';

const NOTHING_WORKED_ON = 'nothing is in maintenance';

/** Panels that are empty in the demo now and in its history. */
const AT_ANY_TIME: readonly (readonly [place: string, reason: string])[] = [
  ['device.json: Data A', 'the exporter responds'],
  ['device.json: Data B', 'the data is fresh'],
  ['device.json: What it is A', 'the phone has no problem'],
  ['device.json: Firing alerts C', NO_ALERT_OVER],
  ['device.json: Online E', TOO_YOUNG],
  ['device.json: Statuses E', 'the phone is not self-rented'],
  ['device.json: States F', 'there is data'],
  ['device.json: Where the tunnel can be reached A', OFF_BY_DEFAULT],
  ['fleet.json: Common causes A', 'no phones became silent together'],
  ['fleet.json: Common causes B', 'no phones became silent together'],
  ['fleet.json: Rental of the phones that changed last B', 'there is data'],
  ['tunnels.json: The worst tunnels over time B', 'there is data'],
  ['exporter.json: Data A', 'the exporter responds'],
  ['exporter.json: Data B', 'the data is fresh'],
  ['exporter.json: Accounts G', 'no request fails'],
  ['exporter.json: State of the data B', 'there is data'],
  ['exporter.json: Last answer to the key B', 'there is data'],
  ['fleet.json: Data A', 'the exporter responds'],
  ['fleet.json: Data B', 'the data is fresh'],
  ['fleet.json: Firing alerts C', NO_ALERT_OVER],
  ['fleet.json: Phones with a problem D', 'no phones became silent together'],
  ['fleet.json: Accounts G', 'no request fails'],
  ['money.json: Data A', 'the exporter responds'],
  ['money.json: Data B', 'the data is fresh'],
  ['money.json: Accounts F', 'no request fails'],
  ['tunnels.json: Data A', 'the exporter responds'],
  ['tunnels.json: Data B', 'the data is fresh'],
  ['tunnels.json: Firing alerts on tunnels C', NO_ALERT_OVER],
  ['month.json: Phones, the least available first E', 'no status is unheard of'],
  ['month.json: Phones, the least available first F', 'nobody works on a phone'],
  ['month.json: Balance by account A', 'nothing was read before the demo began'],
];

/** Alerts on what does not befall the demo. */
const UNTROUBLED = {
  'the exporter is there, whole and in order': [
    'HosterExporterDown (critical)',
    'HosterExporterDown (warning)',
    'HosterExporterBlind',
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
} as const;

/**
 * Expressions that have nothing to say while the phones of the demo are as they are, and why. Whatever is not listed has
 * to bring data; whatever is listed has to be there, and to bring none.
 */
export const EMPTY: ReadonlyMap<string, string> = new Map([
  ...['device', 'exporter', 'fleet', 'money', 'tunnels'].map(
    (board) => [`${board}.json: annotation Maintenance`, NOTHING_WORKED_ON] as const,
  ),
  ['money.json: Movements per day A', NO_WHOLE_DAY],
  ['money.json: Movements per day B', NO_WHOLE_DAY],
  ['money.json: Hours by day A', NO_WHOLE_DAY],
  ['money.json: A sold hour by day A', NO_WHOLE_DAY],
  ...AT_ANY_TIME,
  ['HosterManyPhonesSilent', FEW_ARE_SILENT],
  ...Object.entries(UNTROUBLED).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
]);

const NO_PROCESS = 'there was no process whose processor and memory could be told';

/** The same for the history, which has no rules. */
export const EMPTY_IN_THE_PAST: ReadonlyMap<string, string> = new Map([
  ['device.json: Firing alerts A', NO_RULES],
  ['device.json: Firing alerts B', NO_RULES],
  ['fleet.json: Firing alerts A', NO_RULES],
  ['fleet.json: Firing alerts B', NO_RULES],
  ['tunnels.json: Firing alerts on tunnels A', NO_RULES],
  ['tunnels.json: Firing alerts on tunnels B', NO_RULES],
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
  ['tunnels.json: Firing alerts on tunnels A', MAY_FIRE],
  ['tunnels.json: Firing alerts on tunnels B', MAY_FIRE],
  ['HosterTunnelDown', MAY_FIRE],
  ['month.json: Phones, the least available first H', 'a sold phone may fall silent'],
]);
