import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { withOwnAbort } from '../../../src/api/abort.ts';

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
