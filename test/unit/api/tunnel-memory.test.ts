import { describe, expect, it } from 'vitest';
import { createTunnelMemory, TunnelReader } from '../../../src/api/wire/tunnel-memory.ts';
import type { Tunnel } from '../../../src/model/tunnel.ts';
import { CANARY, success, wireCredential, wireTunnel } from './documented.ts';
import { recordEvents } from './recorded-events.ts';

type Fields = Record<string, unknown>;

function setUp() {
  const { wire, seen } = recordEvents();
  const memory = createTunnelMemory(wire);
  return {
    seen,
    read: (fields: Fields, known?: Tunnel) => {
      const body = Buffer.from(success(wireTunnel(fields)));
      const reader = new TunnelReader(memory, known);
      const opened = reader.open(body);
      const { data } = JSON.parse(Buffer.from(opened).toString());
      return { isDecoded: opened === body, tunnel: reader.read(data)?.value };
    },
  };
}

describe('an answer that was read before', () => {
  it('is not decoded again, and is the tunnel that is known', () => {
    const { read } = setUp();
    const { tunnel } = read({});
    expect(read({}, tunnel)).toEqual({ isDecoded: false, tunnel });
    expect(read({}, tunnel).tunnel).toBe(tunnel);
  });

  it('is decoded where nothing is known', () => {
    const { read } = setUp();
    read({});
    expect(read({}).isDecoded).toBe(true);
  });

  it.each<[string, Fields]>([
    ['uptimeStatus', { uptimeStatus: 'down' }],
    ['host', { host: 'other.example.com' }],
    ['list of credentials', { credentials: [] }],
  ])('is decoded where it has another %s', (_, fields) => {
    const { read } = setUp();
    const { tunnel } = read({});
    const other = read(fields, tunnel);
    expect(other.isDecoded).toBe(true);
    expect(other.tunnel).not.toEqual(tunnel);
    expect(read(fields, other.tunnel).isDecoded).toBe(false);
  });

  it('is the tunnel that is known where only a password is another one, and is known by that from then on', () => {
    const { read } = setUp();
    const fields = { credentials: [wireCredential({ password: `${CANARY}other` })] };
    const { tunnel } = read({});
    const again = read(fields, tunnel);
    expect(again.isDecoded).toBe(true);
    expect(again.tunnel).toBe(tunnel);
    expect(read(fields, tunnel).isDecoded).toBe(false);
    expect(read({}, tunnel).isDecoded).toBe(true);
  });

  it('is decoded, and told, each time where there is something to tell', () => {
    const { read, seen } = setUp();
    const { tunnel } = read({ host: 7 });
    expect(read({ host: 7 }, tunnel).isDecoded).toBe(true);
    expect(seen).toEqual(['schemaViolation tunnel', 'schemaViolation tunnel']);
  });
});
