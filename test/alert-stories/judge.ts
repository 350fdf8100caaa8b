import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rulesWithoutTexts } from '../rules/promtool.ts';
import { run } from '../rules/run.ts';
import { type Recording, STEP } from './farm.ts';

const INTERVAL = `${STEP / 1000}s`;

/** Steps between two evaluations of a recording; five minutes are enough for one of hours. */
const EVALUATIONS = [20, 4, 2];
const LONG = 8 * 60 * 4;

/** Lets promtool judge what was scraped by the shipped rules; returns what it says is not as it was asked for. */
export async function judge({ series, steps, checks }: Recording): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-alerts-'));
  try {
    // Rules are evaluated only where alerts are compared.
    const interval =
      EVALUATIONS.filter((each) => each < 20 || steps > LONG).find((each) =>
        checks.every(({ step }) => step % each === 0),
      ) ?? 1;
    const evaluation = `${(interval * STEP) / 1000}s`;
    writeFileSync(join(folder, 'rules.yml'), rulesWithoutTexts(evaluation));
    const file = {
      rule_files: ['rules.yml'],
      evaluation_interval: evaluation,
      group_eval_order: ['hoster.incidents', 'hoster'],
      tests: [
        {
          interval: INTERVAL,
          input_series: Array.from(series, ([text, values]) => ({
            series: text,
            values: valuesOf(values, steps),
          })),
          // Of two severities of one alert, the shipped routes deliver the critical one.
          promql_expr_test: checks.map(({ step, asked, firing }) => ({
            expr: `count(max without (severity) (ALERTS{alertstate="firing", ${matchersOf(asked)}})) or vector(0)`,
            eval_time: `${(step * STEP) / 1000}s`,
            exp_samples: [{ labels: '{}', value: firing }],
          })),
        },
      ],
    };
    writeFileSync(join(folder, 'test.json'), JSON.stringify(file));
    const { code, said } = await run('promtool', ['test', 'rules', join(folder, 'test.json')]);
    return code === 0 ? '' : said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `HosterPhoneLeft device_id=a-1` as matchers. */
function matchersOf(asked: string): string {
  const [alertname = '', ...labels] = asked.split(' ');
  return [`alertname="${alertname}"`, ...labels.map((each) => each.replace(/=(.*)/, '="$1"'))].join(', ');
}

/** Returns the values in promtool's notation: a series that is no longer scraped is stale. */
function valuesOf(values: ReadonlyMap<number, string>, steps: number): string {
  const words: string[] = [];
  let was = false;
  for (let step = 0; step <= steps; step += 1) {
    const value = values.get(step);
    words.push(value ?? (was ? 'stale' : '_'));
    was = value !== undefined;
  }
  return words.join(' ');
}
