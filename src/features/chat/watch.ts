import { type Clock, sleep } from '../../base/clock.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { ChatPart } from '../../fleet/chat.ts';
import type { FleetView } from '../../fleet/trust.ts';
import { MINUTE } from '../../model/time.ts';
import type { Bot } from './bot.ts';
import type { Exporter } from './exporter.ts';
import { morningText, WORDS } from './words.ts';

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
  readonly clock: Clock;
  readonly timeZone: TimeZone;
  /** Undefined for no morning message. */
  readonly morningHour: number | undefined;
  /** Sends the reports of features, such as that of the week. */
  readonly sendsReports: boolean;
  readonly signal: AbortSignal;
};

/**
 * Requests the fleet every minute. Sends a message when the exporter stops and resumes responding, the morning message, and
 * messages of features.
 */
export async function watch(options: ChatWatchOptions): Promise<void> {
  const { exporter, send, parts, chats, clock, timeZone, morningHour, sendsReports, signal } = options;
  const firstHour = morningHour ?? REPORT_HOUR;
  const notified = new Set<number>();
  const day = (): { readonly date: string; readonly hour: number } => {
    const local = new Date(clock.now() + timeZone.offsetAt(clock.now())).toISOString();
    return { date: local.slice(0, 10), hour: Number(local.slice(11, 13)) };
  };
  /** Date of the last morning message by chat. At the start, a message whose hour is over counts as sent. */
  const isOver = day().hour > firstHour;
  const sent = new Map([...chats].map((chat) => [chat, isOver ? day().date : '']));
  const reported = new Map(sent);
  /** The fleet at the last morning message, or at the start. */
  let before: FleetView | undefined;
  while (!signal.aborted) {
    const view = await exporter.view(false).catch(() => undefined);
    before ??= view;
    let last = before;
    const failing = exporter.failing();
    const { date, hour } = day();
    const isMorning = hour >= firstHour && hour < firstHour + MORNING_HOURS;
    for (const chat of chats) {
      if (failing === undefined && notified.has(chat)) {
        if (await send(chat, { text: WORDS.back })) notified.delete(chat);
      } else if (failing && clock.now() - failing.since >= AWAY_MILLISECONDS && !notified.has(chat)) {
        if (await send(chat, { text: failing.text })) notified.add(chat);
      }
      if (!isMorning) continue;
      if (sent.get(chat) !== date) {
        const text =
          view === undefined ? `Good morning. ${failing?.text ?? WORDS.away}` : morningText(view, before);
        if (morningHour !== undefined && !(await send(chat, { text }))) continue;
        sent.set(chat, date);
        last = view ?? last;
      }
      // Reports wait for the exporter.
      if (view === undefined || reported.get(chat) === date) continue;
      reported.set(chat, date);
      for (const { morning } of sendsReports ? parts : []) {
        const answer = await morning?.(exporter, date).catch(() => undefined);
        if (answer !== undefined) await send(chat, answer);
      }
    }
    before = last;
    for (const { due } of view === undefined ? [] : parts)
      for (const { place, text } of (view && (await due?.(exporter, view.fleet, clock.now()))) ?? [])
        await send(place, { text });
    await sleep(clock, MINUTE, signal).catch(() => undefined);
  }
}
