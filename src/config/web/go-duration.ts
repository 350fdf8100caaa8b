const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // the micro sign
  μs: 1e-3, // the Greek letter
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * Milliseconds of a duration in Go's notation (`1s`, `1.5h`, `1m30s`, `0`); undefined for anything else and for what is
 * negative. A number without a unit, which the toolkit takes for nanoseconds, is refused: nobody means that.
 */
export function parseGoDuration(text: string): number | undefined {
  if (text === '0') return 0;
  let milliseconds = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const [, amount = '', unit = ''] = PART.exec(text) ?? [];
    if (amount === '') return undefined;
    milliseconds += Number(amount) * (UNITS[unit] ?? 0);
  }
  return text === '' ? undefined : milliseconds;
}
