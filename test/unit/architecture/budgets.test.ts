import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../../src');

/** The most lines of each folder, style sheets and markup included. CONTRIBUTING.md says how a number is raised. */
const BUDGETS: Readonly<Record<string, number>> = {
  '.': 250,
  alerts: 2_150,
  api: 1_850,
  base: 1_400,
  cli: 1_050,
  config: 2_100,
  daemon: 1_100,
  'features/chat': 1_150,
  'features/demo': 1_300,
  'features/discovery': 150,
  'features/history': 850,
  'features/incidents': 2_150,
  'features/maintenance': 1_550,
  'features/month': 1_500,
  'features/page': 3_650,
  'features/setup': 2_350,
  'features/tags': 550,
  fleet: 2_000,
  http: 2_200,
  judge: 1_600,
  metrics: 1_300,
  model: 1_500,
  poll: 1_350,
  state: 550,
};

const ALL = 35_000;

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name));

/** Returns the folder whose budget counts a file: one of src, or one of its features. */
function folderOf(file: string): string {
  const [first = '', second, third] = file.slice(SOURCE.length + 1).split(posix.sep);
  if (second === undefined) return '.';
  return third === undefined && first !== 'features'
    ? first
    : first === 'features'
      ? `${first}/${second}`
      : first;
}

const lines = new Map<string, number>();
for (const file of files) {
  const folder = folderOf(file);
  lines.set(folder, (lines.get(folder) ?? 0) + readFileSync(file, 'utf8').split('\n').length - 1);
}

describe('the source', () => {
  it.each([...lines])('keeps to the budget of %s', (folder, count) => {
    expect(BUDGETS).toHaveProperty([folder]);
    expect(count).toBeLessThanOrEqual(BUDGETS[folder] ?? 0);
  });

  it('keeps to the budget of all folders together', () => {
    expect([...lines.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(ALL);
  });
});
