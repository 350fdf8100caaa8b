const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * A duration as Prometheus writes it, such as "90m" or "1h30m", in seconds.
 *
 * @throws RangeError where it is none
 */
export function secondsOf(duration: string): number {
  const parts = [...duration.matchAll(/(\d+)([smhd])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== duration)
    throw new RangeError(`Not a duration such as 90m: ${duration}`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (SECONDS[unit] ?? 0), 0);
}
