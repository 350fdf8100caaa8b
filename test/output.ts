import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '..');

/** Resolves with the standard output of a program. Rejects with its whole output if it fails. */
export async function outputOf(
  program: string,
  parameters: readonly string[],
  folder = ROOT,
): Promise<string> {
  const child = spawn(program, parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (code !== 0)
    throw new Error(`${program} ${parameters.join(' ')} ended with ${code}: ${said}${complained}`);
  return said.trim();
}
