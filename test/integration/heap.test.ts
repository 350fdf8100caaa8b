import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAIN } from '../process.ts';

const dist = dirname(MAIN);

/** Makes garbage of which some outlives a collection, which is when V8 lets the young generation grow. */
const CHURN = `
  import { getHeapSpaceStatistics } from 'node:v8';
  const kept = [];
  for (let turn = 0; turn < 2e6; turn += 1) kept[turn % 2e5] = { turn };
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  process.stdout.write(String(young.space_size));
  process.exit(0);
`;

const KEEP_SMALL = `import { keepHeapSmall } from '${dist}/heap.js'; keepHeapSmall();`;

const CHECK_PASSWORD = `
  import { createBcryptThread } from '${dist}/http/auth/bcrypt-thread.js';
  await createBcryptThread().matches('password', '$2b$04$abcdefghijklmnopqrstuuO2nLl8yXcHkZcB3lBqkY1bQ1O4dWZ5e');
`;

/** Bytes of the young generation of a process after this. */
function youngGeneration(...program: readonly string[]): number {
  const parameters = ['--input-type=module', '--eval', [...program, CHURN].join('\n')];
  return Number(execFileSync(process.execPath, parameters, { encoding: 'utf8' }));
}

/** The same in turns of the event loop, as a program makes it that answers. */
const CHURN_IN_TURNS = `
  import { setImmediate } from 'node:timers/promises';
  const some = [];
  for (let turn = 0; turn < 4e6; turn += 1) {
    some[turn % 2e4] = { turn };
    if (turn % 1e4 === 0) await setImmediate();
  }
`;

describe('the young generation of the heap', () => {
  it('does not grow within one turn of the event loop', () => {
    expect(youngGeneration()).toBeGreaterThan(4e6);
    expect(youngGeneration(KEEP_SMALL)).toBeLessThan(4e6);
  });

  it('grows to four megabytes, twice, where others have their turn, and no further', () => {
    expect(youngGeneration(CHURN_IN_TURNS)).toBeGreaterThan(9e6);
    const bytes = youngGeneration(KEEP_SMALL, CHURN_IN_TURNS);
    expect(bytes).toBeGreaterThan(4e6);
    expect(bytes).toBeLessThan(9e6);
  });

  it('stays bounded when a thread has checked a password', () => {
    expect(youngGeneration(KEEP_SMALL, CHECK_PASSWORD)).toBeLessThan(4e6);
  });
});
