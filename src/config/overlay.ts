import type { Given } from './environment.ts';
import { SECTIONS } from './settings.ts';
import type { SingleAccount } from './single-account.ts';

/** A map of unchecked content. */
export type Tree = Readonly<Record<string, unknown>>;

export function isTree(content: unknown): content is Tree {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

/**
 * The content of the file with what flags and variables say laid over it; still unchecked. Sections that are absent or
 * have nothing beneath them are there as empty maps. What is no map stays as it is, for the schema to refuse.
 */
export function overlay(
  content: unknown,
  given: ReadonlyMap<string, Given>,
  single: SingleAccount | undefined,
): unknown {
  const file = content ?? {};
  if (!isTree(file)) return content;
  const sections = Object.keys(SECTIONS).map((section) => {
    const written = file[section] ?? {};
    return [section, isTree(written) ? { ...written, ...textsOf(section, given) } : written] as const;
  });
  const accounts = single === undefined ? (file['accounts'] ?? []) : [single.written];
  return { ...file, accounts, ...Object.fromEntries(sections) };
}

/** The value at a path; undefined where the path does not exist. */
export function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isTree(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }, content);
}

function textsOf(section: string, given: ReadonlyMap<string, Given>): Tree {
  const prefix = `${section}.`;
  return Object.fromEntries(
    [...given].flatMap(([name, { text }]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), text] as const] : [],
    ),
  );
}
