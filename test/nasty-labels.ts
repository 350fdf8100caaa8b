import type { Phone } from '../src/features/demo/phones.ts';

/** Labels that break careless output. People can type or paste each of them. */
export const NASTY_LABELS = [
  'the "good" one',
  'C:\\phones\\rack\\3',
  'first line\nsecond line',
  '📱🔥 hot spare 👩🏽‍🔧',
  'מדף 3 טלפון 7',
  'invoice \u202Egnp.exe',
  '{evil="1"} 42 # HELP',
  '<img src=x onerror=alert(1)>',
  'tab\there, bell\u0007, zero\u200Bwidth',
  `${'long label '.repeat(18)}ok`,
  '  spaces around  ',
  "O'Brien; DROP TABLE phones;--",
  'Cafe\u0301 de\u0301composé',
  '',
] as const;

/** Gives every tenth phone a nasty label. */
export function withNastyLabels(phones: readonly Phone[]): readonly Phone[] {
  return phones.map((phone, index) =>
    index % 10 === 5
      ? { ...phone, label: NASTY_LABELS[((index - 5) / 10) % NASTY_LABELS.length] ?? '' }
      : phone,
  );
}
