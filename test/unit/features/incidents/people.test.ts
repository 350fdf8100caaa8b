import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../../src/features/chat/bot.ts';
import { phoneText, rackText } from '../../../../src/features/chat/words.ts';
import { incidentsChat } from '../../../../src/features/incidents/chat.ts';
import { countGroups } from '../../../../src/fleet/phones.ts';
import { incident, view } from '../../fleet/fleet.ts';
import { offlinePhone, phone } from '../../fleet/phone.ts';

/*
 * The answers about a rack and a phone, with who is on their incidents.
 */

const PARTS = [incidentsChat];
const textOf = (text: string): string => messageOf({ text }).text;

describe('an outage', () => {
  const outage = incident({
    ...{ problem: 'common_cause', phone: undefined, label: undefined, kind: 'group', value: 'rack-02' },
    ...{ phones: 2, soldPhones: 0, allPhones: 2, acknowledgedBy: 'Olena' },
    acknowledgedAt: '2026-03-01T11:45:00.000Z',
  });
  const causes = [
    {
      ...{ id: 'c1', kind: 'group', value: 'rack-02', since: '2026-03-01T11:38:00.000Z' },
      ...{ phones: 2, ownPhones: 2, soldPhones: 0, others: 0, withinSeconds: 30, accounts: 1 },
    },
  ];
  const phones = [
    ...['p1', 'p2'].map((id) => offlinePhone(id, { group: 'rack-02', cause: 'c1' })),
    phone({ id: 'p3', label: 'rack-02/p3', group: 'rack-02', setupStatus: 'draft' }),
  ];
  const world = view({ phones, causes, incidents: [outage] });
  const line =
    'Outage: rack-02 (2 of 3 phones offline), since 13:38 (22 min), Olena has been on it since 13:45.';

  it('is named by /rack, with who is on it, in place of each of its phones', () => {
    const [rack] = countGroups(phones);
    if (rack === undefined) throw new Error('no rack');
    expect(
      textOf(rackText(world, rack, PARTS))
        .split('\n')
        .slice(1, -1),
    ).toEqual([line, 'Offline in it: rack-02/p1, rack-02/p2.']);
  });

  it('is named by /phone of one of its phones, in place of advice for one phone alone', () => {
    const text = textOf(phoneText(world, phone({ id: 'p1' }), PARTS));
    expect(text).toContain(`\n${line}\n`);
    expect(text).not.toContain('Check power');
  });
});

it('says in /phone who is on the incident of that phone', () => {
  const taken = incident({
    ...{ phone: 'p2', label: 'rack-02/p2', problem: 'offline', acknowledgedBy: 'Olena' },
    acknowledgedAt: '2026-03-01T11:45:00.000Z',
  });
  const text = textOf(
    phoneText(view({ phones: [offlinePhone('p2')], incidents: [taken] }), phone({ id: 'p2' })),
  );
  expect(text).toContain('Offline since 13:38 (22 min), Olena has been on it since 13:45\n');
});
