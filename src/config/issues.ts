import type { z } from 'zod';
import { valueAt } from './overlay.ts';
import { showKind, showText, showValue } from './problems.ts';
import { SETTINGS } from './settings.ts';
import { unknownKey } from './unknown.ts';

type Path = readonly PropertyKey[];

/** The sentences for what the schema refused; `origin` names where something stands. */
export function problemsOf(
  issue: z.core.$ZodIssue,
  content: unknown,
  origin: (path: Path) => string,
): readonly string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return `${origin(path)}: ${pathText(path)}: ${unknownKey(nameOf(path))}`;
    });
  }
  const { path, message } = issue;
  const value = valueAt(content, path);
  // What stands where a map or a list belongs may be anything, a key in a bare text included.
  const isSetting = SETTINGS.some(({ name }) => name === nameOf(path));
  const got = isSetting ? showValue(nameOf(path), value) : showKind(value);
  return [
    `${origin(path)}: ${path.length === 0 ? '' : `${pathText(path)}: `}got ${got}, expected ${message}`,
  ];
}

/** A path for people: `accounts[0].api_url`. */
export function pathText(path: Path): string {
  return joined(path, (index) => `[${index}]`);
}

/** A path as settings are named: `accounts[].api_url`. */
function nameOf(path: Path): string {
  return joined(path, () => '[]');
}

function joined(path: Path, item: (index: number) => string): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return text + item(step);
    const key = /^[\w-]{1,60}$/.test(String(step)) ? String(step) : showText(String(step));
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
