import { expect, it } from 'vitest';
import { NODE_LIMITS } from '../../../src/http/limits.ts';

it('an idle connection stays open for longer than proxies reuse it, and is closed at no interval of scrapes', () => {
  const closedAfter = NODE_LIMITS.keepAliveTimeout;
  for (const reused of [60, 75, 90, 120]) expect(closedAfter).toBeGreaterThan(reused * 1_000);
  for (const interval of [15, 30, 60]) expect(closedAfter % (interval * 1_000)).toBeGreaterThan(1_000);
});
