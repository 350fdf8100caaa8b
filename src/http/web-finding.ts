import { createHash } from 'node:crypto';
import { ConfigError } from '../config/messages.ts';
import { parseWebConfig } from '../config/web/parse.ts';
import { filesOf, readWebSetup } from '../config/web/read.ts';
import type { WebSetup } from '../config/web/web-config.ts';
import type { FileMark } from './files.ts';

/** The file system, as far as it is needed. */
export type Files = {
  readonly mark: (path: string) => Promise<FileMark>;
  /** Rejects with Node's error. */
  readonly read: (path: string) => Promise<string>;
};

/** What a web configuration file and the files that it names were found to hold. */
export type Finding = {
  /** Undefined where it can't be used. */
  readonly setup: WebSetup | undefined;
  readonly problems: readonly string[];
  /** All of these files, and their marks from before they were read. */
  readonly paths: readonly string[];
  readonly marks: readonly string[];
  /** Of all contents, since the contents themselves are secret. */
  readonly digest: string;
  /** Whether a change from now on would show in the marks. */
  readonly isSettled: boolean;
};

/** File systems count time in steps of up to two seconds: of two changes in one step, the second may leave no mark. */
const STEP_MILLISECONDS = 2_000;

/**
 * Reads the file at `path` and those that it names.
 *
 * @param now milliseconds since 1970, by the clock of the file system
 */
export async function find(path: string, files: Files, now: number): Promise<Finding> {
  const marks = new Map<string, FileMark>();
  const contents = new Map<string, string | Error>();
  const fetch = async (each: string): Promise<void> => {
    marks.set(each, await files.mark(each));
    contents.set(each, await files.read(each).catch(asError));
  };
  const read = (each: string): string => {
    const content = contents.get(each) ?? new Error('not read');
    if (typeof content === 'string') return content;
    throw content;
  };
  await fetch(path);
  const named = contents.get(path);
  const others = typeof named === 'string' ? attempt(() => filesOf(parseWebConfig(named, path))).value : [];
  await Promise.all((others ?? []).map(fetch));
  const { value, problems } = attempt(() => readWebSetup(path, read));
  return {
    setup: value,
    problems,
    paths: [...marks.keys()],
    marks: Array.from(marks.values(), ({ text }) => text),
    digest: digestOf([...contents]),
    isSettled: [...marks.values()].every(
      ({ changedAt }) => changedAt !== undefined && Math.abs(now - changedAt) > STEP_MILLISECONDS,
    ),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('unreadable');
}

function digestOf(contents: readonly (readonly [path: string, content: string | Error])[]): string {
  // Sorted, since they were read side by side and came in any order.
  const texts = contents.map(([path, content]) => [path, String(content)]).sort();
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}

function attempt<Value>(act: () => Value): {
  readonly value: Value | undefined;
  readonly problems: readonly string[];
} {
  try {
    return { value: act(), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { value: undefined, problems: error.problems };
    // A bug of ours must not open the door, and need not end the process.
    return {
      value: undefined,
      problems: [`the file could not be understood (${nameOf(error)}): this is a bug`],
    };
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
