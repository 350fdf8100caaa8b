import { createTimeZone } from '../base/time-zone.ts';
import { say } from '../text/say.ts';
import type { FleetDocument } from './document.ts';
import {
  accountNotices,
  durationText,
  failureText,
  isLate,
  learnedAtOf,
  type TimeText,
  timeTextAt,
  withoutSeconds,
} from './freshness.ts';

/* The fleet at an instant, and the age of its data. */

/** The fleet in the last response, with its owner's time and time zone. */
export type FleetView = {
  readonly fleet: FleetDocument;
  /** By the exporter's clock, in milliseconds since 1970. */
  readonly now: number;
  /** Writes an instant in the owner's zone: `04:12` today, else `20 Nov 04:12`. */
  readonly time: TimeText;
};

export function timeIn(timeZone: string, now: number): TimeText {
  const time = timeTextAt(now, createTimeZone(timeZone));
  return (instant) => withoutSeconds(time(instant));
}

/** The age of the data. Stale data was true at the time in `asOf`; expired data is not shown. */
export type Trust = {
  readonly state: 'fresh' | 'stale' | 'expired';
  /** The age, and why the data is not fresh. */
  readonly text: string;
  readonly asOf: string;
  /** Says why nothing is known. */
  readonly unknown: string;
};

/**
 * Returns the age of a view's data: that of its oldest account.
 *
 * @param names the accounts of an answer, by default all
 */
export function trustOf(
  { fleet: { accounts: all, exporter }, now, time }: FleetView,
  names: readonly string[] = all.map(({ name }) => name),
): Trust {
  const accounts = all.filter(({ name }) => names.includes(name));
  const learnedAt = learnedAtOf(accounts);
  const notices = accountNotices({ accounts, exporter }, now, time);
  const devices = accounts.map(({ readings }) => readings.devices);
  const age = learnedAt === undefined ? Number.POSITIVE_INFINITY : (now - learnedAt) / 1000;
  const isExpired = learnedAt === undefined || devices.some(({ state }) => state === 'expired');
  // Problems of phones do not depend on the balance.
  const isTrusted = notices.every(({ about }) => about === 'balance');
  const isFresh =
    devices.every(({ state }) => state === 'fresh') &&
    isTrusted &&
    !isLate(learnedAt, exporter.pollSeconds.devices, now);
  const failures = devices.flatMap((reading) => failureText(reading)?.replace(/\.$/, '') ?? []);
  const why = [...new Set([...notices.map(({ title }) => title), ...failures])];
  const old = learnedAt === undefined ? say('data-age-none') : say('data-age', { age: durationText(age) });
  return {
    state: isExpired ? 'expired' : isFresh ? 'fresh' : 'stale',
    text: [old, ...why].join('. '),
    asOf: isFresh ? '' : `${say('as-of', { time: time(learnedAt) })} `,
    unknown: unknownText(learnedAt !== undefined),
  };
}

/** Says why something is not known. */
export function unknownText(wasKnown: boolean): string {
  return wasKnown ? say('unknown-too-old') : say('unknown-no-data');
}
