import { expect } from 'vitest';
import {
  COLLECTORS,
  type Collector,
  ENDPOINTS,
  type Endpoint,
  FAILURE_REASONS,
  type FailureReason,
} from '../../src/model/enums.ts';
import { CANARY } from '../canary.ts';
import { ACCOUNT, type Harness, INTERVAL, type LogLine, type Scraped, STALE_AFTER } from './harness.ts';
import { type Page, readPage } from './page.ts';

/** The page and the counts of requests and log lines at one time. */
export type Observation = {
  readonly at: number;
  readonly page: Page;
  /** Requests that the marketplace got so far. */
  readonly requests: Readonly<Record<Endpoint, number>>;
  /** Lines of the log so far. */
  readonly lines: number;
};

/** Maximum delay of the expiry of a reading, whose age is updated every second. */
const EXPIRY_LAG = 5_000;

/** Age limit of data whose last poll did not fail: three intervals, so that rare polls can be configured. */
const UNFAILED_LIMIT = 3 * INTERVAL;

const CANARIES = new RegExp(Object.values(CANARY).join('|'));

/** The series of each collector that say something of the marketplace. */
const DOMAIN: Readonly<Record<Collector, string>> = {
  devices: 'hoster_device',
  tunnels: 'hoster_tunnel_',
  balance: 'hoster_balance_',
};

/** The judgement, which stays while data is stale or expired. */
const STANDING: ReadonlySet<string> = new Set([
  'hoster_devices_with_problem',
  'hoster_devices_in_maintenance',
  'hoster_maintenance_end_timestamp_seconds',
  'hoster_maintenance_info',
  'hoster_device_problem_since_timestamp_seconds',
  'hoster_device_common_cause',
  'hoster_device_time_seconds',
  'hoster_device_interruptions',
  'hoster_device_first_listed_timestamp_seconds',
  'hoster_device_left_timestamp_seconds',
]);

export const series = (family: string, labels: Readonly<Record<string, string>> = {}): string => {
  const pairs = Object.entries({ account: ACCOUNT, ...labels }).map(([name, value]) => `${name}="${value}"`);
  return `${family}{${pairs.join(',')}}`;
};

const own = (name: string, collector: Collector, rest: Readonly<Record<string, string>> = {}) =>
  series(`hoster_exporter_${name}`, { collector, ...rest });

export async function observe(harness: Harness, encoding?: 'gzip' | 'identity'): Promise<Observation> {
  const page = readPage(textOf(await harness.scrape(encoding)));
  const { devices, tunnel, balance } = harness.simulator.counts();
  return {
    at: harness.clock.now(),
    page,
    requests: { devices, tunnel, balance },
    lines: harness.lines.length,
  };
}

/** A scrape is answered 200, whole, in the right type, and holds no secret. */
export function textOf({ status, type, announced, received, text }: Scraped): string {
  expect({ status, type, length: received }).toEqual({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
    length: announced,
  });
  if (CANARIES.test(text)) throw new Error('a secret is on the page');
  return text;
}

/** By how much a counter moved. */
const moved = (before: Observation, after: Observation, read: (page: Page) => number): number =>
  read(after.page) - read(before.page);

/** Reasons why requests to an endpoint failed between two observations, and how often. */
export function failuresBetween(
  before: Observation,
  after: Observation,
  endpoint: Endpoint,
): ReadonlyMap<FailureReason, number> {
  const counts = FAILURE_REASONS.map((reason) => {
    const name = series('hoster_exporter_api_request_failures_total', { api: endpoint, reason });
    return [reason, moved(before, after, (page) => page.count(name))] as const;
  });
  return new Map(counts.filter(([, count]) => count !== 0));
}

export const isUp = ({ page }: Observation): boolean => page.count(series('hoster_up')) === 1;

/** Number of polls of a collector that failed between two observations. */
export function pollsFailed(before: Observation, after: Observation, collector: Collector): number {
  return moved(before, after, (page) => page.count(own('poll_failures_total', collector)));
}

/**
 * Checks the invariants of each round of polls. A round has at most `budget` requests.
 */
