import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../../src/api/http.ts';
import { yieldToEventLoop } from '../../src/base/clock.ts';
import { between, createRandom, pick, type Random } from '../../src/base/random.ts';
import { createMonitor } from '../../src/daemon/monitor.ts';
import { NOTHING_KNOWN, type SavedState } from '../../src/model/account.ts';
import { decodeState } from '../../src/state/codec.ts';
import { anyCharacter } from '../any-character.ts';
import { NOON } from '../builders.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { success, wireBalance, wireDevice, wirePage, wireTunnel } from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';
import { STATE, textOf } from '../unit/state/states.ts';

/*
 * What is known, after a restart. Accounts come about as they do in life: a daemon polls an API that changes.
 */

const RUNS = 20;
const POLLS = 25;
const PHONES = 12;

type Dates = (random: Random, now: number) => Readonly<Record<string, string>>;

/** The dates of an API: right, missing, now and then missing, of a cache, of another year. */
const DATES: readonly [Dates, ...Dates[]] = [
  (_, now) => dated(now),
  () => ({}),
  (random, now) => (random() < 0.5 ? dated(now) : {}),
  (random, now) => ({ ...dated(now), age: String(between(random, 0, 600)) }),
  (_, now) => dated(now + 366 * 86_400_000),
  (random, now) => (random() < 0.05 ? dated(now - 3 * 366 * 86_400_000) : dated(now)),
];

function dated(instant: number): Readonly<Record<string, string>> {
  return { date: new Date(instant).toUTCString() };
}

/** An API whose phones come, go, are rented and fall offline, and that fails at times. */
function createApi(random: Random, clock: FakeClock): HttpClient {
  const headersOf = pick(random, DATES);
  const phones = Array.from({ length: PHONES }, (_, index) => ({
    id: `phone-${index}`,
    label: `rack-${index % 3}/${index}`,
    reportsUntil: random() < 0.3 ? NOON + between(random, -1_200, 1_200) * 1_000 : Number.POSITIVE_INFINITY,
  }));
  const device = ({ id, label, reportsUntil }: (typeof phones)[number]) => {
    const beat = Math.min(reportsUntil, clock.now() - between(random, 0, 90_000));
    const isRented = random() < 0.3;
    return wireDevice({
      deviceId: id,
      label,
      rentalStatus: isRented ? 'self_rented' : pick(random, ['sold', 'idle', 'unheard_of']),
      ...(isRented ? {} : { selfRent: undefined }),
      lastHeartbeatAt: random() < 0.05 ? 'never' : new Date(beat).toISOString(),
      rotation: { status: pick(random, ['active', 'stopped']), intervalInMs: 600_000 },
    });
  };
  const answerTo = (path: string): object => {
    if (path.includes('balance')) return wireBalance({ availableCents: between(random, -500, 500) });
    if (path.includes('tunnel'))
      return wireTunnel({ uptimeStatus: pick(random, ['up', 'down', 'unheard_of']) });
    const items = phones.filter(() => random() > 0.1).map(device);
    return wirePage({ items, total: items.length });
  };
  return {
    get: async (path) => {
      clock.advance(random() * 300);
      const headers = headersOf(random, clock.now());
      if (random() < 0.05) return { status: 503, headers, body: Buffer.from('') };
      return { status: 200, headers, body: Buffer.from(success(answerTo(path))) };
    },
    close: async () => {},
  };
}

/** Lets time pass until work has ended: a request that failed is sent again after a while. */
async function withTime(clock: FakeClock, work: Promise<void>): Promise<void> {
  let ended = false;
  const end = work.finally(() => {
    ended = true;
  });
  for (await yieldToEventLoop(); !ended; await yieldToEventLoop()) clock.advance(100);
  await end;
}

/** Lets a daemon poll, and at times be started again with what its state file holds. Returns each state that it saved. */
async function live(seed: number): Promise<readonly SavedState[]> {
  const random = createRandom(seed);
  const clock = createFakeClock();
  clock.advance(random());
  const network = { authorities: undefined, proxies: undefined, http: createApi(random, clock) };
  const { config } = load({
    flags: { 'accounts[].api_url': 'https://x.example' },
    environment: { HOSTER_API_KEY: 'k' },
  });
  const start = (known: SavedState) =>
    createMonitor(config, dependenciesOf({ clock, network, random }), known);
  let monitor = start(NOTHING_KNOWN);
  const saved: SavedState[] = [];
  for (let poll = 0; poll < POLLS; poll += 1) {
    await withTime(clock, monitor.pollAll());
    const state = monitor.saved();
    saved.push(state);
    if (random() < 0.1) clock.step(between(random, -86_400, 86_400) * 1_000);
    clock.advance((20 + 20 * random()) * 1_000);
    if (random() > 0.1) continue;
    await monitor.stop();
    const decoded = decodeState(textOf(state));
    monitor = start('accounts' in decoded ? decoded : NOTHING_KNOWN);
  }
  await monitor.stop();
  return saved;
}

describe('a state file', () => {
  it('is read as it was written, whatever the daemon has seen', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        for (const state of await live(seed)) expect(decodeState(textOf(state))).toEqual(state);
      }),
      { numRuns: RUNS },
    );
  });

  const TEXT = textOf(STATE);

  it('is refused when it is cut off anywhere, and does not throw', () => {
    fc.assert(
      // The line feed at the end may be missing: editors take it away.
      fc.property(fc.nat({ max: TEXT.length - 2 }), (at) => {
        expect(decodeState(TEXT.slice(0, at))).toHaveProperty('refusal');
      }),
      { numRuns: 500 },
    );
  });

  it('is refused or decoded when any one bit of it flips, and does not throw', () => {
    fc.assert(
      fc.property(fc.nat({ max: TEXT.length - 1 }), fc.nat({ max: 7 }), (place, bit) => {
        const bytes = Buffer.from(TEXT);
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        const decoded = decodeState(bytes.toString());
        expect('refusal' in decoded || decoded.accounts.length <= 2).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused without an exception when it contains any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 2_000 }), (text) => {
        expect(decodeState(text)).toHaveProperty('refusal');
      }),
      { numRuns: 500 },
    );
  });
});
