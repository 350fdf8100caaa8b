import * as z from 'zod';
import { createTimeZone, instantOf, type TimeZone } from '../../base/time-zone.ts';
import { parseCron, ticksOf } from '../../config/cron.ts';
import { type Config, defineList } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import {
  duration,
  names,
  type ParseResult,
  parsedText,
  parseTimeZone,
  pattern,
} from '../../config/values.ts';
import { DAY, HOUR, SECOND } from '../../model/time.ts';
import type { MaintenanceWindow } from './model.ts';

/** Parses a cron expression of five fields, minutes first, and normalises its spaces. */
function parseWindowCron(text: string): ParseResult<string> {
  const result = parseCron(`0 ${text.trim()}`);
  if ('value' in result) return { value: result.value.slice(2) };
  return result.expected.startsWith('six')
    ? { expected: 'five fields (minute hour day month weekday)' }
    : result;
}

const window = z.strictObject(
  {
    name: setting(
      pattern('a name of at most 64 letters, digits, blanks, _ or -', /^[\p{L}\p{N}_ -]{1,64}$/u),
      {
        description: 'Unique name of the window, shown while it is active.',
        example: 'nightly reboot',
      },
    ),
    schedule: setting(parsedText('a cron expression such as "0 4 * * *"', parseWindowCron), {
      description:
        'Start of the window: a cron expression of five fields, without seconds, in its time zone.',
      example: '0 4 * * *',
    }),
    duration: setting(duration(60 * SECOND, 24 * HOUR), {
      description: 'Duration of the window.',
      example: '15m',
    }),
    time_zone: setting(parsedText('the name of a time zone such as Europe/Kyiv', parseTimeZone).optional(), {
      description: 'Time zone of the schedule; by default time_zone.',
      example: 'Europe/Kyiv',
    }),
    accounts: setting(names('accounts').optional(), {
      description: 'Accounts of the phones; all by default.',
    }),
    groups: setting(names('groups').optional(), {
      description: 'Groups of the phones; all phones without groups and devices.',
    }),
    devices: setting(names('phones, by id or label').optional(), {
      description: 'Phones, by ID or label; all phones without groups and devices.',
    }),
  },
  { error: 'a map with name, schedule and duration' },
);

export const WINDOWS = defineList('maintenance', window, {
  one: 'window',
  about: 'A list of windows, each with `name`, `schedule` and `duration`.',
});

/** Returns the recurring windows. A window without a time zone uses the owner's. */
export function windowsOf(config: Config): readonly MaintenanceWindow[] {
  return WINDOWS.of(config).map(({ accounts = [], groups = [], devices = [], ...window }) => ({
    name: window.name,
    scope: { accounts, groups, devices },
    durationMilliseconds: window.duration,
    lastStart: lastStartOf(window.schedule, createTimeZone(window.time_zone ?? config.time_zone)),
  }));
}

/**
 * Returns a function that finds the last start of a window in a time zone, after one instant and up to another, by the rule
 * of {@link instantOf}.
 *
 * @param expression one that {@link parseWindowCron} accepts
 */
export function lastStartOf(
  expression: string,
  timeZone: Pick<TimeZone, 'offsetAt'>,
): (upTo: number, laterThan: number) => number | undefined {
  const { offsetAt } = timeZone;
  const ticks = ticksOf(`0 ${expression}`);
  return (upTo, laterThan) => {
    // The clock may be set back by an hour, so a time today may be before one yesterday.
    let last: number | undefined;
    const first = laterThan + offsetAt(laterThan) - 2 * DAY;
    for (let day = Math.floor((upTo + offsetAt(upTo)) / DAY) * DAY; day > first; day -= DAY) {
      const time = ticks(day).findLast((each) => instantOf(timeZone, day + each) <= upTo);
      const start = time === undefined ? laterThan : instantOf(timeZone, day + time);
      if (start > (last ?? laterThan)) last = start;
    }
    return last;
  };
}
