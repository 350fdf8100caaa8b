import { access, chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readOptional, readProblem } from '../../base/files.ts';
import { isMapping, parseFile } from '../../config/file.ts';
import { ConfigError, showKind } from '../../config/messages.ts';
import { replaceWhole } from '../../state/file.ts';
import { confirmChanges, type Wizard } from './questions.ts';

/**
 * Reads a file that an earlier run may have written; undefined without one.
 *
 * @throws ConfigError if it cannot be read
 */
export async function readBack(path: string): Promise<string | undefined> {
  try {
    return await readOptional(path);
  } catch (error) {
    throw new ConfigError([`${path}: ${readProblem(error)}`]);
  }
}

/**
 * Parses a map in YAML; an empty text is an empty map.
 *
 * @param what completes "got …, expected …"
 * @throws ConfigError with each problem, its line and its column
 */
export function parseMap(text: string, path: string, what: string): Readonly<Record<string, unknown>> {
  const { content, where } = parseFile(text, path);
  const map = content ?? {};
  if (!isMapping(map)) throw new ConfigError([`${where([])}: got ${showKind(map)}, expected ${what}`]);
  return map;
}

/** Hides passwords and queries of addresses. */
function withoutPasswords(text: string): string {
  return text.replaceAll(/(:\/\/)[^\s/@]*@/g, '$1…@').replaceAll(/(:\/\/[^\s?#]*[?#])[^\s'"]+/g, '$1…');
}

/** A file to write. */
export type PlannedFile = {
  /** Its path in the directory. */
  readonly name: string;
  /** Undefined for a file that is not written. */
  readonly text: string | undefined;
  readonly mode: number;
  /** Its content is never shown. */
  readonly isSecret?: boolean;
};

/**
 * Shows the changes of existing files, asks, and writes each file atomically. The old content stays beside it as `.before`,
 * unless it is a secret.
 *
 * @param secret is not shown; empty for none
 * @param isShared makes the files readable for all users
 * @returns false, with nothing written, if the answer is no
 */
export async function writeFiles(
  directory: string,
  files: readonly PlannedFile[],
  secret: string,
  wizard: Wizard,
  isShared = false,
): Promise<boolean> {
  const known = await Promise.all(
    files.flatMap(({ name, text, mode, isSecret = false }) => {
      const path = join(directory, name);
      const file = { name, path, mode: isShared ? 0o644 : mode, isSecret };
      return text === undefined ? [] : readBack(path).then((before) => ({ ...file, text, before }));
    }),
  );
  const changed = known.filter(({ before, text }) => before !== undefined && before !== text);
  const changes = changed.map(({ name, isSecret, before = '', text }) => {
    if (isSecret) return { title: `${name} gets a new secret.` };
    const lines = withoutPasswords(withoutSecret(differenceOf(before, text), secret));
    return { title: `Changes to ${name}:`, lines };
  });
  if (!(await confirmChanges(changes, 'Write these changes?', wizard, true))) return false;
  for (const { path, before, text, mode, isSecret } of known) {
    if (before !== undefined && before !== text && !isSecret) await writeFile(`${path}.before`, before, mode);
    if (before === text) await chmod(path, mode);
    else await writeFile(path, text, mode);
  }
  return true;
}

/** Replaces a secret by dots. The secret may be empty. */
export function withoutSecret(text: string, secret: string): string {
  return secret === '' ? text : text.replaceAll(secret, '…');
}

/** Reports whether this user may access a file or a folder with this mode. */
export async function isThere(path: string, mode?: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}

/** Writes a file atomically. It belongs to the owner of the existing folder, also if root writes it. */
export async function writeFile(path: string, text: string, mode: number): Promise<void> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: (mode & 0o004) === 0 ? 0o750 : 0o755 });
  const { uid, gid } = await stat(made === undefined ? folder : dirname(made));
  await replaceWhole(path, [text]);
  await chmod(path, mode);
  if (process.getuid?.() !== 0) return;
  await chown(path, uid, gid);
  if (made === undefined) return;
  for (let each = folder; each.length >= made.length; each = dirname(each)) await chown(each, uid, gid);
}

/** Number of unchanged lines around a change. */
const CONTEXT = 1;

/** Returns the changed lines, marked with `-` and `+`, and a line around each change. */
export function differenceOf(before: string, after: string): string {
  const [old, fresh] = [before.trimEnd().split('\n'), after.trimEnd().split('\n')];
  // Lengths of the longest common subsequences from each pair of lines on.
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  const at = (one: number, other: number): number => lengths[one]?.[other] ?? 0;
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let other = fresh.length - 1; other >= 0; other -= 1) {
      const isCommon = old[one] === fresh[other];
      const length = Math.max(at(one + 1, other), at(one, other + 1));
      lengths[one]?.set([isCommon ? at(one + 1, other + 1) + 1 : length], other);
    }
  }
  const lines: string[] = [];
  for (let one = 0, other = 0; one < old.length || other < fresh.length; ) {
    const [gone, added] = [old[one], fresh[other]];
    const isCommon = gone === added;
    const isGone = added === undefined || (gone !== undefined && at(one + 1, other) >= at(one, other + 1));
    lines.push(isCommon ? `  ${gone}` : isGone ? `- ${gone}` : `+ ${added}`);
    if (isCommon || isGone) one += 1;
    if (isCommon || !isGone) other += 1;
  }
  const isShown = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith('  '));
  return lines.filter((_, index) => isShown(index)).join('\n');
}
