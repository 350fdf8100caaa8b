import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage early, for the sake of a small process: it holds a fleet for days and makes little else that
 * lasts. By default the young generation grows to 16 MiB, the old one to several times what is in use, what the first
 * poll keeps is made in the old one ever after, and the parser of HTTP is compiled twice, the second time with 20 MB of
 * scratch memory. That is right for a program that has a machine to itself. What it costs and saves:
 * docs/decisions/0018. To be called again once a thread has been started, since V8 sets some of its flags anew for the
 * heap of that thread, and for all others with it.
 */
export function keepHeapSmall(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

const FLAGS = [
  '--semi-space-growth-factor=1',
  '--heap-growing-percent=60',
  '--no-allocation-site-pretenuring',
  '--liftoff-only',
] as const;
