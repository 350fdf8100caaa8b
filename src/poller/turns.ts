/**
 * Who is asked first: those that never had a turn, then the one whose turn is longest ago. So all are visited although a
 * round can't hold all of them, and one that can't be read does not keep the others waiting.
 *
 * @param lastTurns in order of their last turn, oldest first
 */
export function planTurns(live: readonly string[], lastTurns: ReadonlySet<string>): readonly string[] {
  const alive = new Set(live);
  return [...live.filter((id) => !lastTurns.has(id)), ...[...lastTurns].filter((id) => alive.has(id))];
}
