const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A moment of the past: the API is polled, and Prometheus scrapes what came of it, or not. */
export type Moment = { readonly at: number; readonly scraped: boolean };

/** The last hours, which dashboards show at first, are scraped so often that rates over two minutes have two samples. */
const RECENT = { milliseconds: 3 * HOUR, pollEvery: MINUTE / 2, scrapeEvery: MINUTE };

/** What is long past takes less space: as rarely as Prometheus still draws a line through, which is 5 minutes. */
const PAST = { pollEvery: 4 * MINUTE, scrapeEvery: 4 * MINUTE };

/** The moments from `start` to `end`, in milliseconds since 1970; at both of them there is a scrape. */
export function* timetable(start: number, end: number): Generator<Moment> {
  const recent = Math.max(start, end - RECENT.milliseconds);
  yield* moments(start, recent, PAST);
  yield* moments(recent, end, RECENT);
  yield { at: end, scraped: true };
}

function* moments(start: number, end: number, { pollEvery, scrapeEvery }: typeof PAST): Generator<Moment> {
  for (let at = start; at < end; at += pollEvery) yield { at, scraped: (at - start) % scrapeEvery === 0 };
}
