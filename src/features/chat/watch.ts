import { type Clock, sleep } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { dateTimeAt, type TimeZone } from '../../base/time-zone.ts';
import type { ChatAnswer, ChatPart } from '../../fleet/chat.ts';
import type { FleetView } from '../../fleet/trust.ts';
import { DAY, MINUTE } from '../../model/time.ts';
import { say, speaking } from '../../text/say.ts';
import type { Bot } from './bot.ts';
import type { Exporter } from './exporter.ts';
import type { SentDates } from './sent.ts';
import { morningText } from './words.ts';

/** Time without a response after which chats get a message. An upgrade takes less. */
const AWAY_MILLISECONDS = 3 * MINUTE;

/** Hour of reports without a morning message. */
const REPORT_HOUR = 8;

/** Number of hours in which a late morning message is still sent. */
const MORNING_HOURS = 3;

type ChatWatchOptions = {
  readonly exporter: Exporter;
  readonly send: Bot['send'];
  readonly parts: readonly ChatPart[];
  readonly chats: ReadonlySet<number>;
  /** Returns the language of a chat; by default English. */
  readonly languageOf?: (chat: number) => string | undefined;
  readonly clock: Clock;
  /** By default the exporter's. */
  readonly timeZone?: TimeZone | undefined;
  /** Undefined to remember nothing across restarts. */
  readonly dates?: SentDates | undefined;
  readonly log?: Pick<Log, 'info'> | undefined;
  /** Undefined for no morning message. */
  readonly morningHour: number | undefined;
  /** Sends the features' reports, such as the weekly one. */
  readonly sendsReports: boolean;
  readonly signal: AbortSignal;
};

/**
 * Requests the fleet every minute. Sends a message when the exporter stops and resumes responding, the morning message, and
 * messages of features.
 */
export async function watch(options: ChatWatchOptions): Promise<void> {
  const { exporter, send, parts, chats, clock, morningHour, sendsReports, dates, signal } = options;
  const firstHour = morningHour ?? REPORT_HOUR;
  const notified = new Set<number>();
  const remembered = await dates?.load();
  /** Dates of the last morning message and of the last reports by chat. */
  const sent = new Map(remembered);
  const mark = async (key: string, date: string): Promise<void> => {
    sent.set(key, date);
    if (remembered !== undefined) await dates?.save(sent);
  };
  /** The reports that a chat already has for a date, while another one is retried. */
  const delivered = new Set<string>();
  const sendReports = async (chat: number, last: string, date: string): Promise<boolean> => {
    let isDone = true;
    for (const [index, { morning }] of sendsReports ? parts.entries() : []) {
      const key = `${chat} ${index} ${date}`;
      if (morning === undefined || delivered.has(key)) continue;
      try {
        const answer = await newestReport(morning, exporter, last, date);
        const isSent = answer === undefined || (await send(chat, answer));
        if (isSent) delivered.add(key);
        isDone &&= isSent;
      } catch {
        isDone = false;
      }
    }
    return isDone;
  };
  let isFirst = true;
  /** The fleet at the last morning message, or at the start. */
  let before: FleetView | undefined;
  while (!signal.aborted) {
    const view = await exporter.view(false).catch(() => undefined);
    before ??= view;
    let last = before;
    const failing = exporter.failing();
    const local = dateTimeAt(options.timeZone ?? exporter.timeZone(), clock.now());
    const [date, hour] = [local.slice(0, 10), Number(local.slice(11, 13))];
    const isMorning = hour >= firstHour && hour < firstHour + MORNING_HOURS;
    // At the first start, a morning message whose hour is over counts as sent, and today's reports do not. Without a
    // memory, a restart cannot know.
    const isOver = isFirst && hour > firstHour;
    for (const chat of isFirst ? chats : []) {
      const [morning, reports] = keysOf(chat);
      if (isOver && !sent.has(morning)) sent.set(morning, date);
      if (!sent.has(reports)) sent.set(reports, isOver && remembered === undefined ? date : dayBefore(date));
    }
    if (isOver && remembered === undefined && sendsReports)
      options.log?.info(
        { date },
        'started after the hour of the reports: without --state-file, those of today are not sent',
      );
    isFirst = false;
    const serve = async (chat: number): Promise<void> => {
      const [morning, reports] = keysOf(chat);
      if (failing === undefined && notified.has(chat)) {
        if (await send(chat, { text: say('chat-back') })) notified.delete(chat);
      } else if (failing && clock.now() - failing.since >= AWAY_MILLISECONDS && !notified.has(chat)) {
        if (await send(chat, { text: failing.text })) notified.add(chat);
      }
      if (isMorning && sent.get(morning) !== date) {
        const text =
          view === undefined
            ? `${say('chat-good-morning')} ${failing?.text ?? say('chat-away')}`
            : morningText(view, before);
        if (morningHour !== undefined && !(await send(chat, { text }))) return;
        await mark(morning, date);
        last = view ?? last;
      }
      // Reports wait for the exporter, and for their hour.
      const reported = sent.get(reports) ?? '';
      if (view === undefined || reported >= date || hour < firstHour) return;
      if (await sendReports(chat, reported, date)) await mark(reports, date);
    };
    for (const chat of chats) await speaking(options.languageOf?.(chat), async () => await serve(chat));
    before = last;
    for (const { due } of view === undefined ? [] : parts)
      for (const { place, text } of (view && (await due?.(exporter, view.fleet, clock.now()))) ?? [])
        await send(place.chat, { text }, place.topic);
    await sleep(clock, MINUTE, signal).catch(() => undefined);
  }
}

const keysOf = (chat: number): readonly [morning: string, reports: string] => [
  `${chat} morning`,
  `${chat} reports`,
];

const dayBefore = (date: string): string => new Date(Date.parse(date) - DAY).toISOString().slice(0, 10);

/** Maximum number of days by which a report may be late: the monthly one. */
const LATE_DAYS = 31;

/** Returns the newest report that is due after the last one and up to today, for a week or a month that is over. */
async function newestReport(
  morning: NonNullable<ChatPart['morning']>,
  exporter: Exporter,
  last: string,
  today: string,
): Promise<ChatAnswer | undefined> {
  for (let [date, days] = [today, 0]; date > last && days < LATE_DAYS; days += 1, date = dayBefore(date)) {
    const answer = await morning(exporter, date);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
