import { Secret } from './secret.ts';

/** Where the key of an account is kept: a file, or a variable of the environment. Never the key itself. */
export type KeySource = { readonly file: string } | { readonly environment: string };

/** A key that can't be had. The message names the source and what to do, and never the key. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/** What may be sent in a header: visible ASCII, without blanks. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * The key as it is now; blanks and line ends around it, which editors leave, are not part of it.
 *
 * @throws KeyError if there is none, or one that can't be sent
 */
export function readKey(
  source: KeySource,
  readFile: (path: string) => string,
  environment: Readonly<Record<string, string | undefined>>,
): Secret {
  const key = 'file' in source ? readKeyFile(source.file, readFile) : environment[source.environment];
  const place = 'file' in source ? `the key file ${source.file}` : `the variable ${source.environment}`;
  const trimmed = key?.trim() ?? '';
  if (trimmed === '') throw new KeyError(`${place} is empty: put the API key into it`);
  if (!SENDABLE.test(trimmed)) {
    throw new KeyError(
      `${place} holds something that can't be sent as a key: expected one word of visible ASCII`,
    );
  }
  return new Secret(trimmed);
}

function readKeyFile(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new KeyError(
      `cannot read the key file ${path} (${code}): create it with the API key in it, readable by this user`,
    );
  }
}
