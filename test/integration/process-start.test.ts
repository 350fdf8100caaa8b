import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { MAIN, type Running, start } from '../process.ts';

/*
 * Signals that the built program gets while it starts.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-start-'));
const injected = join(folder, 'injected.mjs');

/** Sends a signal some turns of the event loop after the first line of the program, which listens to SIGUSR1. */
writeFileSync(
  injected,
  `const { SENT_SIGNAL, SENT_AFTER } = process.env;
  const send = (turns) => {
    if (turns === 0) process.kill(process.pid, SENT_SIGNAL);
    else setImmediate(() => send(turns - 1));
  };
  const listen = (event) => {
    if (event !== 'SIGUSR1') return;
    process.off('newListener', listen);
    queueMicrotask(() => send(Number(SENT_AFTER)));
  };
  process.on('newListener', listen);`,
);

afterAll(() => rmSync(folder, { recursive: true }));

function startSignalled(signal: NodeJS.Signals, turns: number, command: readonly string[]): Running {
  return start(
    process.execPath,
    [MAIN, ...command, '--client.timeout=5m', '--web.listen-address=127.0.0.1:0'],
    {
      // An address of no machine (RFC 5737).
      HOSTER_API_URL: 'https://192.0.2.1',
      HOSTER_API_KEY: 'canary-key',
      NODE_OPTIONS: `--import=${pathToFileURL(injected)}`,
      SENT_SIGNAL: signal,
      SENT_AFTER: String(turns),
    },
  );
}

async function endOf({ child }: Running): Promise<readonly [number | null, NodeJS.Signals | null]> {
  await once(child, 'close');
  return [child.exitCode, child.signalCode];
}

/** From the first line of the program to its first polls. */
const TURNS = [0, 100, 1_000, 10_000];

describe.each(['SIGTERM', 'SIGINT'] as const)('%s while the program starts', (signal) => {
  it.concurrent.for(TURNS)(
    'ends the daemon with code 0, %d turns of the event loop after the first line',
    async (turns) => {
      expect(await endOf(startSignalled(signal, turns, []))).toEqual([0, null]);
    },
  );

  it.concurrent('ends the command once with code 1, since it printed nothing', async () => {
    const running = startSignalled(signal, 0, ['once']);
    expect(await endOf(running)).toEqual([1, null]);
    expect(running.output()).toBe('');
  });
});

describe('SIGHUP while the program starts', () => {
  it.concurrent.for(TURNS)(
    'reloads the daemon when it has started, %d turns of the event loop after the first line',
    async (turns) => {
      const running = startSignalled('SIGHUP', turns, ['run']);
      await running.waitForOutput(/msg=listening.*configuration reloaded/s);
      expect(await running.stop()).toBe(0);
    },
  );

  it.concurrent('ends another command by the signal, as the end of a terminal does', async () => {
    expect(await endOf(startSignalled('SIGHUP', 100, ['demo']))).toEqual([null, 'SIGHUP']);
  });
});
