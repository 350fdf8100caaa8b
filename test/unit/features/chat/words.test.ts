import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../../src/features/chat/bot.ts';
import {
  balanceText,
  morningText,
  offlineAnswer,
  phoneText,
  rackText,
  statusText,
} from '../../../../src/features/chat/words.ts';
import { maintenanceChat } from '../../../../src/features/maintenance/chat.ts';
import type { FleetReading } from '../../../../src/fleet/document.ts';
import { countGroups } from '../../../../src/fleet/phones.ts';
import { accountOf, fleet, incident, totals, view } from '../../fleet/fleet.ts';
import { type account, NOON, offlinePhone, phone, reading, UNREAD } from '../../fleet/phone.ts';
import { maintenanceOf } from '../maintenance/fleet.ts';

const PARTS = [maintenanceChat()];

const MINUTE = 60_000;
const textOf = (text: string): string => messageOf({ text }).text;

const statusOf = (own: Parameters<typeof view>[0], now?: number): string =>
  textOf(statusText(view(own, now)));

const withDevices = (devices: FleetReading, own: Parameters<typeof account>[0] = {}) =>
  accountOf({ readings: { devices, tunnels: reading(), balance: reading() }, ...own });

const BALANCE = { pendingCents: 0, totalCents: 0 };
const HELD = reading({ state: 'stale', failure: 'timeout', failureText: 'Nothing came in time.' });

const UNREAD_BALANCE = { ...UNREAD, lastAttemptAt: '2026-03-01T12:00:00.000Z' };

describe('/status', () => {
  it('says in three lines that nothing needs attention, on fresh data', () => {
    expect(statusOf({})).toBe('Needs attention: nothing.\nOffline: 0 of 4 phones.\nData: 20 s old.');
  });

  it('names the three worst incidents, and how many more there are', () => {
    const many = incident({
      ...{ id: 'i2', problem: 'common_cause', kind: 'group', value: 'rack-03', phone: undefined },
      ...{ label: undefined, phones: 40, soldPhones: 12, since: '2026-03-01T02:12:00.000Z' },
    });
    const others = ['i3', 'i4', 'i5'].map((id) => incident({ id, severity: 'warning', label: id }));
    const over = incident({ endedAt: '2026-03-01T11:50:00.000Z', reason: 'back', label: 'over' });
    const info = incident({ severity: 'info', label: 'in the digest' });
    expect(textOf(statusText(view({ incidents: [...others, over, info, incident(), many] })))).toMatch(
      /^Needs attention: Outage: rack-03 \(40 of 40 phones offline, 12 sold\), since 04:12 \(9 h 48 min\); Sold, offline: rack-01\/slot-01, since 13:38 \(22 min\); Sold, offline: i3, since 13:38 \(22 min\); and 2 more: \/log\.\n/,
    );
  });

  it('counts the phones that are offline, sold, not set up or in maintenance, in all accounts', () => {
    const many = totals(
      { phones: 240, online: 198, offline: 34 },
      { sold_offline: 12, not_set_up: 3, in_maintenance: 5 },
    );
    const accounts = [accountOf({ totals: many }), accountOf({ name: 'other' })];
    expect(statusOf({ accounts })).toContain(
      '\nOffline: 34 of 244 phones, 12 of them sold, 3 not set up, 5 in maintenance.\n',
    );
  });

  it.each([
    ['stale', withDevices(HELD), NOON + 10 * MINUTE],
    ['expired', withDevices({ ...UNREAD, lastAttemptAt: 'x' }, { totals: undefined }), NOON],
    ['never polled', withDevices(UNREAD, { totals: undefined }), NOON],
    ['fresh, but of an hour ago', accountOf(), NOON + 60 * MINUTE],
    ['of a key that is refused', accountOf({ access: 'invalid_key' }), NOON],
    ['in the grace period after an outage', accountOf({ gracePeriodEndsAt: '2026-03-01T12:09:00Z' }), NOON],
    [
      'without its tunnels',
      accountOf({ readings: { devices: reading(), tunnels: HELD, balance: reading() } }),
      NOON,
    ],
  ])('never says that nothing needs attention on data that is %s', (_, account, now) => {
    const text = statusOf({ accounts: [account] }, now);
    expect(text).not.toMatch(/Needs attention: nothing/);
    expect(text).toMatch(/No data since then|unknown/);
  });

  it.each([
    ['not to be read', UNREAD_BALANCE],
    ['stale', HELD],
  ])('says that nothing needs attention if only the balance is %s', (_, balance) => {
    const accounts = [accountOf({ readings: { devices: reading(), tunnels: reading(), balance } })];
    const text = statusOf({ accounts });
    expect(text).toMatch(
      /^Needs attention: nothing\.\nOffline: 0 of 4 phones\.\nData: 20 s old\. No news about the balance /,
    );
    expect(textOf(offlineAnswer(view({ accounts })).text)).toMatch(/^No phone is offline\./);
  });

  it('says that a message about sold phones follows if they stay offline', () => {
    const accounts = [accountOf({ totals: totals({ online: 1 }, { sold_offline: 3 }) })];
    expect(statusOf({ accounts })).toMatch(
      /^Needs attention: 3 sold and offline; you get a message if it lasts\./,
    );
  });

  it('does not deny an incident of the digest on stale data', () => {
    const incidents = [incident({ severity: 'info' })];
    expect(statusOf({ accounts: [withDevices(HELD)], incidents }, NOON + 10 * MINUTE)).toMatch(/no problems/);
  });

  it('counts the phones of the accounts that it knows, next to one that was never polled', () => {
    const accounts = [
      accountOf({ totals: totals({ online: 1, offline: 3 }) }),
      withDevices(UNREAD, { name: 'new', totals: undefined }),
    ];
    expect(statusOf({ accounts })).toMatch(/Offline: [^\n]*3 of 4 phones, 1 account unknown\./);
  });

  it('has the time of the oldest account, and names the account', () => {
    const old = { name: 'old', access: 'invalid_key' } as const;
    const accounts = [accountOf(), withDevices(HELD, old)];
    const incidents = [incident(), incident({ account: 'old', label: 'rack-09', severity: 'warning' })];
    expect(statusOf({ accounts, incidents }, NOON + 20_000)).toBe(
      [
        'Needs attention: At 14:00: Sold, offline: rack-01/slot-01 of main, since 13:38 (22 min); Sold, offline: rack-09 of old, since 13:38 (22 min).',
        'Offline: At 14:00: 0 of 8 phones.',
        'Data: 20 s old. API key refused (old). Nothing came in time.',
      ].join('\n'),
    );
  });

  it('does not count data as stale because lines of the file of tags are ignored', () => {
    const exporter = { ...fleet().exporter, warnings: ['line 3: no phone is called rack-09/1'] };
    expect(statusOf({ exporter })).toMatch(/^Needs attention: nothing\./);
  });

  it('dates stale data, and says why it is stale', () => {
    expect(statusOf({ accounts: [withDevices(HELD)] }, NOON + 10 * MINUTE)).toBe(
      'Needs attention: At 14:00: no problems. No data since then.\nOffline: At 14:00: 0 of 4 phones.\nData: 10 min old. No news from the marketplace since 14:00: this is not your phones. Nothing came in time.',
    );
  });
});

