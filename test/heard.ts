/** The output of a program so far, for tests that wait until it says something. */
export function createHeard() {
  let heard = '';
  const listeners = new Set<() => void>();
  return {
    hear: (text: string): void => {
      heard += text;
      for (const listener of listeners) listener();
    },
    output: () => heard,
    /** Resolves when the program has said this. Rejects if it ends before, which `onEnd` reports. */
    waitFor: (pattern: RegExp, onEnd: (fail: (how: string) => void) => void) =>
      new Promise<RegExpMatchArray>((resolve, reject) => {
        const look = (): void => {
          const match = heard.match(pattern);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        onEnd((how) => reject(new Error(`${how} and never said ${pattern}: ${heard}`)));
        look();
      }),
  };
}
