import { LAYOUT_RULES } from './layout.ts';
import { LINTER_RULES } from './linter.ts';
import { MISSING_RULES } from './missing.ts';
import { NAME_RULES } from './naming.ts';
import { READER_RULES } from './reader.ts';
import type { Rule } from './rule.ts';

/** Every rule that a dashboard keeps. */
export const RULES: readonly Rule[] = [
  ...LINTER_RULES,
  ...LAYOUT_RULES,
  ...READER_RULES,
  ...MISSING_RULES,
  ...NAME_RULES,
];
