import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SendRequest } from '../../../../src/cli/own-exporter.ts';
import { createConversation } from '../../../../src/features/chat/conversation.ts';
import { createExporter } from '../../../../src/features/chat/exporter.ts';
import { shortLabels } from '../../../../src/features/chat/words.ts';
import { maintenanceChat } from '../../../../src/features/maintenance/chat.ts';
import type { ChatExporter } from '../../../../src/fleet/chat.ts';
import { fleetParser } from '../../../../src/fleet/document.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { accountOf, fleet } from '../../fleet/fleet.ts';
import { NOON, phone } from '../../fleet/phone.ts';
import { maintenanceOf } from '../maintenance/fleet.ts';
import { talk } from './chat.ts';

const MINUTE = 60_000;

describe('a name', () => {
  const phones = [
    phone({ id: 'a1', label: 'rack-01/slot-04', group: 'rack-01' }),
    phone({ id: 'a2', label: 'rack-01/slot-14', group: 'rack-01' }),
    phone({ id: 'a3', label: 'rack-03/slot-05', group: 'rack-03' }),
  ];

  const left = [
    {
      ...{ account: 'main', id: 'a9', label: 'rack-07/gone', group: 'rack-07', wasOffline: false },
      lastListedAt: '2026-03-01T11:00:00.000Z',
    },
  ];

  it.each([
    ['/phone slot-04', /^rack-01\/slot-04 /],
    ['/phone 04', /^rack-01\/slot-04 /],
    ['/phone a3', /^rack-03\/slot-05 /],
    ['/phone 4', /^2 matches\.$/],
    ['/phone', /^Which one\?/],
    ['/phone rack-09', /^No phone or group is called rack-09\. Did you mean rack-01\?$/],
    ['/phone gone', /^rack-07\/gone is no longer in the device list\. Last seen: 13:00\.$/],
    [
      '/maintenance rack-01 1e9h',
      /^No phone or group is called rack-01 1e9h\. Write a time like 2h, 90 min, 18:00 or back\./,
    ],
    ['/rack rack', /^2 matches\.$/],
    ['/maintenance 03 2h', /^rack-03: 1 phone, none offline now, until 16:00\./],
    [
      '/maintenance all back',
      /^all phones: 3 phones, none offline now, until each phone has gone offline and come back, 8 Mar 14:00 at the latest\./,
    ],
    ['/maintenance rack-01', /^rack-01: 2 phones, none offline now\. .* Until when\?$/],
    ['/maintenance rack-01 2 h moving it', /until 16:00\. Reason: moving it\. Their alerts will be muted/],
    ['/maintenance rack-01 90min', /until 15:30\./],
    ['/maintenance rack-01 13:00', /until 2 Mar 13:00\./],
    ['/maintenance rack-01 rack-03 2h', /^rack-01, rack-03: 3 phones,/],
    ['/maintenance rack-03, slot-04 2h', /^rack-03, rack-01\/slot-04: 2 phones,/],
    ['/maintenance rack-01 rack-09 2h', /^No phone or group is called rack-01 rack-09\.$/],
    ['/maintenance main 2h', /^all phones of main: 3 phones,/],
    ['/maintenance', /^No phone is in maintenance\.$/],
    ['/phone rack-01/slot-04 of main', /^rack-01\/slot-04 /],
    ['/rack rack-03 of main', /^rack-03: 1 phone,/],
    // Without its unit, the length is not the name of a rack.
    ['/maintenance rack-01 2', /^No phone or group is called rack-01 2\. .*Write a time like 2h, 90 min/],
    ['/maintenance rack-01 31d', /^For how long\?/],
    ['/maintenance rack-01 5s', /^For how long\?/],
    ['/MAINTENANCE rack-01 2H', /until 16:00/],
  ])('in %s means what fits best', async (command, answer) => {
    expect((await talk({ phones, left }).ask(command)).text).toMatch(answer);
  });

  const odd = [
    phone({ id: 'k1', label: 'Kyiv, rack 1/slot 2h', group: 'Kyiv, rack 1' }),
    phone({ id: 'k2', label: 'B\u00FCro/a  b', group: 'B\u00FCro' }),
    phone({ id: 'k3', label: 'the "big" one/1', group: 'the "big" one' }),
  ];

  it.each([
    ['/maintenance Kyiv, rack 1 2h', { groups: ['Kyiv, rack 1'] }],
    ['/maintenance "Kyiv, rack 1", Bu\u0308ro 2h', { groups: ['Kyiv, rack 1', 'B\u00FCro'] }],
    ['/maintenance \u201CKyiv, rack 1\u201D B\u00FCro 2h', { groups: ['Kyiv, rack 1', 'B\u00FCro'] }],
    ['/maintenance Bu\u0308ro 2h', { groups: ['B\u00FCro'] }],
    ['/maintenance "Kyiv, rack 1/slot 2h" 2h', { devices: ['k1'] }],
    ['/maintenance B\u00FCro/a b 2h', { devices: ['k2'] }],
    ['/maintenance ‘Kyiv, rack 1’ buro 2h', { groups: ['Kyiv, rack 1', 'B\u00FCro'] }],
    ['/maintenance the „big“ one 2h', { groups: ['the "big" one'] }],
    ['/maintenance «Kyiv, rack 1/slot 2h» 2h', { devices: ['k1'] }],
    ['/maintenance "the ""big"" one", B\u00FCro 2h', { groups: ['the "big" one', 'B\u00FCro'] }],
  ])('that the API can give can be said: %s', async (command, scope) => {
    const { ask, changes, conversation } = talk({ phones: odd });
    const { keys } = await ask(command);
    await conversation.tap(7, keys[0]?.key ?? '', 'Anna');
    expect(changes).toMatchObject([{ body: scope }]);
  });

  it.each([
    ['/maintenance rack-01 of all accounts 2h', { groups: ['rack-01'] }, undefined],
    [
      '/maintenance rack-01 of all accounts, rack-03 of all accounts 2h',
      { groups: ['rack-01', 'rack-03'] },
      undefined,
    ],
    ['/maintenance rack-01 of other, rack-03 of other 2h', { groups: ['rack-01', 'rack-03'] }, ['other']],
  ])('that an answer shows can be said: %s', async (command, scope, inAccounts) => {
    const twins = phones.map((each) => ({ ...each, account: 'other' }));
    const accounts = [accountOf(), accountOf({ name: 'other' })];
    const { ask, changes, conversation } = talk({ accounts, phones: [...phones, ...twins] });
    const { keys } = await ask(command);
    await conversation.tap(7, keys[0]?.key ?? '', 'Anna');
    expect(changes).toMatchObject([{ body: scope }]);
    expect(JSON.parse(JSON.stringify(changes[0]?.body)).accounts).toEqual(inAccounts);
    expect((await ask('/maintenance rack-01 of main, rack-03 of other 2h')).text).toMatch(
      /^No phone or group/,
    );
  });

  it('of racks in two accounts means one of them', async () => {
    const accounts = [accountOf(), accountOf({ name: 'other' })];
    const twins = phones.map((each) => ({ ...each, account: 'other' }));
    const { ask, changes, conversation } = talk({ accounts, phones: [...phones, ...twins] });
    const { text, keys } = await ask('/maintenance rack-01 2h');
    expect([text, keys.map(({ label }) => label)]).toEqual([
      '3 matches.',
      ['rack-01 of main', 'rack-01 of other', 'rack-01 of all accounts'],
    ]);
    const { keys: asked } = await conversation.tap(7, keys[1]?.key ?? '', 'Anna');
    await conversation.tap(7, asked[0]?.key ?? '', 'Anna');
    expect(changes).toMatchObject([{ body: { accounts: ['other'], groups: ['rack-01'] } }]);
  });

  it('that fits hundreds has eight buttons, and says so', async () => {
    const many = Array.from({ length: 300 }, (_, index) => phone({ id: `p${index}`, label: `x/${index}` }));
    const { text, keys } = await talk({ phones: many }).ask('/phone x/');
    expect(text).toBe('300 matches, the first 8 below. Type more of the name.');
    expect(keys).toHaveLength(8);
  });
});

