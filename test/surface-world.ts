import { createServer } from 'node:http';
import * as z from 'zod';
import { createMemory, type Memory } from '../src/daemon/memory.ts';
import { createConversation } from '../src/features/chat/conversation.ts';
import { createExporter } from '../src/features/chat/exporter.ts';
import { DAYS } from '../src/features/month/days.ts';
import { FEATURES } from '../src/features.ts';
import { buildFleetDocument } from '../src/fleet/build.ts';
import { type FleetDocument, fleetParser } from '../src/fleet/document.ts';
import { NOTHING_KNOWN } from '../src/model/account.ts';
import { afterFailedPoll, afterSuccessfulPoll, NEVER_POLLED, withAge } from '../src/poll/freshness.ts';
import { language } from '../src/text/say.ts';
import { healthyDevice, NOON } from './builders.ts';
import { dependenciesOf } from './dependencies.ts';
import { createFakeClock } from './fake-clock.ts';
import { observeList } from './observed-list.ts';
import { requestOf, routeOf } from './route-sources.ts';
import { runCommand } from './run-command.ts';
import { load } from './unit/config/sources.ts';

const MINUTE = 60_000;
const STALENESS = { dueIn: 30_000, slack: 30_000, staleAfter: 15 * MINUTE };

/** An account of a test, with its currency; '' for none. */
export type TestAccount = readonly [name: string, currency: string];

/** A daemon without a network, with two racks of six sold phones an account, whose names are equal in each account. */
export function createSurfaceWorld(accounts: readonly TestAccount[], zone = 'Europe/Kyiv', slots = 6) {
  const clock = createFakeClock();
  const file = `
accounts:
${accounts.map(([name, currency]) => `  - { name: ${name}, api_url: "https://api.example.com", api_key_env: KEY${currency && `, currency: ${currency}`} }`).join('\n')}
time_zone: ${zone}
offline: { after: 5m }
prices: [{ cents_per_day: 1440 }]
web: { enable_changes: true }
months: { directory: /nonexistent/months }
`;
  const settings = load({ file, environment: { KEY: 'secret' } }).config;
  const memory: Memory = createMemory(settings, dependenciesOf({ clock }), {
    ...{ earlier: NOTHING_KNOWN, save: async () => undefined },
    ...{ onChange: () => {}, onEvents: () => {}, settled: async () => {} },
  });
  let apiTime = NOON;
  let lastPoll = NEVER_POLLED;
  const phones = accounts.flatMap(([account]) =>
    [1, 2].flatMap((rack) =>
      Array.from({ length: slots }, (_, slot) => ({
        ...{ account, label: `rack-0${rack}/slot-0${slot + 1}`, seenAt: NOON },
        id: `${account}-${rack}${slot + 1}`,
      })),
    ),
  );
  const off = new Set<string>();
  const post = async (path: string, body: object): Promise<{ status: number; text: string }> => {
    const text = JSON.stringify(body);
    const { status, content } = await routeOf(
      memory,
      path,
    )(requestOf({ method: 'POST', contentType: 'application/json', body: async () => text }));
    return { status, text: Buffer.concat(content).toString() };
  };
  const get = async (path: string): Promise<string> => {
    if (path.startsWith('/api/v1/fleet')) return await documentText();
    const { pathname, searchParams } = new URL(path, 'http://exporter');
    const { content } = await routeOf(memory, pathname)(requestOf({ query: searchParams }));
    return Buffer.concat(content).toString();
  };
  const documentText = async (): Promise<string> => {
    const exporter = {
      ...{ version: '0', pollSeconds: { devices: 30, tunnels: 30, balance: 30 } },
      ...{ allowsChanges: true, timeZone: zone },
    };
    let whole = await buildFleetDocument(memory.store.snapshot(), exporter, async () => {}, settings.prices);
    for (const feature of memory.features) whole = { ...whole, ...feature.document?.(whole) };
    return JSON.stringify(whole);
  };
  return {
    ...{ memory, now: () => apiTime, post, get },
    /** Turns phones off or on, by a part of their id. */
    turn: (part: string, isOff: boolean): void => {
      for (const { id } of phones) if (id.includes(part)) off[isOff ? 'add' : 'delete'](id);
    },
    pass: async (minutes: number): Promise<void> => {
      for (let half = 0; half < 2 * minutes; half += 1) {
        apiTime += 30_000;
        clock.advance(30_000);
        lastPoll = afterSuccessfulPoll(clock.now(), clock.uptime());
        for (const phone of phones) if (!off.has(phone.id)) phone.seenAt = apiTime;
        for (const [name] of accounts) {
          const devices = phones
            .filter(({ account }) => account === name)
            .map(({ id, label, seenAt }) => healthyDevice({ id, label, lastHeartbeatAt: seenAt }));
          await observeList(memory, clock, apiTime, devices, name);
          await memory.judge.observe({
            ...{ name, poll: { name, collector: 'balance', polled: lastPoll } },
            observation: {
              ...{ kind: 'balance', elapsed: 30_000, apiTime },
              balance: { availableCents: 12_345, pendingCents: 600, totalCents: 12_945 },
            },
          });
        }
        if (half === 0)
          for (const [name] of accounts)
            await memory.judge.observe({
              ...{ name, poll: undefined },
              observation: DAYS.observation({ started: { date: '2026-03-01', zone, midnight: NOON } }),
            });
      }
    },
    /** Lets time pass in which no list can be read. */
    fail: async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 1) {
        apiTime += MINUTE;
        clock.advance(MINUTE);
        const polled = withAge(afterFailedPoll(lastPoll, 'timeout', clock.now()), clock.uptime(), STALENESS);
        for (const [name] of accounts)
          await memory.judge.observe({
            ...{ name, poll: { name, collector: 'devices', polled } },
            observation: {
              ...{ kind: 'failure', elapsed: MINUTE, collector: 'devices' },
              ...{ reason: 'timeout', at: apiTime },
            },
          });
      }
    },
    fleet: async (): Promise<FleetDocument> =>
      fleetParser(FEATURES)(await documentText()) ?? expectDocument(),
    /** Answers a message in the chat. */
    chat: async (text: string): Promise<string> => {
      const exporter = createExporter(
        async (method, path, body) => {
          const date = new Date(apiTime).toUTCString();
          if (method === 'GET') return { status: 200, content: await get(path), date };
          const { status, text: content } = await post(path, body ?? {});
          return { status, content, date };
        },
        fleetParser(FEATURES),
        zone,
        clock,
      );
      const parts = FEATURES.flatMap((feature) => feature.chat?.() ?? []);
      const answer = await createConversation(exporter, clock, () => 0.5, parts).answer(7, text, 'Anna');
      return answer.text.replaceAll(/[\uE000\uE001]/g, '');
    },
    /** Runs a command against this daemon. */
    command: async (...argv: readonly string[]): Promise<string> => {
      const server = createServer((request, response) => {
        void get(request.url ?? '').then((text) =>
          response.setHeader('date', new Date(apiTime).toUTCString()).end(text),
        );
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = z.object({ port: z.number() }).parse(server.address());
      const environment = {
        ...{ HOSTER_API_URL: 'https://api.example.com', HOSTER_API_KEY: 'secret' },
        HOSTER_LANGUAGE: language(),
      };
      const { code, out, error } = await runCommand([...argv, `--url=http://127.0.0.1:${port}`], environment);
      server.close();
      if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${error}`);
      return out;
    },
  };
}

export type SurfaceWorld = ReturnType<typeof createSurfaceWorld>;

function expectDocument(): never {
  throw new Error('the fleet document cannot be read');
}
