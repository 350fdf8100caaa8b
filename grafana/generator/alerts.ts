import { PROBLEM } from './palette.ts';

/** What each alert means, in the words of its summary without names and figures. A test compares the names with the rules. */
export const MEANINGS: Readonly<Record<string, string>> = {
  HosterApiDegraded: 'The API shows only a part',
  HosterApiUnavailable: 'The phones cannot be seen',
  HosterBalanceLow: 'The balance is low',
  HosterCommonCause: 'Offline together',
  HosterCredentialChanged: 'A login on the tunnel changed',
  HosterExporterBlind: 'Another exporter reads more',
  HosterExporterDown: 'The exporter is down',
  HosterExporterRestarting: 'Keeps restarting',
  HosterFileUnusable: 'A file cannot be used',
  HosterKeyRefused: 'The key is refused',
  HosterManyPhonesOffline: 'Many phones are offline',
  HosterPhoneEarnsNothing: 'Earns nothing',
  HosterPhoneFlapping: 'Comes and goes',
  HosterPhoneLeft: 'Left the device list',
  HosterPhoneOffline: 'Offline',
  HosterSoldPhoneOffline: 'Sold and offline',
  HosterTunnelDown: 'The tunnel does not work',
};

/** The same, and the words of problems: alerts on one phone are called by its problem. */
export const MEANINGS_OF_ALERTS: Readonly<Record<string, string>> = {
  ...MEANINGS,
  ...Object.fromEntries(Object.values(PROBLEM).map(({ value, text }) => [value, text])),
};
