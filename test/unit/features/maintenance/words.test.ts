import { describe, expect, it } from 'vitest';
import { mutedText } from '../../../../src/features/maintenance/words.ts';
import { timeIn } from '../../../../src/fleet/trust.ts';
import { NOON } from '../../fleet/phone.ts';
import { maintenanceOf } from './fleet.ts';

const time = timeIn('UTC', NOON);

describe('the line about maintenance', () => {
  it.each([
    ['nothing', [], ''],
    ['a request by somebody', [{}], 'rack-01 muted until 14:00 by Anna (4 phones, 0 offline)'],
    ['one by nobody', [{ by: 'loopback' }], 'rack-01 muted until 14:00 (4 phones, 0 offline)'],
    [
      'several',
      [{ covers: 'a' }, { covers: 'b', offlinePhones: 2 }, { covers: 'c' }, { covers: 'd' }, { covers: 'e' }],
      'a muted until 14:00 (4 phones, 0 offline); b muted until 14:00 (4 phones, 2 offline); c muted until 14:00 (4 phones, 0 offline); and 2 more',
    ],
  ] as const)('of %s is “%s”', (_, all, text) => {
    const by = all.length > 1 ? { by: '' } : {};
    expect(
      mutedText(
        all.map((own) => maintenanceOf({ ...by, ...own })),
        time,
      ),
    ).toBe(text);
  });
});
