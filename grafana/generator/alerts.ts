import { PROBLEM } from './palette.ts';

/** Meanings of alerts: their summaries without names and figures. A test compares the names with the rules. */
export const MEANINGS: Readonly<Record<string, string>> = {
  HosterApiDegraded: 'Marketplace data incomplete',
  HosterApiUnavailable: 'Marketplace API unavailable',
  HosterBalanceLow: 'Balance low',
  HosterCommonCause: 'Outage',
  HosterCredentialChanged: 'Tunnel login changed',
  HosterExporterBlind: 'No data, unlike another exporter',
  HosterExporterDown: 'Exporter down',
  HosterExporterStalled: 'Exporter does not poll',
  HosterExporterRestarting: 'Exporter keeps restarting',
  HosterFileUnusable: 'File cannot be used',
  HosterIncidentNotAcknowledged: 'Not acknowledged',
  HosterKeyRefused: 'API key refused',
  HosterManyPhonesOffline: 'Mass outage',
  HosterPhoneEarnsNothing: 'Earns nothing',
  HosterPhoneFlapping: 'Flapping',
  HosterPhoneLeft: 'Removed from the marketplace',
  HosterPhoneOffline: 'Offline',
  HosterSoldPhoneOffline: 'Sold, offline',
  HosterTunnelDown: 'Tunnel down',
  HosterWeeklyReport: 'Report of the week',
};

/** The same, and the words of problems: alerts about one phone are named by its problem. */
export const MEANINGS_OF_ALERTS: Readonly<Record<string, string>> = {
  ...MEANINGS,
  ...Object.fromEntries(Object.values(PROBLEM).map(({ value, text }) => [value, text])),
};
