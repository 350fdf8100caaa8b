import { ConfigError } from '../messages.ts';
import { readMaterial } from './material.ts';
import { parseWebConfig } from './parse.ts';
import { checkSecureContext } from './secure-context.ts';
import type { WebConfig, WebSetup } from './web-config.ts';

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'no such file: create it, or name another one with --web.config.file',
  EACCES: 'this user may not read it',
  EISDIR: 'a folder, expected a file',
};

/**
 * The web configuration at a path with all that it leads to.
 *
 * @param readFile gives the text of a file; throws Node's error if it can't be read
 * @throws ConfigError with what is wrong with the file, or else with the certificates and keys that it names
 */
export function readWebSetup(path: string, readFile: (path: string) => string): WebSetup {
  const config = parseWebConfig(textAt(path, readFile), path);
  if (config.tls === undefined) return { config, material: undefined };
  const material = readMaterial(config.tls, readFile);
  checkSecureContext(config.tls, material);
  return { config, material };
}

/** The other files that a web configuration names, as absolute as its own path is. */
export function filesOf({ tls }: WebConfig): readonly string[] {
  return [tls?.certificate, tls?.key, tls?.clientAuthorities].flatMap((source) =>
    source !== undefined && 'file' in source ? [source.file] : [],
  );
}

function textAt(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError([`${path}: ${READING[code] ?? `can't be read (${code})`}`]);
  }
}
