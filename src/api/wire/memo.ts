/** Most texts remembered, and longest one: what a hostile API can make us keep is bounded by 512 KiB a memo. */
const MAX_ENTRIES = 4_096;
const MAX_LENGTH = 64;

/**
 * The function with a bounded memory, for texts that come again and again: brands, models, versions, statuses. Beside
 * the time it saves room, since equal texts then are the same string.
 */
export function remember<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (text.length > MAX_LENGTH) return read(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MAX_ENTRIES) known.clear();
    const value = read(text);
    known.set(text, value);
    return value;
  };
}