/** An exporter that starts any maintenance, and keeps what was requested. */
function exporterOf(changes: { method: string; path: string; body: unknown }[]): ChatExporter {
  return {
    view: async () => await Promise.reject(new Error('not requested')),
    request: async (method, path, body) => {
      changes.push({ method, path, body });
      return { status: 201, content: '{"id":"a1","text":"4 phones, until 16:00"}' };
    },
  };
}

it('shows the phone where /rack has the name of one, and takes a mark without a name for none', async () => {
  const { ask } = talk();
  expect((await ask('/rack rack-01/slot-02')).text).toMatch(/^rack-01\/slot-02 /);
  expect((await ask('/rack 02')).text).toMatch(/^rack-01\/slot-02 /);
  expect((await ask('/rack rack-01')).text).toMatch(/^rack-01: 4 phones/);
  expect((await ask('/rack cellar')).text).toMatch(/^No phone or group is called cellar/);
  expect((await ask('/rack_')).text).toMatch(/^Which one\?/);
});

const POSTED = { method: 'POST', path: '/api/v1/maintenance' };

describe('maintenance', () => {
  it('is sent when it is confirmed, with the end that was shown, and once', async () => {
    const { ask, changes, conversation, clock } = talk();
    const [yes] = (await ask('/maintenance rack-01 2h moving  it')).keys;
    clock.advance(4 * MINUTE);
    const { replaces } = await conversation.tap(7, yes?.key ?? '', 'Olha');
    expect(replaces).toBe(true);
    expect(await conversation.tap(7, yes?.key ?? '', 'Olha')).toMatchObject({ replaces: false });
    const body = { accounts: ['main'], groups: ['rack-01'], reason: 'moving it', by: 'Olha' };
    const until = new Date(NOON + 120 * MINUTE).toISOString();
    expect(changes).toEqual([{ ...POSTED, body: { ...body, until } }]);
  });

  it.each<[string, (world: ReturnType<typeof talk>, key: string) => Promise<unknown>]>([
    [
      'five minutes later',
      ({ clock, conversation }, key) => {
        clock.advance(5 * MINUTE + 1);
        return conversation.tap(7, key, 'Anna');
      },
    ],
    ['from another chat', ({ conversation }, key) => conversation.tap(8, key, 'Anna')],
    ['with a key that was guessed', ({ conversation }, key) => conversation.tap(7, `x${key}`, 'Anna')],
    [
      'after No',
      async ({ conversation }, key) => {
        await conversation.tap(7, key.replace('.0', '.1'), 'Anna');
        return await conversation.tap(7, key, 'Anna');
      },
    ],
  ])('is not sent by a tap %s', async (_, tap) => {
    const world = talk();
    const [yes] = (await world.ask('/maintenance rack-01 2h')).keys;
    expect(await tap(world, yes?.key ?? '')).toMatchObject({
      text: expect.stringMatching(/^(This button has expired|This button was already used)/),
    });
    expect(world.changes).toEqual([]);
  });

  it('that the exporter refuses says why, and holds nothing', async () => {
    const { ask, conversation } = talk({}, { status: 403, content: 'not allowed: log in' });
    const [yes] = (await ask('/maintenance rack-01 2h')).keys;
    expect((await conversation.tap(7, yes?.key ?? '', 'Anna')).text).toMatch(
      /^Nothing was changed: .not allowed: log in/,
    );
  });

  it('that may have been heard, or is answered by something else, is doubted', async () => {
    const proxy = talk({}, { status: 201, content: '<html>' });
    const [yes] = (await proxy.ask('/maintenance rack-01 2h')).keys;
    expect((await proxy.conversation.tap(7, yes?.key ?? '', 'Anna')).text).toMatch(
      /The change may have been applied: \/maintenance shows it/,
    );
    const lost = talk({}, 'lost');
    const [again] = (await lost.ask('/maintenance rack-01 2h')).keys;
    expect((await lost.conversation.tap(7, again?.key ?? '', 'Anna')).text).toMatch(
      /^The exporter has not responded since .* The change may have been applied: \/maintenance shows it\.$/,
    );
  });

  it.each([
    ['2h', { for: '2h' }],
    ['back', { until_back: true }],
  ] as const)('is started by another command with one tap, for %s', async (length, end) => {
    const { changes } = talk();
    const asked = { exporter: exporterOf(changes), now: () => 0, place: { chat: 7, topic: 1 } };
    const target = { title: 'rack-01', scope: { accounts: ['main'], groups: ['rack-01'] } };
    const text = await maintenanceChat().mute?.(asked, target, length, 'Olena');
    expect(text).toBe('Maintenance started. \uE000rack-01\uE001: 4 phones, until 16:00. End it with /back.');
    const scope = { accounts: ['main'], groups: ['rack-01'] };
    expect(changes).toEqual([{ ...POSTED, body: { ...scope, ...end, by: 'Olena' } }]);
  });

  it('for phones that do not exist is not asked for', async () => {
    expect((await talk({ phones: [] }).ask('/maintenance all 2h')).text).toMatch(/all phones has no phones/);
  });

  it('is ended by its name, or chosen among all', async () => {
    const { ask, changes, conversation } = talk({
      maintenance: [
        maintenanceOf({ reason: 'moving', phones: 6, offlinePhones: 1 }),
        maintenanceOf({
          id: 'x2',
          covers: 'rack-02',
          groups: ['rack-02'],
          reason: 'by hand',
          by: 'loopback',
        }),
        maintenanceOf({ id: 'nightly', source: 'configured', covers: 'rack-03', by: '' }),
      ],
    });
    expect((await ask('/back')).text).toBe('Which maintenance do you want to end?');
    expect(await ask('/back rack-77')).toMatchObject({
      text: 'No maintenance matches rack-77. Active:',
      keys: [{ label: 'rack-01: moving' }, { label: 'rack-02: by hand' }],
    });
    const { text, keys } = await ask('/back 01');
    expect(text).toBe(
      'rack-01: 6 phones, 1 offline, until 16:00. End it? If phones are still offline, you will be notified at once.',
    );
    await conversation.tap(7, keys[0]?.key ?? '', 'Anna');
    expect(changes).toEqual([{ method: 'DELETE', path: '/api/v1/maintenance?id=x1', body: null }]);
  });
});

