/** Prometheus' units of time in milliseconds, in the order in which they stand in a duration. */
const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

const DURATION = new RegExp(
  `^${Object.keys(UNITS)
    .map((unit) => `(?:(?<${unit}>\\d{1,9})${unit})?`)
    .join('')}$`,
);

/**
 * Milliseconds of a duration such as `15m`, `1h30m` or `500ms` (Prometheus' notation: whole numbers, each unit at most
 * once, the longest first). Undefined for anything else.
 */
export function parseDuration(text: string): number | undefined {
  const amounts = DURATION.exec(text)?.groups;
  if (amounts === undefined || text === '') return undefined;
  return Object.entries(UNITS).reduce((sum, [unit, length]) => sum + Number(amounts[unit] ?? 0) * length, 0);
}

/** A number of milliseconds in the same notation. */
export function formatDuration(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (const [unit, length] of Object.entries(UNITS)) {
    const amount = Math.floor(rest / length);
    if (amount > 0) text += `${amount}${unit}`;
    rest -= amount * length;
  }
  return text === '' ? '0s' : text;
}
