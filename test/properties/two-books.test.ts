import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemory } from '../../src/daemon/memory.ts';
import { LOGBOOK } from '../../src/features/incidents/memory.ts';
import { NOTHING_KNOWN } from '../../src/model/account.ts';
import { healthyDevice, NOON } from '../builders.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock } from '../fake-clock.ts';
import { observeList } from '../observed-list.ts';
import { requestOf, routeOf } from '../route-sources.ts';
import { load } from '../unit/config/sources.ts';

/* Two books that must agree: the sold time offline of all incidents equals the month's, over any life of a fleet. */

const PHONES = [1, 2].flatMap((rack) => [1, 2, 3, 4, 5, 6].map((slot) => `r${rack}/${slot}`));

const CONFIG = `
accounts: [{ name: main, api_url: "https://api.example.com", api_key_env: KEY }]
offline: { after: 5m }
web: { enable_changes: true }
`;

type Event =
  | { readonly what: 'cut' | 'return'; readonly phones: string }
  | { readonly what: 'rent' | 'end rental' | 'mute'; readonly phones: string }
  | { readonly what: 'restart' }
  | { readonly what: 'no lists'; readonly minutes: number };

const target = fc.oneof(fc.constantFrom('r1/', 'r2/', 'r'), fc.constantFrom(...PHONES));

const harmless: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('cut', 'return'), phones: target }) },
  fc.record({ what: fc.constant('restart') }),
);

const any: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: harmless },
  fc.record({ what: fc.constantFrom('rent', 'end rental', 'mute'), phones: target }),
  fc.record({ what: fc.constant('no lists'), minutes: fc.integer({ min: 1, max: 30 }) }),
);

/** Plays a life, and returns the sold milliseconds offline in the logbook and in the month. */
async function play(life: readonly (readonly [event: Event, minutes: number])[]) {
  const clock = createFakeClock();
  const settings = load({ file: CONFIG, environment: { KEY: 'secret' } }).config;
  const start = (earlier: Parameters<typeof createMemory>[2]['earlier']) =>
    createMemory(settings, dependenciesOf({ clock }), {
      ...{ earlier, save: async () => undefined },
      ...{ onChange: () => {}, onEvents: () => {}, settled: async () => {} },
    });
  let memory = start(NOTHING_KNOWN);
  let now = NOON;
  const seen = new Map(PHONES.map((id) => [id, NOON]));
  const off = new Set<string>();
  const idle = new Set<string>();
  const pass = async (minutes: number): Promise<void> => {
    for (let half = 0; half < 2 * minutes; half += 1) {
      now += 30_000;
      clock.advance(30_000);
      for (const id of PHONES) if (!off.has(id)) seen.set(id, now);
      const devices = Array.from(seen, ([id, lastHeartbeatAt]) =>
        healthyDevice({ id, label: id, lastHeartbeatAt, rentalStatus: idle.has(id) ? 'idle' : 'sold' }),
      );
      await observeList(memory, clock, now, devices);
    }
  };
  await pass(20);
  for (const [event, minutes] of life) {
    const meant = 'phones' in event ? PHONES.filter((id) => id.startsWith(event.phones)) : [];
    if (event.what === 'cut') for (const id of meant) off.add(id);
    if (event.what === 'return') for (const id of meant) off.delete(id);
    if (event.what === 'rent') for (const id of meant) idle.delete(id);
    if (event.what === 'end rental') for (const id of meant) idle.add(id);
    if (event.what === 'restart') memory = start(memory.saved());
    if (event.what === 'no lists') {
      now += event.minutes * 60_000;
      clock.advance(event.minutes * 60_000);
    }
    if (event.what === 'mute') {
      const body = JSON.stringify({ devices: meant, for: '20m' });
      const answer = routeOf(memory, '/api/v1/maintenance');
      await answer(requestOf({ method: 'POST', contentType: 'application/json', body: async () => body }));
    }
    await pass(minutes);
  }
  const known = memory.store.snapshot().accounts[0]?.known ?? expect.fail('no account');
  const sum = (all: Iterable<number>): number => [...all].reduce((total, each) => total + each, 0);
  const { incidents, waiting } = LOGBOOK.of(known);
  return {
    logbook: sum(Array.from(incidents.values(), ({ soldMilliseconds }) => soldMilliseconds)),
    waiting: sum(Array.from(waiting?.values() ?? [], ({ soldMilliseconds }) => soldMilliseconds)),
    month: sum(
      Array.from(known.fleet?.devices.values() ?? [], ({ times }) => times.milliseconds.sold_offline ?? 0),
    ),
  };
}

/** Long enough that each offline phone gets its incident. */
const lifeOf = (event: fc.Arbitrary<Event>) =>
  fc.array(fc.tuple(event, fc.integer({ min: 12, max: 30 })), { minLength: 3, maxLength: 8 });

it('the logbook has the sold time offline of the month, whatever is cut, comes back and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(lifeOf(harmless), async (life) => {
      const { logbook, waiting, month } = await play(life);
      expect(logbook + waiting).toBe(month);
    }),
    { numRuns: 60 },
  );
});

it('the logbook never has more than the month, in any life', async () => {
  await fc.assert(
    fc.asyncProperty(lifeOf(any), async (life) => {
      const { logbook, waiting, month } = await play(life);
      expect(logbook + waiting).toBeLessThanOrEqual(month);
    }),
    { numRuns: 60 },
  );
});
