import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { ROOT } from './shipped.ts';

/** Output of a program, and its exit code. */
export type Ended = { readonly code: number; readonly said: string };

/**
 * Runs a program in the project's folder to its end, with the lowest priority: promtool computes for a minute, and other
 * tests play in real time meanwhile.
 *
 * @throws Error where the program is not installed: a check that can't be made has not passed
 */
export function run(program: string, parameters: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      parameters,
      // Collecting garbage would be a sixth of what promtool computes.
      { cwd: ROOT, maxBuffer: 2 ** 24, env: { ...process.env, GOGC: '400' } },
      (error, output, errors) => {
        if (error?.code === 'ENOENT') {
          reject(
            new Error(
              `${program} is not installed. On Debian: apt-get install prometheus prometheus-alertmanager`,
            ),
          );
          return;
        }
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
        resolve({ code, said: `${output}${errors}` });
      },
    );
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  });
}
