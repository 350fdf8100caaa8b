import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { freePort, type Running, start } from '../process.ts';

const Labels = z.record(z.string(), z.string());
const Point = z.tuple([z.number(), z.string()]);

const Vector = z.array(z.object({ metric: Labels, value: Point }));
const Matrix = z.array(z.object({ metric: Labels, values: z.array(Point) }));

const Answered = z.discriminatedUnion('status', [
  z.object({ status: z.literal('error'), error: z.string() }),
  z.object({
    status: z.literal('success'),
    data: z.object({ resultType: z.string(), result: z.unknown() }),
  }),
]);

/** A series at one instant. */
export type Sample = z.infer<typeof Vector>[number];

/** A series over a time. */
export type Series = z.infer<typeof Matrix>[number];

/** From when to when, and at which steps; all in seconds, the first two since 1970. */
export type Range = { readonly start: number; readonly end: number; readonly step: number };

/** A real Prometheus. Its questions reject with what Prometheus has against an expression. */
export type Prometheus = Pick<Running, 'child' | 'stop'> & {
  readonly url: string;
  /** The series that an expression gives at an instant, in seconds since 1970; by default now. */
  readonly query: (expression: string, at?: number) => Promise<readonly Sample[]>;
  readonly queryRange: (expression: string, range: Range) => Promise<readonly Series[]>;
  /** Asks again until there is an answer; Prometheus scrapes a new target after some five seconds. */
  readonly waitForSamples: (expression: string) => Promise<readonly Sample[]>;
};

/**
 * Starts Prometheus with a configuration, which may load files of the same folder.
 *
 * @param folder of the configuration and, in `data`, of what Prometheus keeps
 * @param flags more of its flags
 */
export async function startPrometheus(
  folder: string,
  configuration: string,
  flags: readonly string[] = [],
): Promise<Prometheus> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, configuration);
  const port = await freePort();
  const running = start('prometheus', [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-lifecycle',
    ...flags,
  ]);
  await running.waitForOutput(/Server is ready to receive web requests/);
  return { ...queriesTo(`http://127.0.0.1:${port}`), child: running.child, stop: running.stop };
}

function queriesTo(url: string): Omit<Prometheus, 'child' | 'stop'> {
  const ask = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams(parameters);
    const answer = await fetch(`${url}/api/v1/${path}`, { method: 'POST', body });
    const answered = Answered.parse(await answer.json());
    if (answered.status === 'error') throw new Error(`${answered.error}: ${parameters['query']}`);
    return answered.data;
  };
  const query: Prometheus['query'] = async (expression, at) => {
    const time = at === undefined ? {} : { time: String(at) };
    const { resultType, result } = await ask('query', { query: expression, ...time });
    // The answer to `scalar(...)` or to a number is not a list.
    return resultType === 'vector' ? Vector.parse(result) : [{ metric: {}, value: Point.parse(result) }];
  };
  return {
    url,
    query,
    queryRange: async (expression, { start, end, step }) => {
      const range = { start: String(start), end: String(end), step: String(step) };
      return Matrix.parse((await ask('query_range', { query: expression, ...range })).result);
    },
    waitForSamples: async (expression) => {
      for (let tries = 0; tries < 240; tries += 1) {
        const samples = await query(expression);
        if (samples.length > 0) return samples;
        await wait(250);
      }
      throw new Error(`Prometheus never saw ${expression}.`);
    },
  };
}
