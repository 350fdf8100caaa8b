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
