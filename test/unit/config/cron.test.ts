import { describe, expect, it } from 'vitest';
import { parseCron } from '../../../src/config/cron.ts';

describe('parseCron', () => {
  it.each([
    '* * * * * *',
    '*/30 * * * * *',
    '0 0,15,30,45 8-18/2 1-31 * mon-fri',
    '0 0 0 29 FEB *',
    '0 0 0 * 1-3,dec 7',
    '00 00 00 01 01 *',
    '0 0 22-2 * * fri-mon',
  ])('accepts %s', (text) => {
    expect(parseCron(text)).toEqual({ value: text });
  });

  it('removes superfluous blanks', () => {
    expect(parseCron('  0  0 * * * * ')).toEqual({ value: '0 0 * * * *' });
  });

  const SIX = 'six fields (second minute hour day month weekday)';
  const FORM = 'a range a-b, a step */n or a list of these';
  const SECOND = `the second to be *, 0 to 59, ${FORM}`;
  const WEEKDAY = `the weekday to be *, 0 to 7 or sun to sat, ${FORM}`;

  it.each([
    ['', `${SIX}, not 0`],
    ['*/5 * * * *', `${SIX}, not 5: "0 */5 * * * *" means the same`],
    ['60 * * * *', `${SIX}, not 5`],
    ['TZ=Europe/Berlin 0 0 * * * *', `${SIX} and no time zone: schedules are in UTC`],
    ['* * * * * * *', `${SIX}, not 7`],
    ['@hourly', `${SIX}, not 1`],
    ['60 * * * * *', SECOND],
    ['* * 24 * * *', `the hour to be *, 0 to 23, ${FORM}`],
    ['* * * 0 * *', `the day of the month to be *, 1 to 31, ${FORM}`],
    ['* * * L * *', `the day of the month to be *, 1 to 31, ${FORM}`],
    ['* * * * 13 *', `the month to be *, 1 to 12 or jan to dec, ${FORM}`],
    ['* * * * * 8', WEEKDAY],
    ['*/0 * * * * *', SECOND],
    ['*/60 * * * * *', SECOND],
    ['5/10 * * * * *', SECOND],
    ['* * * * * 5L', WEEKDAY],
    ['* * * * * 1#2', WEEKDAY],
    ['1,,2 * * * * *', SECOND],
    ['-1 * * * * *', SECOND],
    ['1.5 * * * * *', `fields of *, ${FORM}`],
    ['0 0 0 30,31 2 *', 'a day that exists in one of the months'],
    ['0 0 0 31 4,jun,9,11 *', 'a day that exists in one of the months'],
  ])('refuses %j and says what it expects', (text, expected) => {
    expect(parseCron(text)).toEqual({ expected });
  });

  it.each([
    ['30s', '*/30 * * * * *'],
    ['1s', '* * * * * *'],
    ['1m', '0 * * * * *'],
    ['60s', '0 * * * * *'],
    ['5m', '0 */5 * * * *'],
    ['300s', '0 */5 * * * *'],
    ['1h', '0 0 * * * *'],
    ['12h', '0 0 */12 * * *'],
    ['1d', '0 0 0 * * *'],
  ])('offers an expression in place of the interval %s', (text, expression) => {
    expect(parseCron(text)).toEqual({
      expected: `six fields (second minute hour day month weekday), not 1: "${expression}" is every ${text}`,
    });
    expect(parseCron(expression)).toEqual({ value: expression });
  });

  it.each(['45s', '7m', '500ms', '2w', '0s'])('offers nothing in place of the interval %s', (text) => {
    expect(parseCron(text)).toEqual({ expected: 'six fields (second minute hour day month weekday), not 1' });
  });
});
