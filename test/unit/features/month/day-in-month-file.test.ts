import { beforeEach, describe, expect, it } from 'vitest';
import { type Script, type Span, truthOfDay } from '../../../month/world.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type Day, liveThrough, POLL } from './day-of-phones.ts';

const MINUTE = 60;
const HOUR = 3_600;

/** Columns of a line, in the order of the file. */
const COLUMNS = [
  'sold_online',
  'sold_offline',
  'self_rented',
  'idle',
  'other',
  'maintenance',
  'unknown',
] as const;

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

type Facts = Partial<Omit<Day, 'phones'>>;
type At = (hours: number) => number;

/** A day in Berlin, with phones that are all different. `at` returns an instant on it. */
function dayOf(date: string, hours: number, facts: (at: At) => Facts = () => ({})): Day {
  const from = Date.parse(date) / 1000 - (date < '2026-03-30' || date > '2026-10-25' ? HOUR : 2 * HOUR);
  const at: At = (hour) => from + hour * HOUR;
  const always: readonly Span[] = [[at(-1), at(30)]];
  const phone = (name: string, own: Partial<Script> = {}): Script => ({
    ...{ id: name.replaceAll(' ', '-'), label: `rack-1/${name}`, model: 'Galaxy A14' },
    ...{ listed: always, outages: [] },
    rentals: [[at(-1), 'sold']],
    ...own,
  });
  const own = facts(at);
  return {
    timeZone: 'Europe/Berlin',
    from,
    to: at(hours),
    apiDown: [],
    exporterDown: [],
    ...own,
    phones: [
      phone('sold'),
      phone('sold too', { label: 'rack-1/sold' }),
      phone('idle', { rentals: [[at(-1), 'idle']] }),
      phone('self-rented', { rentals: [[at(-1), 'self_rented']], outages: [[at(4), at(6)]] }),
      phone('offline twice', {
        outages: [
          [at(3), at(3.5)],
          [at(16), at(17)],
        ],
      }),
      phone('offline again within five minutes', {
        outages: [
          [at(2) + 1, at(2) + 3 * MINUTE - 1],
          [at(2) + 3 * MINUTE + 1, at(2) + 6 * MINUTE - 1],
        ],
      }),
      phone('offline over midnight', {
        outages: [
          [at(-0.1), at(1)],
          [at(hours - 1), at(30)],
        ],
      }),
      phone('worked on', { outages: [[at(8), at(11)]], maintenance: [[at(7), at(10)]] }),
      phone('another each half hour', {
        rentals: Array.from({ length: 60 }, (_, index) => [
          at(-1) + index * 30 * MINUTE + 11,
          ['sold', 'idle', 'self_rented'][index % 3] ?? 'sold',
        ]),
      }),
      phone('came', { listed: [[at(9) + 5, at(30)]] }),
      phone('left', { listed: [[at(-1), at(15) + 5]] }),
      phone('left and came back', {
        listed: [
          [at(-1), at(13)],
          [at(18), at(30)],
        ],
      }),
    ],
  };
}

/** Seconds that a column may be wrong besides: a killed exporter loses up to a minute. */
const KILLED = 60;

/** Compares the lines of a day with what happened. */
async function compare(day: Day): Promise<void> {
  const date = new Date((day.from + 12 * HOUR) * 1000).toISOString().slice(0, 10);
  const lines = (await liveThrough(day, directory)).filter((line) => line.startsWith(date));
  expect(lines).toHaveLength(day.phones.length);
  for (const phone of day.phones) {
    const truth = truthOfDay(asMonth(day), phone, [day.from, day.to]);
    const line = lines.find((each) => each.startsWith(`${date},main,${phone.id},`)) ?? '';
    const numbers = line.split(',').slice(-8).map(Number);
    const killed = day.exporterDown.filter(({ older }) => older !== undefined).length * KILLED;
    for (const [index, column] of COLUMNS.entries()) {
      const difference = Math.abs((numbers[index] ?? 0) - truth[column]);
      const text = `${phone.id} ${column}: ${numbers[index]}, truly ${truth[column]}`;
      expect(difference, text).toBeLessThanOrEqual(truth.changes * POLL + killed);
    }
    const sum = numbers.slice(0, -1).reduce((total, each) => total + each, 0);
    const isWhole = truth.total === day.to - day.from;
    expect(Math.abs(sum - truth.total), `${phone.id} in total`).toBeLessThanOrEqual(isWhole ? 0 : 2 * POLL);
    if (truth.unknown === 0) expect(numbers.at(-2), `${phone.id} unknown`).toBe(0);
    const counted = (numbers.at(-1) ?? 0) - truth.interruptions;
    expect(counted, `interruptions of ${phone.id}`).toBeGreaterThanOrEqual(0);
    expect(counted, `interruptions of ${phone.id}`).toBeLessThanOrEqual(truth.unseenInterruptions);
  }
}

const asMonth = (day: Day) => ({ ...day, replica: [0, 0] as const, prometheusDown: [], balance: [] });

describe('a day', () => {
  it.each([
    ['23 hours', '2026-03-29', 23],
    ['24 hours', '2026-06-10', 24],
    ['25 hours', '2026-10-25', 25],
  ])('of %s is as it was', async (_, date, hours) => {
    await compare(dayOf(date, hours));
  });

  /** The exporter is off for some seconds, and remembers everything unless `own` says otherwise. */
  const off = (from: number, seconds: number, own: Partial<Day['exporterDown'][number]> = {}) => ({
    span: [from, from + seconds] as const,
    remembers: true,
    ...own,
  });

  it.each<[string, (at: At) => Facts]>([
    [
      'two restarts within a minute',
      (at) => ({ exporterDown: [off(at(16) + 100, 4), off(at(16) + 130, 7)] }),
    ],
    ['a restart at midnight', (at) => ({ exporterDown: [off(at(0) - 5, 13), off(at(24) - 20, 31)] })],
    [
      'an exporter that is killed, once while phones are offline and once when it has just started',
      (at) => ({
        exporterDown: [
          off(at(3.25) + 17, 13, { older: KILLED }),
          off(at(20), 3),
          off(at(20) + 20, 180, { older: KILLED }),
        ],
      }),
    ],
    [
      'an exporter that is off for five hours, in which a phone leaves and others change',
      (at) => ({ exporterDown: [off(at(9.5), 5 * HOUR)] }),
    ],
    ['a state file that is lost', (at) => ({ exporterDown: [off(at(12), 360, { remembers: false })] })],
    ['phones that are interrupted again within five minutes', () => ({ offlineAfter: 2 * MINUTE })],
    [
      'an API that fails for two minutes, for an hour and over midnight',
      (at) => ({
        apiDown: [
          [at(5), at(5) + 2 * MINUTE],
          [at(16.5), at(17.5)],
          [at(23.9), at(24) + MINUTE],
        ],
      }),
    ],
    [
      'a machine whose clock is an hour ahead, then two hours behind, then right, each time over midnight',
      (at) => ({
        clockSteps: [
          [at(-1), HOUR],
          [at(12), -2 * HOUR],
          [at(24) + MINUTE, 0],
        ],
      }),
    ],
    [
      'an API whose clock is five minutes ahead, then right, then an hour behind, then right',
      (at) => ({
        apiSteps: [
          [at(-1), 0],
          [at(2), 5 * MINUTE],
          [at(5), 0],
          [at(19), -HOUR],
          [at(21.5), 0],
        ],
      }),
    ],
  ])('with %s is as it was', async (_, facts) => {
    await compare(dayOf('2026-06-10', 24, facts));
  });
});
