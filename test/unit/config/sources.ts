import { type ConfigSources, loadConfig } from '../../../src/config/load.ts';
import { ConfigError } from '../../../src/config/messages.ts';
import { CONFIG_SCHEMA } from '../../../src/features.ts';

/** Sources of a configuration; `file` is the text of the file at `/etc/hoster/hoster.yml`. */
export type TestSources = Partial<Omit<ConfigSources, 'schema' | 'flags' | 'readFile'>> & {
  readonly flags?: Readonly<Record<string, string>>;
  readonly file?: string;
};

/** Loads a configuration from these sources only. */
export function load({ flags = {}, file, ...others }: TestSources): ReturnType<typeof loadConfig> {
  const named = file === undefined ? {} : { 'config.file': '/etc/hoster/hoster.yml' };
  return loadConfig({
    schema: CONFIG_SCHEMA,
    environment: {},
    accounts: 'optional',
    ...others,
    flags: new Map(Object.entries({ ...named, ...flags })),
    readFile: (path) => {
      if (path === '/etc/hoster/hoster.yml' && file !== undefined) return file;
      throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    },
  });
}

/** Returns all values of a configuration, including the features'. */
export function valuesOf({ config }: ReturnType<typeof load>): Readonly<Record<string, unknown>> {
  return CONFIG_SCHEMA.file.parse(config.content);
}

/** Returns the problems of the ConfigError that `act` throws; none if it succeeds. */
export function problemsOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
