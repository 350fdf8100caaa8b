import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../config/messages.ts';
import type { WebSetup } from '../config/web/web-config.ts';
import { withdrawnProtections } from '../config/web/withdrawn.ts';
import type { Log } from '../log.ts';
import { type Files, type Finding, find } from './web-finding.ts';

/** The web configuration file while the server runs. */
export type WebFile = {
  /** What it said at the start. */
  readonly initial: WebSetup;
  /**
   * What it says now, the same object as long as that is the same; undefined where it can't be used. Costs a look at the
   * file system; the files are read only when they changed.
   */
  readonly look: () => Promise<WebSetup | undefined>;
};

/**
 * @param now milliseconds since 1970, by the clock of the file system
 * @throws ConfigError if the file can't be used
 */
export async function openWebFile(path: string, files: Files, now: () => number, log: Log): Promise<WebFile> {
  let found = await find(path, files, now());
  if (found.setup === undefined) throw new ConfigError(found.problems);
  const initial = found.setup;
  let lastGood = initial;
  let looking: Promise<WebSetup | undefined> | undefined;

  const refresh = async (): Promise<WebSetup | undefined> => {
    const marks = await Promise.all(found.paths.map(async (each) => (await files.mark(each)).text));
    if (found.isSettled && isDeepStrictEqual(marks, found.marks)) return found.setup;
    const next = await find(path, files, now());
    const { digest, setup, problems } = found;
    if (next.digest === digest) {
      found = { ...next, setup, problems };
      return setup;
    }
    found = withoutLoss(next, lastGood, path);
    tell(log, path, problems, found, initial);
    lastGood = found.setup ?? lastGood;
    return found.setup;
  };
  return {
    initial,
    look: () => {
      // Those who ask meanwhile share one look, which began a moment ago.
      looking ??= refresh().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

/** A file without a protection that was in force counts as one that can't be used. */
function withoutLoss(next: Finding, before: WebSetup, path: string): Finding {
  const lost = next.setup === undefined ? [] : withdrawnProtections(before.config, next.setup.config);
  if (lost.length === 0) return next;
  const problems = lost.map((name) => `${path}: ${name} is gone; only a restart takes a protection away`);
  return { ...next, setup: undefined, problems };
}

/** One line when the file goes bad, for each way in which it is bad, and one when it is good again. */
function tell(
  log: Log,
  path: string,
  before: readonly string[],
  { setup, problems }: Finding,
  initial: WebSetup,
): void {
  if (setup === undefined) {
    if (isDeepStrictEqual(problems, before)) return;
    log.error({ problems }, 'the web configuration can not be used: nobody is let in until it is mended');
    return;
  }
  const settings = fixedSettings(initial, setup);
  log.info(
    { path },
    before.length > 0 ? 'the web configuration is good again' : 'the web configuration changed',
  );
  if (settings.length > 0) {
    log.warn({ settings }, 'some settings of the web configuration change only with a restart');
  }
}

/** Settings that are not as they were at the start, and can't change before the next one. */
function fixedSettings({ config: initial }: WebSetup, { config: now }: WebSetup): readonly string[] {
  return [
    ...((initial.tls === undefined) === (now.tls === undefined) ? [] : ['tls_server_config']),
    ...(isDeepStrictEqual(initial.rateLimit, now.rateLimit) ? [] : ['rate_limit']),
  ];
}
