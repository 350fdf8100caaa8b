import { describe, expect, it } from 'vitest';
import { KeyError } from '../../../src/base/api-key.ts';
import { createLog } from '../../../src/base/log.ts';
import type { LoadedConfig } from '../../../src/daemon/accounts.ts';
import { createReload } from '../../../src/daemon/reload.ts';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { load } from '../config/sources.ts';

const NETWORK = { authorities: undefined, proxies: undefined };

function setupOf(flags: Readonly<Record<string, string>> = {}): LoadedConfig {
  return { config: load({ flags }).config, network: NETWORK };
}

/** A reload whose setups are given, in order, and what it does. */
function setUp(...setups: readonly (LoadedConfig | Error)[]) {
  const waiting = [...setups];
  const applied: LoadedConfig[] = [];
  const ended: boolean[] = [];
  const lines: string[] = [];
  const clock = createFakeClock();
  const log = createLog({
    level: 'trace',
    format: 'logfmt',
    now: () => 0,
    destination: { write: (line) => lines.push(line.replace('time=1970-01-01T00:00:00.000Z ', '')) },
  });
  const reload = createReload({
    schema: CONFIG_SCHEMA,
    config: setupOf().config,
    readSetup: async () => {
      const next = waiting.shift();
      if (next === undefined) throw new Error('nothing more is to be read');
      if (next instanceof Error) throw next;
      return next;
    },
    apply: async (setup) => {
      applied.push(setup);
      return [];
    },
    onEnd: (success) => ended.push(success),
    clock,
    log,
  });
  return { reload, applied, ended, lines, clock };
}

describe('a reload', () => {
  it('applies a valid configuration', async () => {
    const next = setupOf({ 'poll.stale_after': '1h' });
    const { reload, applied, ended, lines } = setUp(next);
    expect(await reload()).toEqual({ problems: [], warnings: [], pending: [] });
    expect([applied, ended]).toEqual([[next], [true]]);
    expect(lines).toEqual(['level=info msg="configuration reloaded" accounts=0\n']);
  });

  it('reports a key that cannot be read', async () => {
    const { reload } = setUp(new KeyError('the key file /key is empty: put the API key into it'));
    expect((await reload()).problems).toEqual(['the key file /key is empty: put the API key into it']);
  });

  it('hides the text of an internal error', async () => {
    const { reload, ended } = setUp(new TypeError('canary'));
    expect((await reload()).problems).toEqual(['unexpected error, see the log: this is a bug']);
    expect(ended).toEqual([false]);
  });

  it('runs at most once a second, and concurrent requests share one run', async () => {
    const setups = ['1h', '2h', '3h'].map((stale) => setupOf({ 'poll.stale_after': stale }));
    const { reload, applied, clock } = setUp(...setups);
    const [first, ...others] = [reload(), reload(), reload()];
    await first;
    const during = [...applied];
    const after = reload();
    await new Promise(setImmediate);
    clock.advance(999);
    await new Promise(setImmediate);
    expect([during, applied]).toEqual([setups.slice(0, 1), setups.slice(0, 1)]);
    clock.advance(1);
    await Promise.all([...others, after]);
    expect(applied).toEqual(setups.slice(0, 2));
    clock.advance(1_000);
    await reload();
    expect(applied).toEqual(setups);
  });
});
