import { afterEach, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { USERS } from './cases.ts';
import { type Answer, ask, closeServers, serve } from './test-server.ts';

let clock: FakeClock;

afterEach(async () => {
  const closed = closeServers();
  // Ends the connections whose checks never end.
  clock.advance(1_000);
  await closed;
});

/*
 * Logins through real sockets while checks of passwords take as long as the test wants.
 */

/** Starts a server on a clock that stands still, whose checks wait. */
async function serveSlowly() {
  clock = createFakeClock();
  const checks: { readonly password: string; readonly end: (isRight: boolean) => void }[] = [];
  const changed: (() => void)[] = [];
  const matches = (password: string) =>
    new Promise<boolean>((end) => {
      checks.push({ password, end });
      for (const tell of changed.splice(0)) tell();
    });
  const { url } = await serve(USERS, { clock, matches });
  return {
    checks,
    login: (password: string, localAddress = '127.0.0.1'): Promise<Answer> =>
      ask(url, { user: 'alice', password, localAddress }),
    /** Resolves when so many checks have begun. */
    begun: async (count: number) => {
      while (checks.length < count) await new Promise<void>((resolve) => changed.push(resolve));
    },
    /** Resolves when the server has read everything sent before. */
    settled: () => ask(url),
  };
}

it('logins that wait behind a slow check get 429 with Retry-After, and none is reset', async () => {
  const { login, begun, settled } = await serveSlowly();
  const all = Array.from({ length: 100 }, (_, index) =>
    login(`wrong ${index}`).catch(() => 'reset' as const),
  );
  await begun(1);
  await settled();
  clock.advance(9_999);
  const answers = await Promise.all(all);
  expect(new Set(answers.map((each) => (each === 'reset' ? each : each.status)))).toEqual(new Set([429]));
  expect(new Set(answers.map((each) => each !== 'reset' && each.headers['retry-after']))).toEqual(
    new Set(['1']),
  );
});

it('a new login is checked next when those that waited before it have given up', async () => {
  const { login, begun, settled, checks } = await serveSlowly();
  const flood = Array.from({ length: 30 }, (_, index) => login(`wrong ${index}`).catch(() => undefined));
  await begun(1);
  await settled();
  clock.advance(9_999);
  await Promise.all(flood);
  const good = login('alice123');
  await settled();
  checks[0]?.end(false);
  await begun(2);
  expect(checks[1]?.password).toBe('alice123');
  checks[1]?.end(true);
  expect((await good).status).toBe(200);
});

it('a login that comes again while it waits keeps its place', async () => {
  const { login, begun, settled, checks } = await serveSlowly();
  const [wrong, first] = [login('wrong'), login('alice123')];
  await begun(1);
  await settled();
  clock.advance(9_999);
  expect([(await wrong).status, (await first).status]).toEqual([429, 429]);
  const again = login('alice123');
  await settled();
  checks[0]?.end(false);
  await begun(2);
  checks[1]?.end(true);
  expect((await again).status).toBe(200);
});

it('a right password whose check took too long is known when it comes again', async () => {
  const { login, begun, settled, checks } = await serveSlowly();
  const first = login('alice123');
  await begun(1);
  clock.advance(9_999);
  expect((await first).status).toBe(429);
  checks[0]?.end(true);
  await settled();
  expect([(await login('alice123')).status, checks.length]).toEqual([200, 1]);
});
