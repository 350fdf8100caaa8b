import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const MAIN = join(import.meta.dirname, '../dist/main.js');

/** A program of ours or of others that runs beside the test, and what it has said so far. */
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
  let heard = '';
  const listeners = new Set<() => void>();
  const listen = (piece: Buffer): void => {
    heard += piece.toString();
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  return {
    child,
    output: () => heard,
    waitForOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = heard.match(pattern);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        child.once('error', reject);
        child.once('exit', (code) =>
          reject(new Error(`${program} ended with ${code} and never said ${pattern}: ${heard}`)),
        );
        look();
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

/** A port on loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
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