describe('/offline', () => {
  it('lists sold phones first, then the longest offline', () => {
    const phones = [
      phone(),
      offlinePhone('p2'),
      offlinePhone('p3', { problemSince: '2026-03-01T11:00:00.000Z' }),
      offlinePhone('p4', { problem: 'sold_offline' }),
    ];
    const answer = offlineAnswer(view({ phones }));
    expect(textOf(answer.text)).toBe(
      'Sold, offline: rack-02/p4, since 13:38 (22 min)\nOffline: rack-02/p3, since 13:00 (1 h)\nOffline: rack-02/p2, since 13:38 (22 min)\nData: 20 s old.',
    );
    expect(answer.visits.map(({ entries: [first] }) => first?.phone.id)).toEqual(['p4', 'p3', 'p2']);
  });

  it('cuts a long list and says how many more there are', () => {
    const phones = Array.from({ length: 300 }, (_, index) => offlinePhone(`p${index}`));
    const answer = offlineAnswer(view({ phones }));
    expect(textOf(answer.text).split('\n')).toHaveLength(22);
    expect(textOf(answer.text)).toContain('\nand 280 more (try /offline rack-03)\n');
  });

  it('does not say which phones are offline if the data has expired', () => {
    const accounts = [withDevices(UNREAD, { totals: undefined })];
    expect(textOf(offlineAnswer(view({ accounts, phones: [] })).text)).toMatch(/^Offline: unknown/);
  });
});