it('tells buttons with one name apart by what differs, and never cuts that away', async () => {
  const moving = { reason: 'cable is broken', until: '2026-03-01T16:00:00.000Z' };
  const { ask } = talk({ maintenance: [maintenanceOf(), maintenanceOf({ id: 'x2', ...moving })] });
  expect((await ask('/back')).keys.map(({ label }) => label)).toEqual([
    'rack-01, until 16:00',
    'rack-01, until 18:00: cable is broken',
  ]);
  const site = 'Business centre “Horizon”, second floor, server room';
  const phones = ['left', 'right'].flatMap((side) =>
    [1, 2].map((slot) => phone({ id: `${side}${slot}`, label: `${site}/${side} shelf/slot ${slot}` })),
  );
  const { keys } = await talk({ phones }).ask('/phone Horizon');
  expect(keys.map(({ label }) => label)).toEqual([
    '…floor, server room/left shelf/slot 1',
    '…floor, server room/left shelf/slot 2',
    '…floor, server room/right shelf/slot 1',
    '…floor, server room/right shelf/slot 2',
  ]);
});

it('leaves no two buttons alike, and none too long for a telephone', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '/', '📱'), maxLength: 70 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 8 }), (labels) => {
      const short = shortLabels(labels);
      expect(new Set(short).size).toBe(labels.length);
      for (const [index, label] of short.entries()) {
        expect([...label].length).toBeLessThanOrEqual(44);
        if ([...(labels[index] ?? '')].length <= 36) expect(label).toContain(labels[index]);
      }
    }),
  );
});

