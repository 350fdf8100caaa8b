import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sleep, yieldToEventLoop } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { createVirtualDaemon, type VirtualDaemon } from './virtual-daemon.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-slow-response-'));
let farm: VirtualDaemon;
/** Milliseconds that each operation on a month file takes. */
let delay = 0;

beforeEach(async () => {
  delay = 0;
  farm = await createVirtualDaemon(
    folder,
    {},
    (clock): Disk => ({
      use: async (path, operation) => {
        if (path.endsWith('months') && delay > 0) await sleep(clock, delay, new AbortController().signal);
        return await operation();
      },
      warnings: () => [],
    }),
  );
  await farm.start();
});
afterEach(async () => {
  await farm.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Requests a path over a connection that stays open. */
async function ask(path: string, agent: Agent): Promise<{ readonly port: number | undefined; body: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(new URL(path, farm.url()), { agent }, resolve).on('error', reject);
  });
  const { localPort: port } = response.socket;
  return { port, body: await text(response) };
}

const refusedAsSlow = async (): Promise<string | undefined> =>
  /^hoster_exporter_http_rejected_total\{reason="slow"\} (\d+)$/m.exec(
    (await farm.ask('/metrics')).body,
  )?.[1];

it('a month that takes fifteen seconds to add up is answered', async () => {
  delay = 15_000;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOver = false;
  const asked = ask('/api/v1/month', agent).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    farm.clock.advance(1_000);
    for (let turn = 0; turn < 20; turn += 1) await yieldToEventLoop();
  }
  expect(JSON.parse((await asked).body)).toMatchObject({ by: 'phone' });
  agent.destroy();
  expect(await refusedAsSlow()).toBe('0');
});

it('a connection that is used every fifteen seconds for two minutes stays the same one', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  for (let second = 0; second <= 120; second += 15) {
    ports.add((await ask('/-/healthy', agent)).port);
    for (let passed = 0; passed < 15; passed += 1) {
      farm.clock.advance(1_000);
      await yieldToEventLoop();
    }
  }
  agent.destroy();
  expect(ports.size).toBe(1);
  expect(await refusedAsSlow()).toBe('0');
});
