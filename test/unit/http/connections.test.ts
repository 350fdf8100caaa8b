import { describe, expect, it } from 'vitest';
import { type Connection, firstToEvict } from '../../../src/http/connections.ts';

const NOW = 100_000;

type Named = Connection & { readonly name: string };

/** A connection that has been in its phase for so many milliseconds. */
function connection(name: string, phase: Connection['phase'], age: number, address = '127.0.0.2'): Named {
  return { name, phase, since: NOW - age, address };
}

describe('firstToEvict', () => {
  it.each<[string, string, readonly Named[]]>([
    [
      'a connection that has been silent for more than a second',
      'silent',
      [
        connection('idle', 'idle', 8_000),
        connection('silent', 'silent', 1_001),
        connection('slow reader', 'responding', 9_000),
        connection('new', 'silent', 0),
      ],
    ],
    [
      'the longest idle connection before a new silent one',
      'older',
      [connection('newer', 'idle', 10), connection('older', 'idle', 7_000), connection('new', 'silent', 0)],
    ],
    [
      'the oldest new silent connection before a slow reader',
      'older',
      [
        connection('slow reader', 'responding', 9_000),
        connection('older', 'silent', 20),
        connection('newer', 'silent', 10),
      ],
    ],
    [
      'the slowest reader before a quick one',
      'slowest',
      [
        connection('slow', 'responding', 1_500),
        connection('slowest', 'responding', 3_000),
        connection('quick', 'responding', 10),
      ],
    ],
    [
      'the newest connection when all are quick readers',
      'last',
      [
        connection('first', 'responding', 900),
        connection('second', 'responding', 20),
        connection('last', 'responding', 1),
      ],
    ],
    [
      'a quick reader of the address with the most connections before an idle one of another',
      'second',
      [
        connection('other', 'idle', 7_000, '127.0.0.3'),
        connection('first', 'responding', 20),
        connection('second', 'responding', 10),
      ],
    ],
  ])('evicts %s', (_, expected, connections) => {
    expect(firstToEvict(connections, NOW)?.name).toBe(expected);
    expect(firstToEvict(connections.toReversed(), NOW)?.name).toBe(expected);
  });
});