it.each([
  ['status', /^Needs attention: nothing/],
  ['Status', /^Needs attention: nothing/],
  ['rack 01', /^rack-01: 4 phones/],
  ['/help', /^I am the bot of main: 4 phones in 1 group\.\n\/status /],
  ['what can you do?', /^I am the bot of main: 4 phones in 1 group\.\n\/status /],
])('answers %s', async (text, answer) => {
  expect((await talk().ask(text)).text).toMatch(answer);
});

describe('what holds', () => {
  it('is listed by /maintenance alone, whoever started it', async () => {
    const maintenance = [
      maintenanceOf({ reason: 'moving', by: 'Olena', phones: 7, offlinePhones: 4 }),
      maintenanceOf({
        id: 'nightly reboot',
        source: 'configured',
        covers: 'all phones',
        by: '',
        untilBack: true,
      }),
    ];
    expect((await talk({ maintenance }).ask('/maintenance')).text).toBe(
      [
        'In maintenance:',
        '• rack-01: 7 phones, 4 offline, until 16:00, moving, by Olena',
        '• all phones: 4 phones, 0 offline, until each phone is back online, 16:00 at the latest, nightly reboot',
      ].join('\n'),
    );
  });

  it('is ended as a whole by /back all', async () => {
    const maintenance = [
      maintenanceOf(),
      maintenanceOf({ id: 'x2', covers: 'rack-02', groups: ['rack-02'] }),
    ];
    const { ask, changes, conversation } = talk({ maintenance });
    const { text, keys } = await ask('/back all');
    expect(text).toBe(
      'rack-01: 4 phones, 0 offline, until 16:00.\nrack-02: 4 phones, 0 offline, until 16:00. End them all? If phones are still offline, you will be notified at once.',
    );
    await conversation.tap(7, keys[0]?.key ?? '', 'Anna');
    expect(changes.map(({ path }) => path)).toEqual(['x1', 'x2'].map((id) => `/api/v1/maintenance?id=${id}`));
  });

  it('that was started in a chat is announced there once it is over, with the phones that are back', async () => {
    const phones = [
      phone({ id: 'p1', label: 'slot-01' }),
      phone({ id: 'p2', label: 'slot-02', problem: 'offline', lastHeartbeatAt: '2026-03-01T11:28:00.000Z' }),
    ];
    const { conversation, clock, due } = talk({ phones });
    const { keys } = await conversation.answer(7, '/maintenance rack-01 2h', 'Anna', { topic: 5 });
    await conversation.tap(7, keys[0]?.key ?? '', 'Anna');
    expect(await due(fleet())).toEqual([]);
    clock.advance(2 * MINUTE);
    expect(await due(fleet({ maintenance: [maintenanceOf({ id: 'a1' })] }))).toEqual([]);
    const over = await due(fleet());
    expect(over.map(({ place, text }) => [place, text.replaceAll(/[\uE000\uE001]/g, '')])).toEqual([
      [
        { chat: 7, topic: 5 },
        'Maintenance of rack-01 has ended. 1 of 2 phones back online: slot-01.\nOffline: slot-02 since 13:28.',
      ],
    ]);
    expect(await due(fleet())).toEqual([]);
  });
});

