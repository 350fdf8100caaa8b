import type { FleetAccount, FleetPhone } from '../../../fleet/document.ts';
import { durationText, parseTime } from '../../../fleet/freshness.ts';
import { MUTED } from '../../../model/muted.ts';
import { DAY } from '../../../model/time.ts';
import { say } from '../../../text/say.ts';

export type DayState = 'online' | 'offline' | typeof MUTED | 'unknown';

export type DayPart = { readonly state: DayState; readonly milliseconds: number };

/**
 * Splits a phone's last day into parts, oldest first. The time since the last list is unknown.
 *
 * @param seenAt the last list, by the same clock as `now`
 */
export function lastDayOf(
  { lastDay = [] }: Pick<FleetPhone, 'lastDay'>,
  { unseen = [] }: Pick<FleetAccount, 'unseen'>,
  seenAt: number,
  now: number,
): readonly DayPart[] {
  const start = now - DAY;
  const within = (instant: number): number => Math.min(Math.max(instant, start), now);
  const spans = [...lastDay, ...unseen.map((span) => ({ state: 'unknown' as const, ...span }))].map(
    ({ state, from, to }) => ({ state, from: parseTime(from) ?? start, to: parseTime(to) ?? seenAt }),
  );
  // Earlier items hide later ones.
  const painted = [{ state: 'unknown' as const, from: seenAt, to: now }, ...spans.reverse()];
  const edges = [...new Set([start, now, ...painted.flatMap(({ from, to }) => [within(from), within(to)])])];
  edges.sort((one, other) => one - other);
  const parts: DayPart[] = [];
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const to = edges[index + 1] ?? from;
    const state = painted.find((span) => span.from <= from && span.to >= to)?.state ?? 'online';
    const last = parts[parts.length - 1];
    if (last?.state === state) parts.splice(-1, 1, { state, milliseconds: last.milliseconds + to - from });
    else parts.push({ state, milliseconds: to - from });
  }
  return parts;
}

/** Says how long a phone was offline, in maintenance or unseen in the last day. */
export function lastDayText(parts: readonly DayPart[]): string {
  const others = (['offline', MUTED, 'unknown'] as const).flatMap((state) => {
    const sum = parts.reduce((total, part) => total + (part.state === state ? part.milliseconds : 0), 0);
    return sum < 1000 ? [] : [say(`day-${state}`, { duration: durationText(sum / 1000) })];
  });
  return say('page-last-day', { parts: others.join(', ') || say('page-online-all-day') });
}
