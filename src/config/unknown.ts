import { nearest } from './nearest.ts';
import { isSecretName } from './problems.ts';
import { SETTINGS } from './settings.ts';

/*
 * Names that are none of ours, and what was probably meant by them.
 */

/** What to say of a key of the file that is no setting; `path` is its path in the manner of `accounts[].api_url`. */
export function unknownKey(path: string): string {
  const cut = path.lastIndexOf('.') + 1;
  const key = path.slice(cut);
  const names = SETTINGS.map(({ name }) => name);
  const nearby = names.filter((name) => name.startsWith(path.slice(0, cut)));
  const neighbours = [...new Set(nearby.map((name) => name.slice(cut).replace(/[[.].*/, '')))];
  const meant = nearest(key, neighbours);
  if (meant !== undefined) return `unknown key; did you mean ${meant}?`;
  if (isSecretName(key)) {
    return 'unknown key; the API key never stands in this file: write api_key_file, the path of a file that holds it';
  }
  const elsewhere = names.find((name) => name.endsWith(`.${key}`));
  if (elsewhere !== undefined) return `unknown key; did you mean ${elsewhere}?`;
  return `unknown key, expected one of ${neighbours.join(', ')}`;
}

/** What to say of a flag that is none; `flags` are those that exist, without hyphens. */
export function unknownFlag(flag: string, flags: readonly string[]): string {
  const meant = nearest(flag, flags);
  if (meant !== undefined) return `unknown flag; did you mean --${meant}?`;
  if (isSecretName(flag)) {
    return 'unknown flag; a key never travels on the command line: use --api.key-file or HOSTER_API_KEY_FILE';
  }
  return 'unknown flag; --help lists those that exist';
}

/** What to say of a variable that begins like ours and is none. */
export function unknownVariable(variable: string, variables: readonly string[]): string {
  const meant = nearest(variable, variables);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return `${variable}: set, but nothing reads it${hint}`;
}
