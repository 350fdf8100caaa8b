import type { TableColumn } from '../../../fleet/phones.ts';
import { countText, numberText } from '../../../fleet/words.ts';

/*
 * The texts of the page. Problems and the age of data are in src/fleet/words.ts, sections of features in their folders.
 */

/** Titles of the states of a cell, the most costly first, and the mark beside its colour. */
export const CELLS = {
  sold_offline: { title: 'sold, offline', mark: '!' },
  rented_away: { title: 'self-rented, offline or without tunnel', mark: '×' },
  offline: { title: 'offline', mark: '?' },
  in_maintenance: { title: 'in maintenance', mark: '' },
  sold: { title: 'sold', mark: '' },
  self_rented: { title: 'self-rented', mark: '•' },
  idle: { title: 'idle', mark: '' },
  off: { title: 'not in use', mark: '–' },
} as const;

export const COLUMN_TITLES: Readonly<Record<TableColumn, string>> = {
  phone: 'Phone',
  account: 'Account',
  problem: 'Problem',
  rental: 'Rental',
  marketplace: 'Market',
  heartbeat: 'Last heartbeat',
  tunnel: 'Tunnel',
  rotation: 'Rotation',
  setup: 'Setup',
  model: 'Model',
  tags: 'Tags',
};

export const STATE_TITLES = {
  online: 'Online',
  offline: 'Offline',
  sold: 'Sold',
  self_rented: 'Self-rented',
  idle: 'Idle',
  listed: 'Listed',
  unlisted: 'Not listed',
} as const;

/** States of a phone in its last day. */
export const DAY_STATES = {
  online: 'online',
  offline: 'offline',
  maintenance: 'in maintenance',
  unknown: 'no data',
} as const;

export const EVENTS: Readonly<Record<string, string>> = {
  'rental begun': 'Rental started',
  'rental ended': 'Rental ended',
  'device joined': 'New phone',
};

export const WORDS = {
  csv: { semicolon: 'CSV with semicolons', comma: 'CSV with commas' },
  notSaved: 'Could not save:',
  balance: 'Available balance',
  board: 'Grafana dashboard',
  copied: 'Copied.',
  copyId: 'Copy ID',
  dailyPrice: 'Daily price',
  events: 'Rentals and new phones',
  failed: 'Something went wrong on this page. Reload it, or open the',
  guideTitle: 'Guide: problems, and what to do',
  guideText:
    'Each square is a phone, coloured by its most costly problem. If updates fail, you see the last data, which turns grey after a while. Press / to search; arrow keys move between the phones of a group. See docs/API.md for the data of this page, and docs/METRICS.md for all metrics.',
  isOnIt: 'I’m on it',
  left: 'Removed in the last 24 hours',
  leftNote: 'No longer in the device list: archived or lost. The marketplace does not say which.',
  licences: 'Licences of the software on this page',
  missing: 'Missing from the last list',
  needsAttention: 'Needs attention',
  anyProblem: 'Any problem',
  noData: 'no data',
  noDataYet: 'No data yet.',
  noMatch: 'No phone matches the filters.',
  noPhones: 'No phones to show.',
  noProblem: 'No problem.',
  lastKnown: 'Last known:',
  noAlerts: 'No recent alerts.',
  noProblemThen: 'Nothing needed attention then.',
  noCurrency: 'Set accounts[].currency to name the currency.',
  observed: 'Changes as observed.',
  thisMonth: 'this month',
  noProblemYet: 'No problems so far. Phones may still be offline since the outage.',
  offlineAfter: 'Offline after',
  otherPhones: 'Other phones',
  phonesAll: 'All phones',
  runbook: 'What to do',
  search: 'Search phones',
  searchHint: 'Search label, ID, model …',
  skip: 'Skip to the phones',
  table: 'All phones as a table',
  sinceBefore: 'since before ',
  cause: (offline: number, all: number, sold: number) =>
    `${numberText(offline)} of ${numberText(all)} phones offline, ${numberText(sold)} sold`,
  costs: (amount: string) => `about ${amount} an hour (estimated)`,
  empty: (accounts: string) => `No phones in ${accounts}. Is it the right API key?`,
  allOnline: (phones: number) =>
    phones === 1 ? 'The phone is online' : `All ${numberText(phones)} phones are online`,
  online: (online: number, phones: number) =>
    `${numberText(online)} of ${countText(phones, 'phone is', 'phones are')} online, nothing needs attention`,
  lastAlert: (what: string, subject: string, span: string) => `Last alert: ${what}, ${subject}, ${span}.`,
  wasOffline: (subject: string, span: string, sold: number, others: number) =>
    `${subject} offline ${span}${sold === 0 ? '' : `, ${countText(sold, 'sold phone', 'sold phones')}`}${others === 0 ? '' : `, and ${countText(others, 'other outage', 'other outages')}`}.`,
  lastDay: (parts: readonly string[]) => `Last 24 h: ${parts.join(', ') || 'online all the time'}`,
  more: (count: number, where: string) => `and ${numberText(count)} more ${where}`,
  needAttention: (count: number, all: number) => `${numberText(count)} of ${numberText(all)} need attention`,
  next: (count: number) => `Next ${numberText(count)}`,
  noProblemAt: (time: string) => `No problems at ${time}. No data since then.`,
  notFound: (key: string) => `Phone ${key} not found.`,
  ofPhones: (count: number) => `of ${countText(count, 'phone', 'phones')}`,
  ok: (count: number) => `${numberText(count)} OK`,
  asOf: (time: string) => `At ${time}.`,
  out: (amount: string) => `${amount} out today`,
  pending: (amount: string) => `${amount} pending`,
  sinceDay: (day: string) => `since ${day}`,
  today: (amount: string) => `${amount} today`,
  partOf: 'Part of the outage in',
  previous: (count: number) => `Previous ${numberText(count)}`,
  range: (from: number, to: number, all: number) =>
    `${numberText(from)}–${numberText(to)} of ${numberText(all)}`,
  was: (isOffline: boolean) => (isOffline ? 'was offline' : 'was online'),
};
