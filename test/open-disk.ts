import type { Disk } from '../src/base/disk.ts';

/** A disk that never hangs. */
export const openDisk: Disk = { use: async (_, operation) => await operation(), warnings: () => [] };
