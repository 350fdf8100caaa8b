import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Running, start } from '../process.ts';
import type { Image } from './engine.ts';

/**
 * Prepares the file system of a container as an engine does, before it starts the program as process 1:
 * nothing of it can be written, and the user of the image is in force.
 */
const CONTAIN = `set -e
root=$1 user=$2
shift 2
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" --groups= "$root" "$@"`;

export type Contained = Running & {
  /** The number of the program, as this machine counts. */
  readonly pid: () => number;
  /** Sends a signal to the program; resolves with its exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
};

/** Starts a program in the file system of an image, in the network of this machine. */
export function startContained(
  image: Image,
  root: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Contained {
  const parameters = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    CONTAIN,
    'sh',
    root,
    image.user,
  ];
  const running = start('unshare', [...parameters, ...command], { ...image.environment, ...environment });
  const { child } = running;
  // unshare itself pays no attention to signals; the program is its only child.
  const pid = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
  return {
    ...running,
    pid,
    end: async (signal) => {
      const exited = once(child, 'close');
      process.kill(pid(), signal);
      await exited;
      return child.exitCode;
    },
  };
}

/** Runs a program to its end, and gives its exit code and what it output. */
export async function runContained(
  ...contained: Parameters<typeof startContained>
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, output } = startContained(...contained);
  await once(child, 'close');
  return { code: child.exitCode, output: output() };
}