describe('the other answers', () => {
  it('describe the problem of a phone, its start and the advice', () => {
    const phones = [offlinePhone('p9', { lastHeartbeatAt: '2026-03-01T11:38:00.000Z' })];
    expect(textOf(phoneText(view({ phones }), phone({ id: 'p9' }), PARTS))).toBe(
      [
        'rack-02/p9 Google Pixel 8',
        'Offline since 13:38 (22 min)',
        'Last heartbeat 13:38, offline after 10 min',
        'idle since 13:00, listed',
        'It has not reported for longer than usual. Nobody can rent it until it does. Check power, mobile data and the app.',
        'Data: 20 s old.',
      ].join('\n'),
    );
    expect(textOf(phoneText(view(), phone({ id: 'gone' }), PARTS))).toMatch(
      /^This phone is not in the device list/,
    );
  });

  it('never say that a phone has no problem on stale data', () => {
    const world = view({ accounts: [withDevices(HELD)] }, NOON + 10 * MINUTE);
    const text = textOf(phoneText(world, phone({ id: 'p1' }), PARTS));
    expect(text).toMatch(/\nAt 14:00: no problems\. No data since then\n/);
  });

  it('name the account of phones with one label in two', () => {
    const accounts = [accountOf(), accountOf({ name: 'other' })];
    const phones = [offlinePhone('p2'), offlinePhone('p3', { account: 'other', label: 'rack-02/p2' })];
    const { text, visits } = offlineAnswer(view({ accounts, phones }));
    expect(textOf(text)).toMatch(/^Offline: rack-02\/p2 of main, .*\nOffline: rack-02\/p2 of other, /);
    expect(visits).toHaveLength(2);
  });

  it('tell twins of one account apart by the end of their ids', () => {
    const phones = ['63b0f0a0c0000098', '63b0f640c00000b0'].map((id) => phone({ id, label: 'twin' }));
    const [one, other] = phones.map(
      (each) => textOf(phoneText(view({ phones }), each, PARTS)).split('\n')[0],
    );
    expect(one).toMatch(/^twin .*0098/);
    expect(other).toMatch(/^twin .*00b0/);
  });

  describe('about phones in maintenance', () => {
    const offlineSince1328 = {
      lastHeartbeatAt: '2026-03-01T11:28:00.000Z',
      offlineAfterReason: { excusedSeconds: 0 },
    };
    const worked = { problem: 'in_maintenance', online: false } as const;
    const maintenance = [maintenanceOf({ reason: 'moving', by: 'Olena' })];
    const phones = [
      phone({ id: 'p1', label: 'slot-01', ...worked }),
      phone({ id: 'p2', label: 'slot-02', ...worked }),
      phone({ id: 'p3', label: 'slot-03', ...offlineSince1328, ...worked }),
    ];

    it('count the offline ones in /offline, and refer to /rack', () => {
      expect(textOf(offlineAnswer(view({ phones, maintenance })).text)).toBe(
        'No phone is offline.\nIn maintenance: 1 phone offline in rack-01 (see /rack).\nData: 20 s old.',
      );
    });

    const end = [
      '2 of 3 phones back online: slot-01, slot-02.',
      'Offline: slot-03 since 13:28.',
      'Data: 20 s old.',
    ];
    const released = phones.map((each) =>
      each.id === 'p3' ? each : { ...each, problem: undefined, online: true },
    );

    it.each([
      ['that lasts', phones, { reason: 'moving' }, 'In maintenance until 16:00, moving, by Olena.'],
      [
        'until back that has ended for some',
        released,
        { untilBack: true },
        'In maintenance until each phone is back online, 16:00 at the latest, by Olena.',
      ],
    ])(
      'name in /rack the phones that are back online, those that are offline, and maintenance %s',
      (_, own, what, line) => {
        const [rack = expect.fail()] = countGroups(own);
        const world = view({ phones: own, maintenance: [maintenanceOf({ by: 'Olena', ...what })] });
        expect(textOf(rackText(world, rack, PARTS)).split('\n')).toEqual([
          'rack-01: 3 phones, 2 online, 3 sold',
          line,
          ...end,
        ]);
      },
    );

    it('describe the maintenance in /phone, and say if the phone is online', () => {
      const textOfPhone = (id: string): string =>
        textOf(phoneText(view({ phones, maintenance }), phone({ id }), PARTS));
      expect(textOfPhone('p1')).toContain('\nIn maintenance until 16:00, moving, by Olena: online\n');
      expect(textOfPhone('p3')).toContain(
        '\nIn maintenance until 16:00, moving, by Olena: offline since 13:28\n',
      );
    });
  });

  it('end with a link to the page if its address is known', () => {
    const [rack = expect.fail()] = countGroups([phone()]);
    const own = fleet();
    const linked = view({ exporter: { ...own.exporter, externalUrl: 'https://hoster.example.com/' } });
    expect(
      [statusText(linked), phoneText(linked, phone({ id: 'p1' }), PARTS), rackText(linked, rack)].map(
        (text) => text.split('\n').at(-1),
      ),
    ).toEqual([
      'https://hoster.example.com/',
      'https://hoster.example.com/#phone=main%2Fp1',
      'https://hoster.example.com/#group=rack-01&account=main',
    ]);
  });

  it('list only the offline phones of a rack', () => {
    const phones = [offlinePhone('p2', { group: 'rack-02' }), offlinePhone('p3', { group: 'rack-03' })];
    const answer = offlineAnswer(view({ phones }), 'rack-03');
    expect(textOf(answer.text)).toBe('Offline: rack-02/p3, since 13:38 (22 min)\nData: 20 s old.');
    expect(textOf(offlineAnswer(view({ phones }), 'cellar').text)).toBe(
      'No phone or group is called cellar.',
    );
  });

  it('list the numbers of a group and the problems in it', () => {
    const phones = [
      phone(),
      offlinePhone('p2', { group: 'rack-01' }),
      offlinePhone('p3', { group: 'rack-02' }),
    ];
    const [rack = expect.fail()] = countGroups(phones);
    expect(textOf(rackText(view({ phones }), rack))).toBe(
      'rack-01: 2 phones, 1 online, 1 sold\nrack-02/p2: Offline since 13:38 (22 min)\nData: 20 s old.',
    );
  });

  it('write the balance with its currency, and an expired one as unknown', () => {
    const accounts = [accountOf(), accountOf({ name: 'other', balance: undefined })];
    expect(textOf(balanceText(view({ accounts })))).toBe(
      'main: €1,250.00, €95.73 pending\nother: unknown, because the data is too old',
    );
  });
});

