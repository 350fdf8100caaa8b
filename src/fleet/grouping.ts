/* Tables of numbers are grouped by a word, such as `group`, or by a tag: `tag:carrier`. */

/** A grouping by a fact that only the owner knows. */
export type ByProperty = `tag:${string}`;

/** Reports whether a text is a grouping by tag. */
export function isByProperty(text: string): text is ByProperty {
  return /^tag:\w{1,64}$/.test(text);
}

/** Returns the word for a grouping: `carrier` for `tag:carrier`. */
export function groupingWord(by: string): string {
  return by.replace(/^tag:/, '');
}

/** Returns the groupings by words, and those by the phones' tags. */
export function groupingsOf<Word extends string>(
  words: readonly Word[],
  tags: readonly string[],
): readonly (Word | ByProperty)[] {
  return [...words, ...tags.map((name) => `tag:${name}` as const)];
}

/** Lists groupings for people: `phone, group, or a tag such as tag:carrier`. */
export function groupingsText(words: readonly string[]): string {
  return `${words.join(', ')}, or a tag such as tag:carrier`;
}
