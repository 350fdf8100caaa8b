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
      'the longest idle connection before one without a request',
      'older',
      [
        connection('unused', 'new', 9_000),
        connection('newer', 'idle', 10),
        connection('older', 'idle', 20),
        connection('slow reader', 'responding', 9_000),
      ],
    ],
    [
      'the longest one without a request before a reader',
      'older',
      [
        connection('slow reader', 'responding', 9_000),
        connection('older', 'new', 20),
        connection('newer', 'new', 10),
      ],
    ],
    [
      'the slowest reader when all read',
      'slowest',
      [
        connection('slow', 'responding', 1_500),
        connection('slowest', 'responding', 3_000),
        connection('quick', 'responding', 10),
      ],
    ],
    [
      'a reader of the address with the most connections before one without a request of another',
      'slower',
      [
        connection('other', 'new', 7_000, '127.0.0.3'),
        connection('slower', 'responding', 20),
        connection('quicker', 'responding', 10),
      ],
    ],
  ])('evicts %s', (_, expected, connections) => {
    expect(firstToEvict(connections)?.name).toBe(expected);
    expect(firstToEvict(connections.toReversed())?.name).toBe(expected);
  });
});
