import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { testThatRowsAreShown } from './shown-by.ts';

/** The promises of documents as Markdown: each with the test that shows it. */
const PROMISES = readFileSync(join(import.meta.dirname, 'promises.md'), 'utf8');

/** The sections by their headings, which begin with the name of a document. */
const sections = PROMISES.split(/^### /m)
  .slice(1)
  .map((section) => [section.split('\n')[0] ?? '', section] as const);

describe.each(sections)('the promises of %s', (_, section) => testThatRowsAreShown(section));
