import type { RateLimit } from '../config/web/web-config.ts';

/**
 * Whether one more request may be answered now: a bucket that holds `burst` of them, full at first, into which one falls
 * each interval. Nothing is ever let in by a burst of 0.
 *
 * @param monotonic milliseconds since some start
 */
export function createRateLimiter(
  { intervalMilliseconds, burst }: RateLimit,
  monotonic: () => number,
): () => boolean {
  // Milliseconds in place of requests, so that no rounding adds up.
  const most = intervalMilliseconds * burst;
  let saved = most;
  let before = monotonic();
  return () => {
    const at = monotonic();
    saved = Math.min(most, saved + at - before);
    before = at;
    if (saved < intervalMilliseconds) return false;
    saved -= intervalMilliseconds;
    return true;
  };
}
