import { expect, it } from 'vitest';
import { yieldToEventLoop } from '../../src/base/clock.ts';
import { createTagReader } from '../../src/features/tags/file.ts';

it('a file of tags of a million lines is read, and its warnings are few', async () => {
  const read = createTagReader(async () => `p,t\n${'a,\n'.repeat(1e6)}`, yieldToEventLoop);
  const { lines, warnings, moreWarnings } = await read('phones.csv');
  expect([lines?.get('')?.size, warnings.length, moreWarnings]).toEqual([1, 20, 999_979]);
});
