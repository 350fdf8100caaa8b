import { expect, it } from 'vitest';
import { liveAfternoon } from '../../tellers.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 50);
const FROM = Number(process.env['FROM'] ?? 0);

it('each silent phone in use has exactly one teller, whatever happens to a farm', async () => {
  const failed: string[] = [];
  let count = 0;
  for (let seed = FROM; seed < FROM + SEEDS; seed += 1) {
    const lines = await liveAfternoon(seed);
    if (lines.length > 0) {
      count += 1;
      if (failed.length < 60) failed.push(...lines, '----');
    }
  }
  expect(failed.slice(0, 150), String(count)).toEqual([]);
});
