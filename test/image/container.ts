import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Running, start } from '../process.ts';
import type { Image } from './engine.ts';

/**
 * Prepares the file system of a container as an engine does, before it starts the program as process 1:
 * nothing of it can be written, and the user of the image is in force.
 */
const CONTAIN = `set -e
root=$1 user=$2 volumes=$3 path=$PATH
shift 3
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
for volume in $volumes; do mount --bind "\${volume%:*}" "$root\${volume#*:}"; done
exec env PATH="$path" /usr/sbin/chroot --userspec="$user" --groups= "$root" "$@"`;

export type Contained = Running & {
  /** The number of the program, as this machine counts. */
  readonly pid: () => number;
  /** Sends a signal to the program; resolves with its exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
};

/**
 * Starts a program in the file system of an image, in the network of this machine.
 *
 * @param volumes folders and their places in the container, as `FOLDER:PLACE`
 */
export function startContained(
  image: Image,
  root: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  volumes: readonly string[] = [],
): Contained {
  const parameters = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    '/bin/sh',
    '-c',
    CONTAIN,
    'sh',
    root,
    image.user,
    volumes.join(' '),
  ];
  const running = start('/usr/bin/unshare', [...parameters, ...command], {
    ...image.environment,
    ...environment,
  });
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
