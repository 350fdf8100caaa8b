import { describe, expect, it } from 'vitest';
import { createChecks } from '../../../../src/http/auth/checks.ts';

type Stage = {
  /** The keys of checks in the order in which they began. */
  readonly began: readonly string[];
  /** Ends the check under way. */
  readonly end: (isRight?: boolean) => Promise<void>;
  readonly ask: (key: string, client?: string) => Promise<boolean> | undefined;
};

function createStage(): Stage {
  const { ask } = createChecks();
  const began: string[] = [];
  let finish = (_: boolean): void => {};
  const check = (key: string) => (): Promise<boolean> => {
    began.push(key);
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  return {
    began,
    end: async (isRight = true) => {
      finish(isRight);
      await new Promise((resolve) => setImmediate(resolve));
    },
    ask: (key, client = 'somebody') => ask(key, client, check(key)),
  };
}

describe('checks', () => {
  it('are done one at a time', async () => {
    const { began, ask, end } = createStage();
    const both = [ask('one'), ask('two')];
    expect(began).toEqual(['one']);
    await end(true);
    expect(began).toEqual(['one', 'two']);
    await end(false);
    expect(await Promise.all(both)).toEqual([true, false]);
  });

  it('that are the same are done once', async () => {
    const { began, ask, end } = createStage();
    const all = [ask('one'), ask('one', 'somebody else'), ask('one')];
    await end();
    expect([await Promise.all(all), began]).toEqual([[true, true, true], ['one']]);
    void ask('one');
    expect(began).toEqual(['one', 'one']);
  });

  it('are done in turns of the clients, so that one with many does not hold up the others', async () => {
    const { began, ask, end } = createStage();
    for (const key of ['a1', 'a2', 'a3', 'a4']) void ask(key, 'a');
    for (const key of ['b1', 'b2']) void ask(key, 'b');
    for (let done = 0; done < 6; done++) await end();
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('wait in a line that has an end, for each client and for all', () => {
    const { ask } = createStage();
    const taken = (client: string) =>
      Array.from({ length: 20 }, (_, index) => ask(`${client}${index}`, client)).filter(
        (check) => check !== undefined,
      ).length;
    expect(['a', 'b', 'c', 'd', 'e'].map(taken)).toEqual([9, 8, 8, 8, 0]);
  });

  it('that fail tell whoever asked, and the next one begins', async () => {
    const { ask } = createChecks();
    const failing = ask('one', 'a', () => Promise.reject(new Error('the thread has ended')));
    await expect(failing).rejects.toThrow('the thread has ended');
    expect(await ask('one', 'a', async () => true)).toBe(true);
  });
});