describe('an exporter that answers something else', () => {
  it.each([
    [200, 'not JSON'],
    [200, '{"version":4}'],
    [503, 'starting'],
  ])('is said to do so: %d %s', async (status, content) => {
    const send: SendRequest = async () => ({ status, content, date: undefined });
    const clock = createFakeClock();
    const exporter = createExporter(send, fleetParser([]), 'UTC', clock);
    const { text } = await createConversation(exporter, clock, () => 0.5, []).answer(7, '/status', 'Anna');
    expect(text).toBe(`The exporter responded with status ${status} and without fleet data.`);
  });

  it('demands a login, which is said', async () => {
    const send: SendRequest = async () => ({
      status: 401,
      content: 'The exporter demands a login.',
      date: undefined,
    });
    const clock = createFakeClock();
    const exporter = createExporter(send, fleetParser([]), 'UTC', clock);
    const { text } = await createConversation(exporter, clock, () => 0.5, []).answer(7, '/status', 'Anna');
    expect(text).toMatch(/^The exporter demands a login/);
  });
});

it('says why maintenance cannot be started', async () => {
  const reason = 'not allowed: this user is not in web.change_users';
  const exporter = { ...fleet().exporter, allowsChanges: false };
  const { ask } = talk({ exporter }, { status: 403, content: reason });
  expect((await ask('/maintenance rack-01 2h')).text).toBe(`Nothing was changed: ${reason}`);
});
