import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { freePort, MAIN, type Running, start } from '../../process.ts';
import { runCommand } from '../../run-command.ts';
import { place } from './test-server.ts';

/*
 * The built program with a web configuration file: its worker for passwords is a file of the bundle.
 */

const running: Running[] = [];

/** Stops the daemons that were started, for `afterAll` of each test file. */
export async function stopDaemons(): Promise<void> {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
}

export type Daemon = Running & {
  readonly url: string;
  /** Flags of a command for this daemon. */
  readonly flags: readonly string[];
  readonly rewrite: (content: string) => void;
};

let files = 0;

/** Starts a demo with this web configuration file. */
export async function startDaemon(content: string, ...parameters: readonly string[]): Promise<Daemon> {
  files += 1;
  const name = `program-${files}.yml`;
  const port = await freePort();
  const flags = [`--web.listen-address=127.0.0.1:${port}`, `--web.config.file=${place(name, content)}`];
  const daemon = start(process.execPath, [MAIN, 'demo', '--phones=5', ...flags, ...parameters]);
  running.push(daemon);
  const [, url = ''] = await daemon.waitForOutput(/Metrics\s+(\S+)\/metrics/);
  return { ...daemon, url, flags, rewrite: (again) => void place(name, again) };
}

type ProgramResult = { readonly code: number | null; readonly out: string; readonly error: string };

/** Runs the program to its end; as a process, if it reads `input` from its standard input. */
export async function runProgram(parameters: readonly string[], input?: string): Promise<ProgramResult> {
  if (input === undefined) return await runCommand(parameters);
  const child = spawn(process.execPath, [MAIN, ...parameters], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const [[code], out, error] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, error };
}
