import { openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics, type HeapInfo, type HeapSpaceInfo } from 'node:v8';
import { type Collections, watchGarbage } from './garbage.ts';

/** What the process sees of itself at one moment. What only Linux tells is undefined elsewhere. */
export type Look = {
  /** Microseconds since the process began. */
  readonly cpu: NodeJS.CpuUsage;
  readonly memory: Memory;
  readonly openFiles: number | undefined;
  /** Of what kind each thing is that the event loop waits for: as Node calls it, and as its classes are called. */
  readonly resources: readonly string[];
  readonly handles: readonly string[];
  readonly requests: readonly string[];
  readonly heap: HeapInfo;
  readonly spaces: readonly HeapSpaceInfo[];
  readonly garbage: readonly Collections[];
  /** How late the event loop was since the last look, in seconds. */
  readonly lag: { readonly max: number; readonly p99: number };
};

/** Bytes. */
export type Memory = {
  readonly resident: number;
  readonly virtual: number | undefined;
  readonly data: number | undefined;
};

/** What stays the same for as long as the process lives. */
export type Origin = {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The most files that may be open at once. */
  readonly mostFiles: number | undefined;
  /** Of Node.js. */
  readonly version: string;
};

/** Milliseconds between two looks at the event loop, as prom-client has it. */
const RESOLUTION = 10;

export function processOrigin(): Origin {
  const limits = onLinux(() => readFileSync('/proc/self/limits', 'utf8'));
  const mostFiles = /^Max open files\s+(\S+)/m.exec(limits ?? '')?.[1];
  return {
    startedAt: performance.timeOrigin,
    mostFiles: mostFiles === undefined ? undefined : Number(mostFiles),
    version: process.version,
  };
}

/** Begins to watch the event loop and the collections of garbage. */
export function createProcessLook(): () => Look {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const readMemory = createMemoryReader();
  const garbage = watchGarbage();
  return () => {
    const lag = { max: delay.max / 1e9, p99: delay.percentile(99) / 1e9 };
    delay.reset();
    return {
      cpu: process.cpuUsage(),
      memory: readMemory(),
      openFiles: onLinux(countOpenFiles),
      resources: process.getActiveResourcesInfo(),
      handles: classesOf('_getActiveHandles'),
      requests: classesOf('_getActiveRequests'),
      // From V8 itself, since `process.memoryUsage` reads a file for a number that is not among them.
      heap: getHeapStatistics(),
      spaces: getHeapSpaceStatistics(),
      garbage: garbage(),
      lag,
    };
  };
}

/** Undefined where there is no such file. */
function onLinux<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The file stays open, since to open it takes three times as long as to read it. */
function createMemoryReader(): () => Memory {
  const file = onLinux(() => openSync('/proc/self/status', 'r'));
  if (file === undefined) {
    return () => ({ resident: process.memoryUsage.rss(), virtual: undefined, data: undefined });
  }
  const room = Buffer.alloc(STATUS_BYTES);
  return () => {
    const status = room.toString('latin1', 0, readSync(file, room, 0, STATUS_BYTES, 0));
    const bytes = (pattern: RegExp): number => Number(pattern.exec(status)?.[1]) * 1024;
    return { resident: bytes(RESIDENT), virtual: bytes(VIRTUAL), data: bytes(DATA) };
  };
}

/** Three times what Linux writes there. */
const STATUS_BYTES = 4096;

const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;
const VIRTUAL = /^VmSize:\s+(\d+) kB$/m;
const DATA = /^VmData:\s+(\d+) kB$/m;

const OPEN_FILES = '/proc/self/fd';

/** Linux tells the number as the size of the directory from 6.2 on; before, it has to be read, which is one more file. */
function countOpenFiles(): number {
  const { size } = statSync(OPEN_FILES);
  return size > 0 ? size : readdirSync(OPEN_FILES).length - 1;
}

/** Names of the classes of what an undocumented function of Node lists, as prom-client tells them. */
function classesOf(list: '_getActiveHandles' | '_getActiveRequests'): readonly string[] {
  const listed: unknown = Reflect.get(process, list)?.();
  return Array.isArray(listed) ? listed.flatMap((each) => each?.constructor?.name ?? []) : [];
}
