import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds of CPU that a process has used until now, all its threads together (Linux only). */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** Bytes of memory that a process holds now, and the most it ever held (Linux only). */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = read(`/proc/${pid}/status`);
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { now: kibibytes('VmRSS') * 1024, peak: kibibytes('VmHWM') * 1024 };
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Milliseconds of CPU that this process has used until now. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Watches how late the event loop of this process is. */
export type DelayWatch = {
  /** The longest delay in milliseconds since it was last asked for; about 1 where nothing happened. */
  readonly longest: () => Promise<number>;
};

export function watchDelay(): DelayWatch {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  return {
    longest: async () => {
      // A delay counts when the next tick comes, so it must come first.
      await sleep(10);
      const longest = histogram.max / 1e6;
      histogram.reset();
      // The first gap after a reset is not seen.
      await sleep(20);
      return longest;
    },
  };
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The exponent k of the power law `cost = c · size^k` that fits best: 1 is linear. */
export function exponent(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const mean = (index: 0 | 1): number => logs.reduce((sum, point) => sum + point[index], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
