import { parse } from 'yaml';
import { z } from 'zod';
import { shippedText } from './shipped.ts';

const Shortened = z.strictObject({
  durations: z.record(z.string(), z.string()),
});

/** Durations that the end-to-end tests shorten. */
export type Shortened = z.infer<typeof Shortened>;

/** The override file that is shipped next to this one. */
export function readShortened(): Shortened {
  return Shortened.parse(parse(shippedText('test/rules/shortened.yml')));
}

const SETTINGS =
  'for|keep_firing_for|group_wait|interval|group_interval|repeat_interval|scrape_interval|evaluation_interval';

/** Where a duration can stand: after a setting, in the brackets of a range, after `offset`. */
const PLACES = new RegExp(
  `(?<=\\b(?:${SETTINGS}): |\\boffset |\\[)\\d+[smhd]\\b|(?<=\\[\\d+[smhd]:)\\d+[smhd]\\b`,
  'g',
);

/** The durations in a text, each as often as it stands there. */
export function durationsIn(text: string): readonly string[] {
  return text.match(PLACES) ?? [];
}

/**
 * The text of a rule file or of a configuration with every duration replaced.
 *
 * @throws RangeError where the override file does not list a duration
 */
export function shortenDurations(text: string, { durations }: Shortened): string {
  return text.replaceAll(PLACES, (duration) => {
    const shorter = durations[duration];
    if (shorter === undefined)
      throw new RangeError(`test/rules/shortened.yml does not say what ${duration} becomes.`);
    return shorter;
  });
}
