import { expect, it } from 'vitest';
import { FEATURES } from '../../../src/features.ts';
import { shippedText } from '../../rules/shipped.ts';

it('docs/ARCHITECTURE.md has every feature in its table of features', () => {
  const text = shippedText('docs/ARCHITECTURE.md');
  expect(FEATURES.map(({ name }) => name).filter((name) => !text.includes(`\n| \`${name}\` |`))).toEqual([]);
});