describe('the morning line', () => {
  const before = view(
    { accounts: [accountOf({ balance: { ...BALANCE, availableCents: 126_000 } })] },
    NOON - 86_400_000,
  );

  it('describes a quiet night, and what the balance did', () => {
    expect(textOf(morningText(view(), before))).toBe(
      [
        'Good morning. Overnight: no alerts.',
        'Needs attention: nothing.',
        'Offline: 0 of 4 phones. 3 of 4 phones sold.',
        'Balance: €1,250.00, €95.73 pending, −10.00 since 28 Feb 14:00.',
        'Data: 20 s old.',
      ].join('\n'),
    );
  });

  it('has as many lines on a bad night as on a good one', () => {
    const incidents = Array.from({ length: 500 }, (_, index) => incident({ id: `i${index}` }));
    const bad = textOf(morningText(view({ incidents }), before));
    expect(bad.split('\n')).toHaveLength(5);
    expect(bad).toMatch(
      /^Good morning\. Overnight: 500 alerts, 0 resolved\.\nNeeds attention: Sold, offline: rack-01\/slot-01, since/,
    );
    expect(bad.length).toBeLessThan(600);
  });
});

describe('a label', () => {
  it.each([
    '/back rack-01',
    '@everyone https://evil.example',
    '<b>bold</b> *bold* [a](tg://user?id=1)',
    'two\nlines\u2028three',
    '\uE000\uE001',
    '😀'.repeat(60),
  ])('is shown as it is, as code: %j', (label) => {
    const phones = [offlinePhone('p9', { label })];
    const { text, options } = messageOf(offlineAnswer(view({ phones })));
    expect(text.split('\n')).toHaveLength(2);
    const [code] = options.entities;
    const shown = text.slice(code?.offset, (code?.offset ?? 0) + (code?.length ?? 0));
    expect(text.startsWith(`Offline: ${shown}, since`)).toBe(true);
    expect(text).not.toMatch(/[\uE000\uE001]/);
  });
});

describe('a message', () => {
  it('has 4,096 characters at most, cut at the end of a line', () => {
    const { text } = messageOf({ text: `${'a line\n'.repeat(1_000)}` });
    expect(text.length).toBeLessThanOrEqual(4_096);
    expect(text).toMatch(/a line\n…$/);
    expect(messageOf({ text: 'x'.repeat(9_000) }).text.length).toBeLessThanOrEqual(4_096);
  });

  it.each(['', 'x', 'xx'])('is cut between two characters, after "%s" too', (start) => {
    const { text } = messageOf({ text: start + '\u{1F600}'.repeat(2_050) });
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeGreaterThan(4_090);
    expect(messageOf({ text: 'half \uD83D of one' }).text.isWellFormed()).toBe(true);
  });
});

it('counts no phone as back or online that was never set up', () => {
  const phones = [
    phone({ problem: 'in_maintenance' }),
    phone({ id: 'p9', label: 'new', problem: 'in_maintenance', setupStatus: 'draft', online: false }),
  ];
  const [rack] = countGroups(phones);
  if (rack === undefined) throw new Error('no rack');
  const text = textOf(rackText(view({ phones, maintenance: [maintenanceOf()] }), rack, PARTS));
  expect(text).toMatch(/^rack-01: 2 phones, 1 online, 2 sold\n/);
  expect(text).toContain('\n1 phone, none offline, 1 not set up.\n');
});
