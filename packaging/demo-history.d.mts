import type { Clock } from '../src/base/clock.ts';

export function createRecorder(targetLabels: string): {
  /** Records a page in the text format 0.0.4, scraped at an instant in milliseconds since 1970. */
  readonly record: (page: string, at: number) => void;
  /** Returns everything recorded, as OpenMetrics text 1.0.0, in pieces. */
  readonly text: () => Iterable<string>;
};

export function schedule(
  start: number,
  end: number,
): Iterable<{ readonly at: number; readonly scraped: boolean }>;

export function createSimulatedClock(startAt: number): Clock & {
  readonly moveTo: (instant: number) => void;
  readonly moveToNextTimer: () => void;
};
