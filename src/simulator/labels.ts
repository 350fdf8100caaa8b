import { between, pick, type Random } from './random.ts';

/** Labels that hurt whoever prints them without thinking: each is something that a person really can type or paste. */
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

/** Every 23rd phone, from the 6th on, has a nasty label, so that a fleet of 30 has one and a fleet of 300 has all. */
const NASTY_EVERY = 23;
const NASTY_FIRST = 5;

const PLACES = ['attic', 'cupboard', 'garage', 'hallway', 'office', 'shop'] as const;

/** What a hoster would call his phone number `index`: mostly its place, sometimes something nasty. */
export function labelFor(index: number, random: Random): string {
  if (index % NASTY_EVERY === NASTY_FIRST) {
    return NASTY_LABELS[Math.floor(index / NASTY_EVERY) % NASTY_LABELS.length] ?? '';
  }
  const rack = String(Math.floor(index / 24) + 1).padStart(2, '0');
  const slot = String((index % 24) + 1).padStart(2, '0');
  if (between(random, 1, 10) <= 8) return `rack-${rack}/slot-${slot}`;
  return `${pick(random, PLACES)} ${rack}-${slot}`;
}
