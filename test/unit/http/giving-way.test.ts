import { describe, expect, it } from 'vitest';
import { firstToGiveWay, type Occupant, type Place, placeToFree } from '../../../src/http/giving-way.ts';

const NOW = 100_000;
const PATIENCE = 1_000;

type Named = Occupant & { readonly name: string };

/** A connection that has been in its phase for so many milliseconds. */
function connection(name: string, phase: Occupant['phase'], age: number): Named {
  return { name, phase, since: NOW - age };
}

describe('where there is one connection too many', () => {
  it.each<[string, string, readonly Named[]]>([
    [
      'one that says nothing for too long gives way before any other',
      'mute',
      [
        connection('idle', 'idle', 8_000),
        connection('mute', 'silent', 1_001),
        connection('slow reader', 'answering', 9_000),
        connection('new', 'silent', 0),
      ],
    ],
    [
      'the one that is idle for longest gives way to one that is new',
      'older',
      [connection('newer', 'idle', 10), connection('older', 'idle', 7_000), connection('new', 'silent', 0)],
    ],
    [
      'the oldest of those that are new gives way before an answer is cut off',
      'older',
      [
        connection('slow reader', 'answering', 9_000),
        connection('older', 'silent', 20),
        connection('newer', 'silent', 10),
      ],
    ],
    [
      'an answer that takes too long is cut off, the oldest first',
      'slowest',
      [
        connection('slow', 'answering', 1_500),
        connection('slowest', 'answering', 3_000),
        connection('quick', 'answering', 10),
      ],
    ],
    [
      'the last that came is turned away where all others are answered quickly',
      'last',
      [
        connection('first', 'answering', 900),
        connection('second', 'answering', 20),
        connection('last', 'answering', 1),
      ],
    ],
  ])('%s', (_, expected, connections) => {
    expect(firstToGiveWay(connections, NOW, PATIENCE)?.name).toBe(expected);
    expect(firstToGiveWay(connections.toReversed(), NOW, PATIENCE)?.name).toBe(expected);
  });

  it('nobody gives way where nobody is', () => {
    expect(firstToGiveWay([], NOW, PATIENCE)).toBeUndefined();
  });
});

/** Answers under way for these addresses, the oldest first, of which the oldest has taken so many milliseconds. */
function places(age: number, ...addresses: readonly string[]): ReadonlySet<Place> {
  return new Set(addresses.map((address, index) => ({ address, since: NOW - age + index })));
}

describe('where all places for answers are taken', () => {
  it.each<[string, number, readonly string[], number | undefined]>([
    ['the oldest answer of the greediest makes room for a newcomer', 10, ['a', 'b', 'b', 'a', 'b'], 1],
    ['a newcomer gets no place from those who have no more than it would', 10, ['a', 'b'], undefined],
    ['a newcomer gets the place of an answer that takes too long', 1_001, ['a', 'b'], 0],
    ['one who has as many as the others is refused', 10, ['me', 'a', 'a', 'me'], undefined],
    ['one who would have as many as the others then is refused', 10, ['me', 'a', 'a'], undefined],
    ['one who has all places gets those back that take too long', 1_001, ['me', 'me'], 0],
  ])('%s', (_, age, addresses, freed) => {
    const taken = places(age, ...addresses);
    const expected = freed === undefined ? undefined : [...taken][freed];
    expect(placeToFree(taken, 'me', NOW, PATIENCE)).toBe(expected);
  });
});
