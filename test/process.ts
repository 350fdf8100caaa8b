import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createHeard } from './heard.ts';

/** The bundled program of the packages and the image. It starts in half the time. */
export const MAIN = join(import.meta.dirname, '../.build/bundle/dist/main.js');

/** A program, ours or another, that runs alongside the test, and its output so far. */
export type Running = {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves when the program has said this. */
  readonly waitForOutput: (pattern: RegExp) => Promise<RegExpMatchArray>;
  /** Asks it to end, and resolves with its exit code. */
  readonly stop: () => Promise<number | null>;
};

/** @param stdio where its standard streams go; what does not go into a pipe is not heard */
export function start(
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
): Running {
  const child = spawn(program, parameters, {
    env: { PATH: process.env['PATH'], ...environment },
    stdio,
  });
  const { hear, output, waitFor } = createHeard();
  const listen = (piece: Buffer): void => hear(piece.toString());
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  return {
    child,
    output,
    waitForOutput: (pattern) =>
      waitFor(pattern, (fail) => {
        child.once('error', ({ message }) => fail(`${program} did not start: ${message}`));
        child.once('exit', (code) => fail(`${program} ended with ${code}`));
      }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}

/**
 * A port on loopback that nobody listens on now. It is below those that the system gives to connections and to listeners
 * on port 0 (32,768 and more on Linux): one of them could take it before the program under test does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    // `once` rejects with an error of the server: somebody listens there.
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (free) return port;
  }
}

export type Answer = { readonly status: number; readonly body: string };

export function get(url: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent: false }, async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) });
    });
    asked.on('error', reject);
    asked.end();
  });
}
