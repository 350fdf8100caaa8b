import { describe, expect, it } from 'vitest';
import { wireDevice } from './documented.ts';
import { recordEvents } from './recorded-events.ts';

const OTHER_WORDS = [
  { setupStatus: 'draft' },
  { rentalStatus: 'idle' },
  { marketplaceStatus: 'not_listed' },
  { selfRent: { status: 'pending' } },
  { rotation: { status: 'paused', intervalInMs: 600_000 } },
  { rotation: { status: 'active', intervalInMs: 60_000 } },
  { rotation: null },
];

describe('what many devices share', () => {
  it('is one object for all that say the same', () => {
    const { wire } = recordEvents();
    const [one, other] = [
      wireDevice({ deviceId: 'a', label: 'A' }),
      wireDevice({ deviceId: 'b', label: 'B' }),
    ];
    expect(wire.readKind(one)).toBe(wire.readKind(other));
    expect(wire.readState(one)).toBe(wire.readState(other));
  });

  it.each(OTHER_WORDS)('is another state with %j', (fields) => {
    const { wire } = recordEvents();
    const usual = wire.readState(wireDevice());
    const other = wire.readState(wireDevice(fields));
    expect(other).not.toEqual(usual);
    expect(wire.readState(wireDevice(fields))).toBe(other);
    expect(wire.readState(wireDevice())).toBe(usual);
  });

  it.each([{ brand: 'Google' }, { model: 'Pixel' }, { appVersion: '5.0.0' }])(
    'is another kind with %j',
    (fields) => {
      const { wire } = recordEvents();
      expect(wire.readKind(wireDevice(fields))).toMatchObject(fields);
      expect(wire.readKind(wireDevice())).not.toMatchObject(fields);
    },
  );

  it('does not mix up fields whose texts are the same when they are laid end to end', () => {
    const { wire } = recordEvents();
    expect(wire.readKind({ brand: 'ab', model: 'c' })).toEqual({ brand: 'ab', model: 'c', appVersion: '' });
    expect(wire.readKind({ brand: 'a', model: 'bc' })).toEqual({ brand: 'a', model: 'bc', appVersion: '' });
    expect(wire.readKind({ brand: 'a', appVersion: 'bc' })).toEqual({
      brand: 'a',
      model: '',
      appVersion: 'bc',
    });
  });

  it('is told to be odd of every device, not of the first alone', () => {
    const { wire, seen } = recordEvents();
    const odd = { brand: 'a\0b', rentalStatus: 'leased' };
    for (let device = 0; device < 2; device += 1) {
      expect(wire.readKind(odd).brand).toBe('a\uFFFDb');
      expect(wire.readState(odd).rentalStatus).toBe('other');
    }
    expect(seen).toEqual([
      'labelSanitized brand',
      'unknownEnum rentalStatus',
      'labelSanitized brand',
      'unknownEnum rentalStatus',
    ]);
  });

  it('cannot be led astray by what parts the texts', () => {
    const { wire } = recordEvents();
    expect(wire.readKind({ brand: 'a\0b', model: 'c' })).toMatchObject({ brand: 'a\uFFFDb', model: 'c' });
    expect(wire.readKind({ brand: 'a', model: 'b', appVersion: 'c' })).toEqual({
      brand: 'a',
      model: 'b',
      appVersion: 'c',
    });
    expect(wire.readKind({ brand: 'a', model: 'b\0c' })).toMatchObject({ brand: 'a', model: 'b\uFFFDc' });
  });
});