export function expectInvariants(before: Observation, after: Observation, budget: number): void {
  for (const collector of COLLECTORS) {
    expectHonestSuccess(before, after, collector);
    expectNothingStale(after, collector);
  }
  for (const endpoint of ENDPOINTS) expectCountersToGrow(before, after, endpoint);
  const sent = ENDPOINTS.map((endpoint) => after.requests[endpoint] - before.requests[endpoint]);
  expect(sent.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(budget);
}

/** A poll that fails counts once; the time of the last success moves with a success alone. */
function expectHonestSuccess(before: Observation, after: Observation, collector: Collector): void {
  const polls = moved(before, after, (page) => page.count(own('polls_total', collector)));
  const failures = pollsFailed(before, after, collector);
  expect(polls, `${collector}: polls in a round`).toBeLessThanOrEqual(1);
  expect(failures, `${collector}: failures in a round`).toBeLessThanOrEqual(polls);
  const lastSuccess = own('poll_last_success_timestamp_seconds', collector);
  const hasMoved = after.page.value(lastSuccess) !== before.page.value(lastSuccess);
  expect(hasMoved, `${collector}: time of the last success moves`).toBe(polls === 1 && failures === 0);
  const success = after.page.count(own('poll_success', collector));
  if (polls === 1) expect(success, `${collector}: poll_success`).toBe(failures === 0 ? 1 : 0);
}

/** Checks that data above the age limit, or never fetched, is not on the page, and that the state is right. */
function expectNothingStale({ at, page }: Observation, collector: Collector): void {
  const state = (name: string) => page.count(own('data_state', collector, { state: name }));
  const states = ['fresh', 'stale', 'expired'].map(state);
  expect(states.toSorted(), `${collector}: exactly one state`).toEqual([0, 0, 1]);
  const lastSuccess = page.value(own('poll_last_success_timestamp_seconds', collector));
  const age = lastSuccess === undefined ? Number.POSITIVE_INFINITY : at - lastSuccess * 1000;
  const isExpired = state('expired') === 1;
  // Polls that are left out, as with a refused key, do not fail.
  const limit = page.count(own('poll_success', collector)) === 1 ? UNFAILED_LIMIT : STALE_AFTER;
  if (age <= limit) expect(isExpired, `${collector}: expired too early`).toBe(false);
  if (age > limit + EXPIRY_LAG) expect(isExpired, `${collector}: expired in time`).toBe(true);
  if (!isExpired) return;
  const beginning = DOMAIN[collector];
  const shown = [...page.families].filter(
    ([name, { size }]) => name.startsWith(beginning) && size > 0 && !STANDING.has(name),
  );
  expect(
    shown.map(([name]) => name),
    `${collector}: families of what is too old`,
  ).toEqual([]);
}

/** No counter of failures goes back. */
function expectCountersToGrow(before: Observation, after: Observation, endpoint: Endpoint): void {
  for (const [reason, count] of failuresBetween(before, after, endpoint)) {
    expect(count, `${endpoint} ${reason}`).toBeGreaterThan(0);
  }
}

/** The identifiers of the phones on the page. */
export function phonesOn({ page }: Observation): readonly string[] {
  const ids: string[] = [];
  for (const name of page.families.get('hoster_device_offline_after_seconds')?.keys() ?? []) {
    const id = /device_id="([^"]*)"/.exec(name)?.[1];
    if (id !== undefined) ids.push(id);
  }
  return ids.toSorted();
}

/**
 * No line of the log, however detailed, holds a secret, and nothing fills it. Events of the fleet have a limit
 * of their own, and the end of one minute may be in the same minute as the beginning of the next one.
 */
export function expectQuietLog(harness: Harness): void {
  expect(harness.lines.filter(({ text }) => CANARIES.test(text))).toEqual([]);
  const counted = harness.lines.filter(({ level }) => level !== 'trace' && level !== 'debug');
  const isEvent = ({ text }: LogLine): boolean => text.includes('"logger":"events"');
  const others = counted.filter((line) => !isEvent(line));
  expect(mostInMinute(others), 'lines within a minute').toBeLessThanOrEqual(LINES_PER_MINUTE);
  expect(mostInMinute(counted.filter(isEvent)), 'events within a minute').toBeLessThanOrEqual(
    2 * EVENTS_PER_MINUTE,
  );
}

const LINES_PER_MINUTE = 10;

/** Sixty events, and a line that counts those beyond them. */
const EVENTS_PER_MINUTE = 61;

function mostInMinute(lines: readonly LogLine[]): number {
  return lines.reduce((most, { at }) => {
    const count = lines.filter((line) => line.at >= at && line.at < at + 60_000).length;
    return Math.max(most, count);
  }, 0);
}
