import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { onAbort, withOwnAbort } from '../../../src/api/abort.ts';

describe('a signal', () => {
  it('tells all who listen, in the order in which they came, but for those who left', () => {
    const caller = new AbortController();
    const told: string[] = [];
    const [, leave] = ['a', 'b', 'c'].map((name) => onAbort(caller.signal, () => told.push(name)));
    leave?.();
    caller.abort();
    expect(told).toEqual(['a', 'c']);
  });

  it('has one listener, however many listen, until the last one leaves', () => {
    const caller = new AbortController();
    const leaving = [1, 2, 3].map(() => onAbort(caller.signal, () => {}));
    const listeners = leaving.map((leave) => {
      const { length } = getEventListeners(caller.signal, 'abort');
      leave();
      return length;
    });
    expect([...listeners, getEventListeners(caller.signal, 'abort').length]).toEqual([1, 1, 1, 0]);
  });

  it('is listened to again after all had left', () => {
    const caller = new AbortController();
    onAbort(caller.signal, () => {})();
    let isTold = false;
    onAbort(caller.signal, () => {
      isTold = true;
    });
    caller.abort();
    expect(isTold).toBe(true);
  });
});

describe('an abort controller of its own', () => {
  it('follows the signal of the caller, with its reason', async () => {
    const caller = new AbortController();
    const seen = await withOwnAbort(caller.signal, async (own) => {
      caller.abort('stop');
      return own.signal.reason;
    });
    expect(seen).toBe('stop');
  });

  it('leaves the signal of the caller alone', async () => {
    const caller = new AbortController();
    await withOwnAbort(caller.signal, async (own) => own.abort());
    expect(caller.signal.aborted).toBe(false);
  });

  it.each([
    ['succeeded', async () => 1],
    ['failed', async () => Promise.reject(new Error('no'))],
  ])('leaves no listener behind when the work %s', async (_, work) => {
    const caller = new AbortController();
    await Promise.allSettled([withOwnAbort(caller.signal, work)]);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('does nothing for a signal that aborted before', async () => {
    await expect(withOwnAbort(AbortSignal.abort('late'), async () => 1)).rejects.toBe('late');
  });
});
