import { permissionAdvice, readErrorText } from './files.ts';
import type { Log } from './log.ts';
import { Secret } from './secret.ts';

export type KeySource = { readonly file: string } | { readonly environment: string };

/** A key that can't be read. The message names the source and what to do, never the key. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/** A line of a script, environment file or YAML: `export API_KEY=…`, `key: …`. A key may end with =, like base64. */
const ASSIGNMENT = /^(?:export\s+)?[\w-]*(?:key|token|secret)[\w-]*(?:\s*=\s*[^=\s]|\s*:\s)/i;

const QUOTED = /^(?:".*"|'.*'|<.*>)$/s;

/** Characters that are allowed in a header: visible ASCII, without spaces. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * Reads the API key, trimmed.
 *
 * @throws KeyError if the key is missing or can't be sent in a header
 */
export function readKey(
  source: KeySource,
  readFile: (path: string) => string,
  environment: Readonly<Record<string, string | undefined>>,
): Secret {
  const key = 'file' in source ? readKeyFile(source.file, readFile) : environment[source.environment];
  const place = 'file' in source ? `the key file ${source.file}` : `the variable ${source.environment}`;
  return parseKey(key ?? '', place);
}

/** Parses the text of a key. Messages name its source as `place`. */
export function parseKey(text: string, place: string): Secret {
  const trimmed = text.trim();
  if (trimmed === '') throw new KeyError(`${place} is empty: put the API key into it`);
  if (ASSIGNMENT.test(trimmed))
    throw new KeyError(
      `${place} has a name before the key (NAME=…), expected only the key: remove the name and the = or : after it`,
    );
  if (QUOTED.test(trimmed))
    throw new KeyError(`${place} has quotes or brackets around the key, expected only the key: remove them`);
  if (!SENDABLE.test(trimmed))
    throw new KeyError(
      `${place} contains something that cannot be sent as a key: expected one word of visible ASCII`,
    );
  return new Secret(trimmed);
}

/** Letters and digits: more likely a key than a word or a file name. */
const LIKE_KEY = /(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{8,}$/;

/** Returns text for a message, without any part that may be a key. */
export function hideKey(text: string): string {
  return text.replace(LIKE_KEY, '[not shown]');
}

function readKeyFile(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (error) {
    const reason = readErrorText(error);
    throw new KeyError(
      `cannot read the key file ${reason === 'ENOENT' ? hideKey(path) : path} (${reason})${adviceFor(reason)}`,
    );
  }
}

function adviceFor(reason: string): string {
  if (reason === 'EACCES') return `: ${permissionAdvice()}`;
  if (reason === 'EISDIR') return ': a folder, expected a file with the API key in it';
  return reason === 'ENOENT' ? ': create it with the API key in it, readable by this user' : '';
}

/** An account's key, which may be replaced at its source while the daemon runs. */
export type AccountKey = {
  /** Returns the last key that could be read. */
  readonly current: () => Secret;
  /** Reads the source again. A failure changes nothing. */
  readonly refresh: () => void;
};

/**
 * Reads a key and keeps it.
 *
 * @param read throws a KeyError if there is no key; so does this function, since there is no earlier key to keep
 * @param onError is called whenever it cannot be read again
 */
export function createAccountKey(read: () => Secret, onError: () => void, log: Log): AccountKey {
  let key = read();
  let readable = true;
  return {
    current: () => key,
    refresh: () => {
      try {
        const found = read();
        if (!readable) log.info({}, 'the key can be read again');
        readable = true;
        if (found.equals(key)) return;
        key = found;
        log.info({}, 'the key was replaced');
      } catch (error) {
        onError();
        if (readable) log.warn({ error }, 'the key cannot be read again: the last one stays in use');
        readable = false;
      }
    },
  };
}
