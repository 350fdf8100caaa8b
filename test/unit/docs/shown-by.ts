import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CATALOGUE } from '../../faults/catalogue.ts';
import { ROOT } from '../../rules/shipped.ts';

/** A fault of the catalogue, or a file below `test` with words of a test in it. */
const SHOWN_BY = /^(?:`(?<fault>[a-z0-9-]+)`|(?<file>\S+\.ts): (?<words>.+))$/;

const FAULTS = CATALOGUE.map(({ name }) => name);

/** The rows of all tables of a Markdown text, as cells, without headings. */
function rowsOf(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  const isRow = (line: string | undefined): boolean => line?.startsWith('| ') === true;
  const isHeading = (index: number): boolean => lines[index + 1]?.startsWith('|-') === true;
  return lines
    .filter((line, index) => isRow(line) && !isHeading(index))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** Declares a test for each row: what the last cell names exists. The first cell says what is shown. */
export function testThatRowsAreShown(markdown: string): void {
  const rows = rowsOf(markdown).map((cells) => [cells[0] ?? '', cells.at(-1) ?? ''] as const);

  it.each(rows)('"%s" has a test', (_, shownBy) => {
    const { fault, file = '', words } = SHOWN_BY.exec(shownBy)?.groups ?? {};
    if (fault !== undefined) expect(FAULTS).toContain(fault);
    else expect(readFileSync(join(ROOT, 'test', file), 'utf8')).toContain(words ?? `no test in "${shownBy}"`);
  });

  it('has each row once', () => {
    const subjects = rows.map(([subject]) => subject);
    expect(subjects).toEqual([...new Set(subjects)]);
    expect(subjects.length).toBeGreaterThan(0);
  });
}
