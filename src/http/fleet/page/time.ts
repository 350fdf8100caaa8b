import type { DataState } from '../../../model/reading.ts';
import type { FleetReading } from '../document.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds as a person says them, with at most two units: `25 s`, `3 min`, `2 h 10 min`, `3 d 4 h`. Never below 0 s. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) return twoUnits(whole, HOUR, 'h', MINUTE, 'min');
  return twoUnits(whole, DAY, 'd', HOUR, 'h');
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string) {
  const rest = Math.floor((seconds % large) / small);
  const first = `${Math.floor(seconds / large)} ${largeName}`;
  return rest === 0 ? first : `${first} ${rest} ${smallName}`;
}

/** How instants are written, in one time zone. Instants are milliseconds since 1970. */
export type Calendar = {
  /** `10:04:30` on the day of `now`, `20 Nov 10:04` in the same year, `20 Nov 2025` before. */
  readonly brief: (instant: number, now: number) => string;
  /** `2026-11-21 10:04:30 GMT+1` */
  readonly full: (instant: number) => string;
};

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

/** @param timeZone undefined for that of the person who looks */
export function createCalendar(timeZone: string | undefined): Calendar {
  const zone = timeZone === undefined ? {} : { timeZone };
  const format = new Intl.DateTimeFormat('en-GB', {
    ...zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const zoneName = new Intl.DateTimeFormat('en-GB', { ...zone, timeZoneName: 'short' });
  const numeric = new Intl.DateTimeFormat('en-GB', { ...zone, month: '2-digit', day: '2-digit' });
  const partsOf = (one: Intl.DateTimeFormat, instant: number): Parts =>
    Object.fromEntries(one.formatToParts(instant).map(({ type, value }) => [type, value]));
  return {
    brief: (instant, now) => {
      const at = partsOf(format, instant);
      const today = partsOf(format, now);
      if (at.year !== today.year) return `${at.day} ${at.month} ${at.year}`;
      if (at.month !== today.month || at.day !== today.day)
        return `${at.day} ${at.month} ${at.hour}:${at.minute}`;
      return `${at.hour}:${at.minute}:${at.second}`;
    },
    full: (instant) => {
      const at = partsOf(format, instant);
      const { month, day } = partsOf(numeric, instant);
      const name = partsOf(zoneName, instant).timeZoneName;
      return `${at.year}-${month}-${day} ${at.hour}:${at.minute}:${at.second} ${name}`;
    },
  };
}

/** What can be said of ages: they grow while data is fresh, and stand still at the moment of the last sight of it. */
export type Sight = {
  readonly state: DataState;
  /** When the data was learned; undefined where it never was. */
  readonly seenAt: number | undefined;
  /** The moment for which ages are told: now, or that of the last sight. */
  readonly asOf: number;
};

/**
 * @param now by the clock of the exporter
 * @param lostAt when the exporter was last heard of, where it can't be reached now: nothing is fresh any more then
 */
export function sightOf(reading: FleetReading, now: number, lostAt: number | undefined): Sight {
  const seenAt = parseInstant(reading.lastSuccessAt);
  const fresh = reading.state === 'fresh' && lostAt === undefined;
  if (fresh || seenAt === undefined) return { state: reading.state, seenAt, asOf: now };
  return { state: reading.state === 'fresh' ? 'held' : reading.state, seenAt, asOf: seenAt };
}

/** The age of a heartbeat for the moment of a sight: what was measured at the poll, and the time since. */
export function heartbeatAge(ageAtPoll: number, { seenAt, asOf }: Sight): number {
  return ageAtPoll + Math.max(0, (asOf - (seenAt ?? asOf)) / 1000);
}

export function parseInstant(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
