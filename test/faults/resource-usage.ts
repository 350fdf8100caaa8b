import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resources of this process. */
export type ResourceUsage = {
  readonly heapBytes: number;
  /** Open file descriptors; 0 if the system does not report it. */
  readonly descriptors: number;
  /** Timers, sockets, servers and requests that Node knows of. */
  readonly resources: number;
};

/**
 * By how many descriptors two looks may differ that found another number of idle connections: of up to eight, the
 * default of `client.concurrency`, both ends are in this process.
 */
export const IDLE_DESCRIPTORS = 2 * 8;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Measures the resources of this process after a garbage collection. */
export async function measureResources(): Promise<ResourceUsage> {
  // What a promise or a closing handle holds is let go of some turns later.
  for (let turn = 0; turn < 5; turn += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    heapBytes: process.memoryUsage().heapUsed,
    descriptors: countDescriptors(),
    resources: process.getActiveResourcesInfo().length,
  };
}

function countDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
