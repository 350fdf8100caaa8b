import { describe, expect, it } from 'vitest';
import { createGate, type Gate } from '../../../src/api/gate.ts';

const never = new AbortController().signal;

/** Runs a task inside of a gate, and passes on its outcome. */
async function inside<Value>(gate: Gate, signal: AbortSignal, run: () => Promise<Value>): Promise<Value> {
  await gate.enter(signal);
  try {
    return await run();
  } finally {
    gate.leave();
  }
}

/** A task that says when it begins, and ends when it is told to. */
function task(name: string, began: string[]) {
  let end = (_: string) => {};
  let fail = (_: Error) => {};
  const run = () => {
    began.push(name);
    return new Promise<string>((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
  };
  return { run, end: () => end(name), fail: () => fail(new Error(name)) };
}

/** Lets every promise that can settle do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a gate for two', () => {
  it('runs two at once and the others in the order in which they came', async () => {
    const gate = createGate(() => 2);
    const began: string[] = [];
    const tasks = ['a', 'b', 'c', 'd'].map((name) => task(name, began));
    const results = tasks.map(({ run }) => inside(gate, never, run));
    await settle();
    expect(began).toEqual(['a', 'b']);
    tasks[1]?.end();
    await settle();
    expect(began).toEqual(['a', 'b', 'c']);
    tasks[0]?.end();
    tasks[2]?.end();
    await settle();
    tasks[3]?.end();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('goes on after a task that failed', async () => {
    const gate = createGate(() => 1);
    const began: string[] = [];
    const [first, second] = [task('a', began), task('b', began)];
    const failed = expect(inside(gate, never, first.run)).rejects.toThrow('a');
    const done = inside(gate, never, second.run);
    await settle();
    first.fail();
    await failed;
    await settle();
    second.end();
    expect(await done).toBe('b');
  });

  it('never runs one that gave up waiting, and keeps the order of the others', async () => {
    const gate = createGate(() => 1);
    const began: string[] = [];
    const [a, b, c] = [task('a', began), task('b', began), task('c', began)];
    const impatient = new AbortController();
    const first = inside(gate, never, a.run);
    const gaveUp = expect(inside(gate, impatient.signal, b.run)).rejects.toBe('enough');
    const last = inside(gate, never, c.run);
    await settle();
    impatient.abort('enough');
    await gaveUp;
    a.end();
    await first;
    await settle();
    c.end();
    await last;
    expect(began).toEqual(['a', 'c']);
  });

  it('does not let in one whose signal had aborted before', async () => {
    const began: string[] = [];
    await expect(
      inside(
        createGate(() => 1),
        AbortSignal.abort('late'),
        task('a', began).run,
      ),
    ).rejects.toBe('late');
    expect(began).toEqual([]);
  });
});
