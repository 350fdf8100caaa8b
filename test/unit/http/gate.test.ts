import { describe, expect, it } from 'vitest';
import type { WebSetup } from '../../../src/config/web/web-config.ts';
import type { Verdict } from '../../../src/http/auth/authenticate.ts';
import { createGate, type GateOptions } from '../../../src/http/gate.ts';
import { silentLog } from '../../silent-log.ts';

const HEADERS = { 'x-frame-options': 'deny' };
const setup = (users: readonly string[]): WebSetup => ({
  config: {
    tls: undefined,
    headers: HEADERS,
    users: new Map(users.map((name) => [name, 'hash'])),
    rateLimit: undefined,
  },
  material: undefined,
});

async function pass(own: Partial<GateOptions>) {
  const gate = createGate({
    look: async () => setup(['alice']),
    isWithinRate: () => true,
    authenticate: async () => 'granted',
    log: silentLog,
    ...own,
  });
  const { refusal, headers } = await gate({ authorization: undefined, client: '' });
  const content = refusal?.content() ?? [];
  const body = Array.isArray(content) ? Buffer.concat(content).toString() : undefined;
  return { status: refusal?.status, headers, body, own: refusal?.headers };
}

const never = (): never => {
  throw new Error('too late to ask');
};

describe('the gate', () => {
  it('lets in whom the password lets in, and whom nobody asks', async () => {
    expect(await pass({})).toMatchObject({ status: undefined, headers: HEADERS });
    expect(await pass({ look: async () => setup([]), authenticate: never })).toMatchObject({
      status: undefined,
      headers: HEADERS,
    });
  });

  it('asks for a usable configuration first', async () => {
    const found = await pass({ look: async () => undefined, isWithinRate: never, authenticate: never });
    expect(found).toMatchObject({ status: 500, body: 'Internal Server Error\n', headers: {} });
  });

  it('asks for the rate before it asks for a password', async () => {
    const found = await pass({ isWithinRate: () => false, authenticate: never });
    expect(found).toMatchObject({ status: 429, body: 'Too Many Requests\n', headers: {} });
  });

  it.each([
    ['refused', 401, 'Unauthorized\n', { 'www-authenticate': 'Basic' }],
    ['busy', 429, 'Too Many Requests\n', { 'retry-after': '1' }],
  ] as const)(
    'says to a password that is %s: %d, with the headers',
    async (verdict: Verdict, status, body, own) => {
      expect(await pass({ authenticate: async () => verdict })).toMatchObject({
        status,
        body,
        own,
        headers: HEADERS,
      });
    },
  );

  it('stays shut where passwords can not be checked', async () => {
    const errors: string[] = [];
    const found = await pass({
      authenticate: () => Promise.reject(new Error('the thread has ended')),
      log: { ...silentLog, error: (_, message) => errors.push(message) },
    });
    expect([found.status, errors]).toEqual([500, ['a password could not be checked']]);
  });
});
