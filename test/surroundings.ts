import { readFileSync } from 'node:fs';
import type { Surroundings } from '../src/app/monitor.ts';
import { systemClock } from '../src/clock.ts';
import { Secret } from '../src/secret.ts';
import { silentLog } from './silent-log.ts';

/** What the rim gives to a daemon in a test: real time for its sockets, a schedule that never ticks, nothing random. */
export function surroundingsOf(own: Partial<Surroundings> = {}): Surroundings {
  return {
    build: { version: '0.0.0', revision: 'test', nodeVersion: 'v20.18.1' },
    clock: systemClock,
    scheduler: () => ({ intervalSeconds: 30, start: () => {}, stop: () => {} }),
    random: () => 0.5,
    key: () => new Secret('test-key'),
    network: { authorities: undefined, proxies: undefined },
    pause: async () => {},
    readPageFile: (name) => readFileSync(new URL(`../dist/fleet-page/${name}`, import.meta.url)),
    readSetup: () => {
      throw new Error('nothing is reloaded in this test');
    },
    log: silentLog,
    setLogLevel: () => {},
    onLogDropped: () => {},
    ...own,
  };
}
