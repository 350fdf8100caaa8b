import type { FleetAccount, FleetPhone, FleetSpell } from '../../../fleet/document.ts';
import { durationText, parseTime } from '../../../fleet/freshness.ts';
import { DAY } from '../../../model/time.ts';

/** What a phone did in a part of its last day. */
export type DayState = 'reporting' | FleetSpell['state'];

export type Part = { readonly state: DayState; readonly milliseconds: number };

const WORDS: Readonly<Record<DayState, string>> = {
  reporting: 'reporting',
  offline: 'offline',
  maintenance: 'maintenance',
  unknown: 'not seen',
};

/**
 * Returns the last day of a phone in parts that adjoin, the oldest first.
 *
 * @param seenAt the last list, and `now`, both by the same clock; nobody saw what happened since the list
 */
export function lastDayOf(
  { lastDay = [] }: Pick<FleetPhone, 'lastDay'>,
  { unseen = [] }: Pick<FleetAccount, 'unseen'>,
  seenAt: number,
  now: number,
): readonly Part[] {
  const start = now - DAY;
  const within = (instant: number): number => Math.min(Math.max(instant, start), now);
  const spans = [...lastDay, ...unseen.map((span) => ({ state: 'unknown' as const, ...span }))].map(
    ({ state, from, to }) => ({ state, from: parseTime(from) ?? start, to: parseTime(to) ?? seenAt }),
  );
  // What comes first hides what comes later.
  const painted = [{ state: 'unknown' as const, from: seenAt, to: now }, ...spans.reverse()];
  const edges = [...new Set([start, now, ...painted.flatMap(({ from, to }) => [within(from), within(to)])])];
  edges.sort((one, other) => one - other);
  const parts: Part[] = [];
  for (const [index, from] of edges.slice(0, -1).entries()) {
    const to = edges[index + 1] ?? from;
    const state = painted.find((span) => span.from <= from && span.to >= to)?.state ?? 'reporting';
    const last = parts[parts.length - 1];
    if (last?.state === state) parts.splice(-1, 1, { state, milliseconds: last.milliseconds + to - from });
    else parts.push({ state, milliseconds: to - from });
  }
  return parts;
}

/** Says how much of the last day a phone was offline, planned or not seen. */
export function lastDayText(parts: readonly Part[]): string {
  const others = (['offline', 'maintenance', 'unknown'] as const).flatMap((state) => {
    const sum = parts.reduce((total, part) => total + (part.state === state ? part.milliseconds : 0), 0);
    return sum < 1000 ? [] : [`${WORDS[state]} ${durationText(sum / 1000)}`];
  });
  return `Last 24 h: ${others.length === 0 ? 'reporting all the time' : others.join(', ')}`;
}
