import { z } from 'zod';
import { formatDuration, parseDuration } from './duration.ts';
import type { Fit } from './fit.ts';

/*
 * The forms that a value can have. Each reads what YAML gives and the text of a flag or a variable alike, and the
 * message of each of its issues is what was expected, so that a caller can say "got …, expected …".
 */

/** A text that `read` understands. */
export function textForm<Value>(expected: string, read: (text: string) => Fit<Value>): z.ZodType<Value> {
  return z.string({ error: expected }).transform((text, context) => {
    const fit = read(text);
    if ('value' in fit) return fit.value;
    context.addIssue({ code: 'custom', message: fit.expected });
    return z.NEVER;
  });
}

/** A text that matches a pattern. */
export function pattern(expected: string, expression: RegExp): z.ZodType<string> {
  return textForm(expected, (text) => (expression.test(text) ? { value: text } : { expected }));
}

/** A whole number between two bounds, both included. */
export function wholeNumber(least: number, most: number): z.ZodType<number> {
  const error = `a whole number from ${least} to ${most}`;
  const digits = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number);
  return z
    .union([z.number(), digits], { error })
    .pipe(z.int({ error }).min(least, { error }).max(most, { error }));
}

/** A whole number between two bounds, both included, or one word in its place. */
export function wholeNumberOr<const Word extends string>(
  least: number,
  most: number,
  word: Word,
): z.ZodType<number | Word> {
  const error = `a whole number from ${least} to ${most}, or ${word}`;
  return z.union([z.literal(word), wholeNumber(least, most)], { error });
}

/** On or off: `true` or `false`. */
export const onOff: z.ZodType<boolean> = z.union(
  [z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })],
  { error: 'true or false' },
);

/** One of a few words, in any case. */
export function oneOf<const Choice extends string>(choices: readonly Choice[]): z.ZodType<Choice> {
  const error = `one of ${choices.join(', ')}`;
  return z.string({ error }).toLowerCase().pipe(z.enum(choices, { error }));
}

/** A length of time between two bounds given in milliseconds, both included; the value is milliseconds. */
export function duration(least: number, most: number): z.ZodType<number> {
  const expected = `a duration such as 15m or 1h30m, from ${formatDuration(least)} to ${formatDuration(most)}`;
  return textForm(expected, (text) => {
    const milliseconds = parseDuration(text);
    if (milliseconds === undefined || milliseconds < least || milliseconds > most) return { expected };
    return { value: milliseconds };
  });
}
