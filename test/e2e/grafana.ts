import { secondsOf } from '../rules/duration.ts';
import type { Range } from './prometheus.ts';

/** Variables that Grafana replaces in an expression. */
export type Filling = {
  /** The time that the dashboard shows, in seconds. */
  readonly rangeSeconds: number;
  /** Its end, in seconds since 1970. */
  readonly end: number;
  /** From one point of a graph to the next, in seconds. */
  readonly stepSeconds: number;
  /** The values of the dashboard's variables. */
  readonly variables: Readonly<Record<string, string>>;
};

/** `timeInterval` of the data source: how often Prometheus scrapes. */
const SCRAPE_SECONDS = 30;

/** A whole month, as the dashboard of a month opens. */
const LAST_MONTH = 'now-1M/M';

/** Points that a graph on a screen of today has. */
const POINTS = 800;

/**
 * The expression that Grafana would send ("Use dashboard variables" and "$__rate_interval" of its documentation). The one
 * place where this is known.
 *
 * @throws RangeError where a variable has no value
 */
export function fill(expression: string, { rangeSeconds, end, stepSeconds, variables }: Filling): string {
  const builtIn: Readonly<Record<string, string>> = {
    __from: `${(end - rangeSeconds) * 1000}`,
    __to: `${end * 1000}`,
    __range: `${rangeSeconds}s`,
    __range_s: `${rangeSeconds}`,
    __interval: `${stepSeconds}s`,
    __rate_interval: `${Math.max(stepSeconds + SCRAPE_SECONDS, 4 * SCRAPE_SECONDS)}s`,
  };
  return expression.replaceAll(/\$(\w+)/g, (_, name: string) => {
    // In an expression, $1 stands for a part of a pattern.
    if (/^\d+$/.test(name)) return `$${name}`;
    const value = builtIn[name] ?? variables[name];
    if (value === undefined) throw new RangeError(`The variable ${name} has no value: ${expression}`);
    return value;
  });
}

/**
 * The time that a dashboard shows at first, as it ends at `end`.
 *
 * @param from such as `now-24h`
 * @param shortest the shortest step that the panel allows
 */
export function rangeOf(from: string, end: number, shortest = `${SCRAPE_SECONDS}s`): Range {
  const seconds = secondsOf(from === LAST_MONTH ? '30d' : from.replace('now-', ''));
  const step = Math.max(secondsOf(shortest), Math.ceil(seconds / POINTS));
  return { start: end - Math.floor(seconds / step) * step, end, step };
}
