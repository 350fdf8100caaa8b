import { isAbsolute } from 'node:path';
import type { Fit } from './fit.ts';

/**
 * The path of a file that the exporter writes. It has to be absolute: relative to what, a daemon, its supervisor and its
 * configuration file would each answer differently.
 */
export function parseAbsolutePath(text: string): Fit<string> {
  const fits = isAbsolute(text) && !/[\0\n]/.test(text) && !/[/\\]$/.test(text) && text.length <= 4096;
  return fits
    ? { value: text }
    : { expected: 'an absolute path such as /var/lib/hoster-exporter/state.json' };
}

/** The path of a file that is read, if there is one; an empty text names none, as in the flags of other exporters. */
export function parseOptionalPath(text: string): Fit<string | undefined> {
  if (text === '') return { value: undefined };
  return /^[^\0\n]{1,4096}$/.test(text) ? { value: text } : { expected: 'the path of a file' };
}
