/** A connection as those see it who wait for its place. Times are monotonic, in milliseconds. */
export type Occupant = {
  /**
   * `silent`: no request came on it yet; `idle`: it waits for its next one; `answering`: an answer is under way.
   */
  readonly phase: 'silent' | 'idle' | 'answering';
  /** When this phase began; of several answers, the oldest. */
  readonly since: number;
};

/**
 * Which connection gives way where there is one too many: one that had time enough to say what it wants, and did not; then
 * the one that is idle for longest; then a silent one; then one that takes its answer too slowly; and where there is
 * none of these, the last that came.
 */
export function firstToGiveWay<Each extends Occupant>(
  occupants: Iterable<Each>,
  now: number,
  patienceMilliseconds: number,
): Each | undefined {
  let chosen: Each | undefined;
  let best = { rank: Number.POSITIVE_INFINITY, weight: 0 };
  for (const each of occupants) {
    const age = now - each.since;
    const rank = rankOf(each.phase, age > patienceMilliseconds);
    const weight = rank === LAST_RANK ? -age : age;
    if (rank > best.rank || (rank === best.rank && weight <= best.weight)) continue;
    chosen = each;
    best = { rank, weight };
  }
  return chosen;
}

/** The rank of those that give way last, and of these the newest first. */
const LAST_RANK = 4;

function rankOf(phase: Occupant['phase'], isLate: boolean): number {
  switch (phase) {
    case 'silent':
      return isLate ? 0 : 2;
    case 'idle':
      return 1;
    case 'answering':
      return isLate ? 3 : LAST_RANK;
  }
}

/** An answer under way: for which address, and since when. */
export type Place = { readonly address: string; readonly since: number };

/**
 * Which answer is cut off so that a newcomer gets its place: the oldest of the address that has most of them under way,
 * where the newcomer's has no more even afterwards; else the oldest of all, if it takes too long. Undefined where the
 * newcomer has to be refused.
 *
 * @param places at least one, in the order in which they were taken
 */
export function placeToFree<Each extends Place>(
  places: ReadonlySet<Each>,
  newcomer: string,
  now: number,
  patienceMilliseconds: number,
): Each | undefined {
  const counts = new Map<string, number>();
  for (const { address } of places) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const [oldest] = places;
  if (most > (counts.get(newcomer) ?? 0) + 1) {
    return [...places].find(({ address }) => counts.get(address) === most);
  }
  return oldest !== undefined && now - oldest.since > patienceMilliseconds ? oldest : undefined;
}
