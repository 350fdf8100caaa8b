import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../../src');

/** The most lines of each folder, style sheets and markup included, and catalogs of texts left out. CONTRIBUTING.md says how a number is raised. */
const BUDGETS: Readonly<Record<string, number>> = {
  '.': 250,
  alerts: 2_250,
  api: 1_850,
  base: 1_400,
  cli: 1_100,
  config: 1_950,
  daemon: 1_100,
  'features/chat': 1_650,
  'features/demo': 1_250,
  'features/discovery': 150,
  'features/history': 950,
  'features/incidents': 3_150,
  'features/maintenance': 1_650,
  'features/month': 1_400,
  'features/page': 4_200,
  'features/setup': 2_300,
  'features/tags': 550,
  fleet: 2_550,
  http: 2_100,
  judge: 1_900,
  metrics: 1_350,
  model: 1_400,
  poll: 1_400,
  state: 700,
  text: 250,
};

const ALL = 38_000;

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.ftl'))
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

it('the generator of the dashboards has at most 3,200 lines', () => {
  const generator = join(SOURCE, '../grafana/generator');
  const own = readdirSync(generator, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const count = own.reduce(
    (sum, file) => sum + readFileSync(join(generator, file), 'utf8').split('\n').length - 1,
    0,
  );
  expect(count).toBeLessThanOrEqual(3_200);
});
