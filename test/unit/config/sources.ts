import { type Loaded, loadConfig, type Sources } from '../../../src/config/load.ts';
import { ConfigError } from '../../../src/config/problems.ts';

/** Sources without anything in them, but for what is said; `file` is the text of the file at `/etc/hoster/hoster.yml`. */
export type Said = Partial<Omit<Sources, 'flags' | 'readFile'>> & {
  readonly flags?: Readonly<Record<string, string>>;
  readonly file?: string;
};

/** Loads from nothing but what is said. */
export function load({ flags = {}, file, ...others }: Said): Loaded {
  const named = file === undefined ? {} : { 'config.file': '/etc/hoster/hoster.yml' };
  return loadConfig({
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

/** The problems that are found when `act` is done; none where it succeeds. */
export function problemsOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
