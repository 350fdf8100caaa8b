import { isDeepStrictEqual } from 'node:util';
import type { Config } from './schema.ts';

/** The settings that can't change while the daemon runs, and where they stand. */
const FIXED: readonly (readonly [name: string, read: (config: Config) => unknown])[] = [
  ['web.listen_address', ({ web }) => web.listenAddress],
  ['web.telemetry_path', ({ web }) => web.telemetryPath],
  ['web.config_file', ({ web }) => web.configFile],
  ['log.format', ({ log }) => log.format],
  ['state.file', ({ state }) => state.file],
  ['state.interval', ({ state }) => state.intervalMilliseconds],
  ['shard.index', ({ shard }) => shard.index],
  ['shard.total', ({ shard }) => shard.total],
];

/** What comes of a new configuration without a restart. */
export type Applicable = {
  readonly config: Config;
  /** Names of the settings that keep their old values in it, although others were asked for. */
  readonly pending: readonly string[];
};

/** The part of a new configuration that can be applied to a daemon that runs with an old one. */
export function withoutRestart(running: Config, wanted: Config): Applicable {
  return {
    config: {
      ...wanted,
      web: running.web,
      log: { ...wanted.log, format: running.log.format },
      state: running.state,
      shard: running.shard,
    },
    pending: FIXED.filter(([, read]) => !isDeepStrictEqual(read(running), read(wanted))).map(
      ([name]) => name,
    ),
  };
}
