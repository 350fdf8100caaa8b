import { describe, expect, it } from 'vitest';
import { maintenanceText, mutedText } from '../../../../src/features/maintenance/words.ts';
import { timeIn } from '../../../../src/fleet/trust.ts';
import { speaking } from '../../../../src/text/say.ts';
import { fleet } from '../../fleet/fleet.ts';
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

it.each([
  [{}, 'rack-01'],
  [{ covers: 'rack-01 of main' }, 'rack-01 (main)'],
  [{ covers: 'all phones', groups: [] }, 'усі телефони'],
  [{ covers: 'all phones of main', groups: [] }, 'усі телефони (main)'],
] as const)('names an account in another language only where the exporter does: %j', (own, name) => {
  const text = speaking('uk', () => maintenanceText(fleet({ maintenance: [maintenanceOf(own)] }), time));
  expect(text.replaceAll(/[\uE000\uE001]/g, '')).toContain(`• ${name}: 4 телефони`);
});
