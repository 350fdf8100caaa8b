/** Milliseconds since 1970 by the clock of the browser: nothing else of the page asks for the time. */
export function localNow(): number {
  return Date.now();
}

/** Calls back once; the function returned cancels it. */
export function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** Calls back at each whole second for as long as somebody can see it. */
export function eachSecond(callback: () => void): void {
  const again = (): void => {
    after(1_000 - (localNow() % 1_000), again);
    if (!document.hidden) callback();
  };
  again();
}
