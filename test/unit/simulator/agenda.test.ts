import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgenda } from '../../../src/simulator/agenda.ts';

describe('the agenda', () => {
  it('lets things happen in the order of time, each until it is over', () => {
    const agenda = createAgenda();
    const happened: string[] = [];
    const add = (name: string, first: number, every: number) =>
      agenda.add({
        at: first,
        occur: (at) => {
          happened.push(`${name} ${at}`);
          return at + every;
        },
      });
    add('slow', 5, 10);
    add('fast', 1, 3);
    add('never', Number.POSITIVE_INFINITY, 1);
    agenda.runUntil(8);
    expect(happened).toEqual(['fast 1', 'fast 4', 'slow 5', 'fast 7']);
    agenda.runUntil(15);
    expect(happened.slice(4)).toEqual(['fast 10', 'fast 13', 'slow 15']);
  });

  it('never lets time run backwards, whatever is on it', () => {
    const entries = fc.array(fc.record({ first: fc.nat(1_000), every: fc.integer({ min: 1, max: 300 }) }));
    fc.assert(
      fc.property(entries, (planned) => {
        const agenda = createAgenda();
        const times: number[] = [];
        for (const { first, every } of planned) {
          agenda.add({
            at: first,
            occur: (at) => {
              times.push(at);
              return at + every;
            },
          });
        }
        agenda.runUntil(1_000);
        const expected = planned
          .flatMap(({ first, every }) =>
            Array.from(
              { length: Math.floor((1_000 - first) / every) + 1 },
              (_, index) => first + index * every,
            ),
          )
          .sort((a, b) => a - b);
        expect(times).toEqual(expected);
      }),
    );
  });
});
