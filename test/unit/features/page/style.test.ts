import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const FEATURES = join(import.meta.dirname, '../../../../src/features');
const names = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' });
const textsOf = (pattern: RegExp): string =>
  names
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(FEATURES, name), 'utf8'))
    .join('\n');

const style = textsOf(/\.css$/)
  .replaceAll(/\/\*[\s\S]*?\*\//g, '')
  .replaceAll(/^@import.*$/gm, '');

/** The oldest browsers that docs/GUIDE.md names. */
const OLDEST = { chrome: 80, safari_ios: 14 } as const;

/** What such a browser ignores, and where that does no harm. */
const IGNORED: ReadonlySet<string> = new Set([
  // Its own controls are light in a dark scheme, and have our colours.
  'color-scheme',
  // It lays out cards that are not on the screen too, which takes longer.
  'content-visibility',
  'contain-intrinsic-size',
  // It has no such modes, or does not change colours in them.
  'forced-color-adjust',
  // It shows an outline after a click too.
  'focus-visible',
  // The name of `gap` before it was one for all layouts.
  'grid-gap',
  // It shows a dialog above the page, which is not dark then.
  'backdrop',
]);

const Added = z.union([z.string(), z.boolean(), z.null()]);
const Support = z.union([z.object({ version_added: Added }), z.array(z.object({ version_added: Added }))]);
const Feature = z.object({ __compat: z.object({ support: z.record(z.string(), Support) }) });
const Features = z.record(z.string(), z.unknown());
const Data = z.object({ css: z.object({ properties: Features, selectors: Features, 'at-rules': Features }) });
const { css } = Data.parse(createRequire(import.meta.url)('@mdn/browser-compat-data'));

/** Reports whether the oldest browsers know a feature. */
function isKnown(feature: unknown): boolean {
  if (feature === undefined) return false;
  const { support } = Feature.parse(feature)['__compat'];
  return Object.entries(OLDEST).every(([browser, version]) => {
    const versions = [support[browser] ?? []].flat().map((each) => each.version_added);
    return versions.some(
      (added) => typeof added === 'string' && Number.parseFloat(added.replace('≤', '')) <= version,
    );
  });
}

/** The names that a pattern finds in the style sheet. */
const namesOf = (pattern: RegExp): readonly string[] => [
  ...new Set(Array.from(style.matchAll(pattern), ([, name = '']) => name)),
];

describe('the style sheet of the page', () => {
  it.each([
    ['properties', css.properties, /^\s+([a-z][a-z-]*):/gm],
    ['selectors', css.selectors, /[\w\])*]?::?([a-z-]+)(?=[^;{}]*\{)/g],
    ['rules', css['at-rules'], /@([a-z-]+)/g],
  ])('uses %s that the oldest browsers know', (_, features, pattern) => {
    const names = namesOf(pattern);
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !IGNORED.has(name) && !isKnown(features[name]))).toEqual([]);
  });

  it('uses functions that the oldest browsers know', () => {
    const known =
      /^(?:var|rgba|calc|min|minmax|repeat|inset|scale|attr|not|nth-child|grayscale|repeating-linear-gradient)$/;
    expect(namesOf(/([a-z-]+)\(/g).filter((name) => !known.test(name))).toEqual([]);
  });

  it('has no rule for a class that no element has', () => {
    const sources = textsOf(/\.tsx$|browser\/.*\.(?:ts|html)$/);
    const others = ['u-legend', 'u-marker', 'u-series', 'runbook'];
    const unused = namesOf(/\.([a-z][\w-]*)(?=[^;{}]*\{)/g).filter(
      (name) =>
        !others.includes(name) &&
        !new RegExp(`["'\`\\s]${name.replace(/^cell-\w+$/, 'cell-')}["'\`\\s$]`).test(sources),
    );
    expect(unused).toEqual([]);
  });
});
