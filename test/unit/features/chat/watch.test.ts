import { it as base, expect } from 'vitest';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import type { SendRequest } from '../../../../src/cli/own-exporter.ts';
import { createExporter } from '../../../../src/features/chat/exporter.ts';
import type { SentDates } from '../../../../src/features/chat/sent.ts';
import { watch } from '../../../../src/features/chat/watch.ts';
import { FEATURES } from '../../../../src/features.ts';
import type { ChatAnswer } from '../../../../src/fleet/chat.ts';
import { fleetParser } from '../../../../src/fleet/document.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { fleet } from '../../fleet/fleet.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const FLEET = JSON.stringify(fleet());

type World = {
  exporter: 'responds' | 'away' | 'demands a login';
  telegram: boolean;
  /** Returns what a feature says behind the morning line of a date. */
  message?: (date: string) => ChatAnswer | undefined;
  /** The file of an earlier start. */
  dates?: SentDates;
};

/** Noon by the clock of the test is 14:00 in Kyiv, on the first of March, or later. */
const it = base.extend<{
  readonly start: (
    morningHour?: number,
    later?: number,
    own?: Partial<World> & { readonly ownZone?: string | undefined },
  ) => {
    readonly sent: readonly string[];
    /** What the exporter and Telegram do. */
    readonly world: World;
    readonly pass: (milliseconds: number) => Promise<void>;
  };
}>({
  start: async ({ onTestFinished }, use) => {
    await use((morningHour, later = 0, { ownZone = 'Europe/Kyiv', ...own } = {}) => {
      const clock = createFakeClock();
      clock.step(later);
      const sent: string[] = [];
      const world: World = { exporter: 'responds', telegram: true, ...own };
      const sendRequest: SendRequest = async () => {
        if (world.exporter === 'away') throw new Error('refused');
        if (world.exporter !== 'responds') return { status: 401, content: DEMANDS, date: undefined };
        const date = new Date(clock.now()).toUTCString();
        return { status: 200, content: FLEET, date };
      };
      const ending = new AbortController();
      onTestFinished(() => ending.abort(new Error('the test is over')));
      const zone = ownZone === 'none' ? undefined : ownZone;
      const exporter = createExporter(sendRequest, fleetParser(FEATURES), zone, clock);
      void watch({
        parts: [{ morning: async (_, date) => world.message?.(date) }],
        ...{ exporter, clock, morningHour, chats: new Set([7]), signal: ending.signal },
        sendsReports: true,
        timeZone: zone === undefined ? undefined : createTimeZone(zone),
        dates: world.dates,
        send: async (_, { text, file }) => {
          const attached = file === undefined ? '' : ` [${file.name}: ${file.content}]`;
          if (world.telegram) sent.push(text.replaceAll(/[\uE000\uE001]/g, '') + attached);
          return world.telegram;
        },
      });
      const pass = async (milliseconds: number): Promise<void> => {
        for (let passed = 0; passed <= milliseconds; passed += MINUTE) {
          for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          if (passed < milliseconds) clock.advance(MINUTE);
        }
      };
      return { sent, world, pass };
    });
  },
});

const DEMANDS = 'The exporter demands a login.';

it('says once that the exporter does not respond, since when, and once that it does again', async ({
  start,
}) => {
  const { sent, world, pass } = start();
  await pass(10 * MINUTE);
  expect(sent).toEqual([]);
  world.exporter = 'away';
  await pass(5 * HOUR);
  expect(sent).toEqual(['The exporter has not responded since 14:10.']);
  world.exporter = 'responds';
  await pass(HOUR);
  expect(sent.slice(1)).toEqual(['The exporter is responding again.']);
});

it('says once that the exporter demands a login, and once that it responds again', async ({ start }) => {
  const { sent, world, pass } = start();
  await pass(HOUR);
  world.exporter = 'demands a login';
  await pass(HOUR);
  world.exporter = 'responds';
  await pass(2 * MINUTE);
  expect(sent).toEqual([DEMANDS, 'The exporter is responding again.']);
});

it('says nothing of a restart that takes two minutes', async ({ start }) => {
  const { sent, world, pass } = start();
  await pass(MINUTE);
  world.exporter = 'away';
  await pass(2 * MINUTE);
  world.exporter = 'responds';
  await pass(HOUR);
  expect(sent).toEqual([]);
});

it('says nothing afterwards of an outage that was over before Telegram could be reached', async ({
  start,
}) => {
  const { sent, world, pass } = start();
  await pass(MINUTE);
  [world.exporter, world.telegram] = ['away', false];
  await pass(24 * HOUR);
  world.exporter = 'responds';
  await pass(MINUTE);
  world.telegram = true;
  await pass(HOUR);
  expect(sent).toEqual([]);
});

it('sends the morning line once a day at the owner’s hour', async ({ start }) => {
  const { sent, pass } = start(8);
  await pass(17 * HOUR);
  expect(sent).toEqual([]);
  await pass(HOUR);
  expect(sent).toEqual([expect.stringMatching(/^Good morning\. Overnight: no alerts\.\n/)]);
  await pass(47 * HOUR);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toContain('+0.00 since 2 Mar 08:00');
});

it('sends no morning line without an hour, and none of a morning that is over', async ({ start }) => {
  const { sent, pass } = start();
  await pass(48 * HOUR);
  expect(sent).toEqual([]);
  const afternoon = start(13);
  await afternoon.pass(2 * HOUR);
  expect(afternoon.sent).toEqual([]);
});

