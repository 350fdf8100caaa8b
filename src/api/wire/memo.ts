/** Most texts that are remembered; with the longest one, the bound of what a hostile API can make us keep. */
const MAX_ENTRIES = 4_096;

/** What was made of texts that come again and again. */
export type Memo<Value> = {
  readonly recall: (text: string) => Value | undefined;
  readonly keep: (text: string, value: Value) => void;
};

/** @param longest characters of a text; longer ones are not remembered */
export function createMemo<Value>(longest: number): Memo<Value> {
  const known = new Map<string, Value>();
  return {
    recall: (text) => (text.length > longest ? undefined : known.get(text)),
    keep: (text, value) => {
      if (text.length > longest) return;
      if (known.size >= MAX_ENTRIES) known.clear();
      known.set(text, value);
    },
  };
}

const LONGEST = 64;

/**
 * The function with a bounded memory, for texts such as brands, models, versions and statuses. Beside the time it saves
 * room, since equal texts then are the same string.
 */
export function remember<Value>(read: (text: string) => Value): (text: string) => Value {
  const memo = createMemo<Value>(LONGEST);
  return (text) => {
    const known = memo.recall(text);
    if (known !== undefined) return known;
    const value = read(text);
    memo.keep(text, value);
    return value;
  };
}

/** The function with a memory of one, for a text that is nearly always the one before. */
export function rememberLast<Value>(read: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) };
    return last.value;
  };
}

/** A word of several that tell objects apart. */
export type Word = string | number;

/** What was made of objects that say the same in some words. */
export type WordsMemo<Item, Value> = {
  readonly recall: (item: Item) => Value | undefined;
  readonly keep: (item: Item, value: Value) => void;
};

/** Where the words that led here go on, and what was made of them if they don't. */
type Branch<Value> = { value: Value | undefined; next: Map<Word, Branch<Value>> | undefined };

/**
 * As {@link createMemo} for several words at once. Each word leads to a map of the next ones: to join them to one text
 * would take twice as long, and leave that text behind.
 *
 * @param words always as many, in the same order
 * @param longest characters of all words of an object; longer ones are not remembered
 */
export function createWordsMemo<Item, Value>(
  words: readonly ((item: Item) => Word)[],
  longest: number,
): WordsMemo<Item, Value> {
  let root: Branch<Value> = { value: undefined, next: undefined };
  let size = 0;
  return {
    recall: (item) => {
      let branch: Branch<Value> | undefined = root;
      for (const word of words) {
        branch = branch.next?.get(word(item));
        if (branch === undefined) return undefined;
      }
      return branch.value;
    },
    keep: (item, value) => {
      const said = words.map((word) => word(item));
      if (said.reduce((sum: number, word) => sum + String(word).length, 0) > longest) return;
      if (size >= MAX_ENTRIES) {
        root = { value: undefined, next: undefined };
        size = 0;
      }
      said.reduce(grown, root).value = value;
      size += 1;
    },
  };
}

/** The branch that a word leads to, grown if there was none. */
function grown<Value>(from: Branch<Value>, word: Word): Branch<Value> {
  from.next ??= new Map();
  const known = from.next.get(word);
  const branch = known ?? { value: undefined, next: undefined };
  if (known === undefined) from.next.set(word, branch);
  return branch;
}
