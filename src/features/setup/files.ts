import { access, chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readOptional } from '../../base/files.ts';
import { replaceWhole } from '../../state/file.ts';
import { confirm, type Talk } from './questions.ts';

/** A file as it is to be. */
export type PlannedFile = {
  /** Its path in the directory. */
  readonly name: string;
  readonly text: string;
  readonly mode: number;
  /** Its content is never shown. */
  readonly isSecret?: boolean;
};

/**
 * Writes files, each whole or not at all, after it has shown what would change in those that are there and has asked. What a
 * file was, unless it is a secret, stays beside it as `.before`.
 *
 * @param secret is not shown; empty for none
 * @returns false if the person said no; nothing is written then
 */
export async function writeFiles(
  directory: string,
  files: readonly PlannedFile[],
  secret: string,
  talk: Talk,
): Promise<boolean> {
  const known = await Promise.all(
    files.map(async (file) => {
      const path = join(directory, file.name);
      return { isSecret: false, ...file, path, before: await readOptional(path) };
    }),
  );
  const changed = known.filter(({ before, text }) => before !== undefined && before !== text);
  for (const { name, isSecret, before = '', text } of changed)
    await talk.say(
      isSecret
        ? `${name} gets another secret.`
        : `For ${name}:\n${withoutSecret(differenceOf(before, text), secret)}`,
    );
  if (changed.length > 0 && !(await confirm('Write these changes?', talk, true))) return false;
  for (const { path, before, text, mode, isSecret } of known) {
    if (before !== undefined && before !== text && !isSecret) await writeFile(`${path}.before`, before, mode);
    if (before === text) await chmod(path, mode);
    else await writeFile(path, text, mode);
  }
  return true;
}

/** Replaces a secret, which may be empty, by dots. */
export function withoutSecret(text: string, secret: string): string {
  return secret === '' ? text : text.replaceAll(secret, '…');
}

/** True where there is such a file or folder, which this user may use so. */
export async function isThere(path: string, mode?: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}

/** Writes a file that belongs to the owner of the folder in which the first new folder is, also where root writes it. */
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

/** Lines around a change that are shown with it. */
const CONTEXT = 1;

/** Returns the lines that differ, with `-` and `+` before them, and a line around each change. */
export function differenceOf(before: string, after: string): string {
  const [old, fresh] = [before.trimEnd().split('\n'), after.trimEnd().split('\n')];
  // Lengths of the longest common lists of lines from a place of both on.
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