it('sends a morning line late where Telegram was away at its hour, and none after three hours', async ({
  start,
}) => {
  const { sent, world, pass } = start(8);
  world.telegram = false;
  await pass(20 * HOUR);
  world.telegram = true;
  await pass(MINUTE);
  expect(sent).toHaveLength(1);
  world.telegram = false;
  await pass(27 * HOUR);
  world.telegram = true;
  await pass(HOUR);
  expect(sent).toHaveLength(1);
});

it('sends what a feature says behind the morning line, with its file', async ({ start }) => {
  const { sent, world, pass } = start(8, 28 * 24 * HOUR);
  const file = { name: 'phones.csv', content: 'name;account' };
  world.message = (date) => (date === '2026-04-01' ? { text: 'The month', file } : undefined);
  await pass(5 * 24 * HOUR);
  const index = sent.findIndex((text) => text.startsWith('The month'));
  expect(sent[index]).toBe('The month [phones.csv: name;account]');
  expect(sent[index - 1]).toMatch(/^Good morning\./);
  expect(sent.filter((text) => text.startsWith('The month'))).toHaveLength(1);
});

it('sends reports of features at eight without a morning line, when the exporter responds', async ({
  start,
}) => {
  const { sent, world, pass } = start();
  world.message = (date) => (date === '2026-03-02' ? { text: 'The week' } : undefined);
  await pass(MINUTE);
  await pass(17 * HOUR);
  expect(sent).toEqual([]);
  world.exporter = 'away';
  await pass(2 * HOUR);
  world.exporter = 'responds';
  await pass(MINUTE);
  await pass(24 * HOUR);
  expect(sent.filter((text) => text === 'The week')).toHaveLength(1);
});

it('sends reports behind a morning line that said that the exporter is away, when it is back', async ({
  start,
}) => {
  const { sent, world, pass } = start(8);
  world.message = (date) => (date === '2026-03-02' ? { text: 'The week' } : undefined);
  await pass(MINUTE);
  world.exporter = 'away';
  await pass(18 * HOUR + 30 * MINUTE);
  world.exporter = 'responds';
  await pass(10 * MINUTE);
  expect(sent).toEqual([
    'The exporter has not responded since 14:01.',
    expect.stringMatching(/^Good morning\. The exporter has not responded since/),
    'The exporter is responding again.',
    'The week',
  ]);
});

/** A file that outlives the program. */
function createDates(): SentDates {
  let kept: ReadonlyMap<string, string> = new Map();
  return {
    load: async () => kept,
    save: async (dates) => {
      kept = new Map(dates);
    },
  };
}

/** The first of March, 14:00 in Kyiv, is a Sunday: from then on to Monday, 09:05. */
const TO_MONDAY = 19 * HOUR + 5 * MINUTE;

const weekly = (date: string): ChatAnswer | undefined =>
  new Date(date).getUTCDay() === 1 ? { text: `The week of ${date}` } : undefined;

it('sends the report that was missed when it is back on that day, once', async ({ start }) => {
  const dates = createDates();
  const first = start(undefined, TO_MONDAY, { dates, message: weekly });
  await first.pass(5 * MINUTE);
  expect(first.sent).toEqual(['The week of 2026-03-02']);
  const second = start(undefined, TO_MONDAY + HOUR, { dates, message: weekly });
  await second.pass(2 * HOUR);
  expect(second.sent).toEqual([]);
});

it('sends the report that was missed on Wednesday, if it was down since Sunday, and only the last one', async ({
  start,
}) => {
  const dates = createDates();
  await start(8, 0, { dates, message: weekly }).pass(HOUR);
  const back = start(8, TO_MONDAY + 9 * 24 * HOUR + 12 * HOUR, { dates, message: weekly });
  await back.pass(HOUR);
  expect(back.sent).toEqual(['The week of 2026-03-09']);
});

it('sends a report again that failed, and marks none as sent before it is', async ({ start }) => {
  const dates = createDates();
  const { sent, world, pass } = start(undefined, TO_MONDAY, {
    dates,
    message: () => {
      throw new Error('503');
    },
  });
  await pass(10 * MINUTE);
  world.message = weekly;
  world.telegram = false;
  await pass(10 * MINUTE);
  expect(sent).toEqual([]);
  expect((await dates.load())?.get('7 reports')).not.toBe('2026-03-02');
  world.telegram = true;
  await pass(30 * MINUTE);
  expect(sent).toEqual(['The week of 2026-03-02']);
});

it('without a file sends no report after its hour, since it may have been sent', async ({ start }) => {
  const { sent, pass } = start(undefined, TO_MONDAY, { message: weekly });
  await pass(HOUR);
  expect(sent).toEqual([]);
});

it('sends the morning line once, if it is started again within the hour', async ({ start }) => {
  const dates = createDates();
  const at = TO_MONDAY - HOUR;
  const first = start(8, at, { dates });
  await first.pass(5 * MINUTE);
  const second = start(8, at + 10 * MINUTE, { dates });
  await second.pass(20 * MINUTE);
  expect([first.sent.length, second.sent.length]).toEqual([1, 0]);
});

it('without a zone of its own keeps to the hours of the exporter', async ({ start }) => {
  // 07:58 in Kyiv is 05:58 in UTC.
  const { sent, pass } = start(8, 18 * HOUR - 2 * MINUTE, { ownZone: 'none' });
  await pass(MINUTE);
  expect(sent).toEqual([]);
  await pass(3 * MINUTE);
  expect(sent).toEqual([expect.stringMatching(/^Good morning\./)]);
});
