import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { MAIN } from '../process.ts';

async function plan(...flags: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, 'plan', ...flags], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], out, error] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, error };
}

describe('plan', () => {
  it('says what a fleet takes, without a configuration', async () => {
    const { code, out } = await plan('--phones=10000', '--self-rented=1500', '--total-shards=4');
    expect(out).toMatch(/^10,000 phones, 1,500 self-rented; 1 account; 4 shards of 1 process\.\n/);
    expect(out).toMatch(/^devices +400 +800 +each process lists all 100 pages of an account$/m);
    expect(out).toMatch(/^tunnels +1,500 +3,000$/m);
    expect(out).toMatch(/^phones +2,500$/m);
    expect(code).toBe(0);
  });

  it('fails where a poll does not fit its interval, and says what would', async () => {
    const { code, out } = await plan('--phones=10000', '--self-rented=5000', '--poll.tunnels=*/10 * * * * *');
    expect(out).toMatch(/^tunnels +63 s +8\.0 s +does not fit$/m);
    expect(out).toMatch(/^! The tunnels take 63 s at best and have 8\.0 s: /m);
    expect(code).toBe(1);
  });

  it('asks for no shard of its own, even where the configuration takes it from the name of the pod', async () => {
    expect(await plan('--shard=auto', '--total-shards=4')).toMatchObject({ code: 0, error: '' });
  });
});
