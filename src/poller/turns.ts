/**
 * Who is asked first: those that never had a turn, then the one whose turn is longest ago. So all are visited although a
 * round can't hold all of them, and one that can't be read does not keep the others waiting.
 *
 * @param lastTurns in order of their last turn, oldest first
 */
export function planTurns(live: ReadonlySet<string>, lastTurns: ReadonlySet<string>): readonly string[] {
  const order: string[] = [];
  for (const id of live) if (!lastTurns.has(id)) order.push(id);
  for (const id of lastTurns) if (live.has(id)) order.push(id);
  return order;
}
