import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { structuredPatch } from 'diff';
import { readOptional, readProblem } from '../../base/files.ts';
import { isMapping, parseFile } from '../../config/file.ts';
import { ConfigError, showKind } from '../../config/messages.ts';
import { replaceWhole } from '../../state/file.ts';
import { say } from '../../text/say.ts';
import { confirmChanges, type Wizard } from './questions.ts';

/**
 * Reads a file that an earlier run may have written; undefined if there is none.
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
 * Parses a YAML map. Empty text is an empty map.
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

/** Hides secrets, which may be empty, and passwords and queries in addresses. */
export function shownText(text: string, secrets: readonly string[]): string {
  const plain = secrets.reduce(
    (shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '…')),
    text,
  );
  return plain.replaceAll(/(:\/\/)[^\s/@]*@/g, '$1…@').replaceAll(/(:\/\/[^\s?#]*[?#])[^\s'"]+/g, '$1…');
}

export type PlannedFile = {
  /** Its path in the directory. */
  readonly name: string;
  /** Undefined if the file is not written. */
  readonly text: string | undefined;
  readonly mode: number;
  /** Its content is never shown. */
  readonly isSecret?: boolean;
};

/**
 * Shows the changes to existing files, asks, and writes each file atomically. The old content stays next to it as `.before`,
 * unless it is a secret.
 *
 * @param secrets are never shown
 * @param isShared makes the files readable for all users
 * @returns false, with nothing written, if the answer is no
 */
export async function writeFiles(
  directory: string,
  files: readonly PlannedFile[],
  secrets: readonly string[],
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
    const lines = shownText(differenceOf(before, text), secrets);
    return { title: say('setup-changes', { file: name }), lines };
  });
  if (!(await confirmChanges(changes, say('setup-write'), wizard, true))) return false;
  for (const { path, before, text, mode, isSecret } of known) {
    if (before !== undefined && before !== text && !isSecret) await writeFile(`${path}.before`, before, mode);
    if (before === text) await chmod(path, mode);
    else await writeFile(path, text, mode);
  }
  return true;
}

/** Writes a file atomically. It belongs to the owner of the existing folder, even if root writes it. */
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

/** Returns the changed lines, marked with `-` and `+`, and one line around each change. */
function differenceOf(before: string, after: string): string {
  const [old, fresh] = [`${before.trimEnd()}\n`, `${after.trimEnd()}\n`];
  const { hunks } = structuredPatch('', '', old, fresh, '', '', { context: 1 });
  return hunks.flatMap(({ lines }) => lines.map((line) => line.replace(/^./, '$& '))).join('\n');
}
