import { constants, PerformanceObserver } from 'node:perf_hooks';

/** Upper bounds in seconds, as prom-client has them. */
export const GARBAGE_BOUNDS = [0.001, 0.01, 0.1, 1, 2, 5] as const;

/** How long the collections of garbage of one kind took: how many up to each bound, all of them, and the sum of seconds. */
export type Collections = {
  readonly kind: string;
  readonly upTo: readonly number[];
  readonly count: number;
  readonly seconds: number;
};

const KINDS: ReadonlyMap<unknown, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/** Times each collection of garbage from now on; the function returned tells of the kinds that there were. */
export function watchGarbage(): () => readonly Collections[] {
  const collections = new Map<string, Collections>();
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = kindOf(entry);
      collections.set(kind, withOneMore(collections.get(kind) ?? noneOf(kind), entry.duration / 1000));
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => [...collections.values()];
}

/** None of a kind. */
export function noneOf(kind: string): Collections {
  return { kind, upTo: GARBAGE_BOUNDS.map(() => 0), count: 0, seconds: 0 };
}

/** With one more that took so many seconds. */
export function withOneMore({ kind, upTo, count, seconds }: Collections, took: number): Collections {
  return {
    kind,
    upTo: GARBAGE_BOUNDS.map((bound, index) => (upTo[index] ?? 0) + (took <= bound ? 1 : 0)),
    count: count + 1,
    seconds: seconds + took,
  };
}

/** Node's types do not know what an entry of this type has in its detail. */
function kindOf(entry: object): string {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined;
  const kind = typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
  return KINDS.get(kind) ?? 'other';
}
