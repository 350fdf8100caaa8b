import { expect, it } from 'vitest';
import { formatTable } from '../../../src/cli/command.ts';

it('a label with an emoji or with Chinese characters does not shift its row', () => {
  const rows = [
    ['rack 🔥', 'a'],
    ['机架', 'b'],
    ['e\u0301', 'c'],
  ];
  expect(formatTable(['name', 'id'], rows)).toBe(
    ['name     id', 'rack 🔥  a', '机架     b', 'e\u0301        c', ''].join('\n'),
  );
});
