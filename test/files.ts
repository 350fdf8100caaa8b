import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Every file below a folder, by its path from there. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** The bytes of all files below a folder. */
export function weightOf(folder: string): number {
  return filesIn(folder).reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0);
}
