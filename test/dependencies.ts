import { readFileSync } from 'node:fs';
import { systemClock } from '../src/base/clock.ts';
import { createDisk } from '../src/base/disk.ts';
import { readRegularFile } from '../src/base/files.ts';
import { Secret } from '../src/base/secret.ts';
import type { Dependencies } from '../src/daemon/monitor.ts';
import { CONFIG_SCHEMA, FEATURES } from '../src/features.ts';
import './process-metrics.ts';
import { silentLog } from './silent-log.ts';

/** The dependencies of a daemon in a test: real time for its sockets, a schedule that never ticks, nothing random. */
export function dependenciesOf(own: Partial<Dependencies> = {}): Dependencies {
  return {
    build: { version: '0.0.0', revision: 'test', nodeVersion: 'v20.18.1' },
    clock: systemClock,
    scheduler: () => ({
      intervalSeconds: 30,
      shortestGap: 30_000,
      untilNext: () => 30_000,
      start: () => {},
      stop: () => {},
    }),
    random: () => 0.5,
    key: () => new Secret('test-key'),
    refreshKey: async () => {},
    network: { authorities: undefined, proxies: undefined },
    features: FEATURES,
    schema: CONFIG_SCHEMA,
    disk: createDisk(systemClock, 2),
    stateDisk: createDisk(systemClock, 1),
    readFile: (path) => readRegularFile(path),
    yieldToEventLoop: async () => {},
    readPageFile: (name) => readFileSync(new URL(`../dist/page/${name}`, import.meta.url)),
    readSetup: async () => {
      throw new Error('nothing is reloaded in this test');
    },
    log: silentLog,
    setLogLevel: () => {},
    ...own,
  };
}
