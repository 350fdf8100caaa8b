import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incidentsChat } from '../../../../src/features/incidents/chat.ts';
import type { ChatExporter, ChatPart } from '../../../../src/fleet/chat.ts';
import { codesIn, codeText, isNamedBy, parseCode } from '../../../../src/fleet/code.ts';
import type { FleetDocument, FleetIncident } from '../../../../src/fleet/document.ts';
import { INCIDENT_PROBLEMS } from '../../../../src/model/incident.ts';
import { incident, view } from '../../fleet/fleet.ts';
import { phone } from '../../fleet/phone.ts';
import { talk } from '../chat/chat.ts';

/** An exporter with one incident, and the paths that were requested. */
function createExporter(status = 200) {
  const paths: string[] = [];
  const document = { version: 1, from: '2026-01-29T12:00:00.000Z', incidents: [incident()] };
  const exporter: ChatExporter = {
    view: async () => view(),
    request: async (_, path) => {
      paths.push(path);
      return { status, content: status === 200 ? JSON.stringify(document) : 'not now' };
    },
  };
  return { exporter, paths };
}

const [log] = incidentsChat.commands ?? [];

async function ask(words: readonly string[], status = 200) {
  const { exporter, paths } = createExporter(status);
  const asked = { exporter, words, now: () => 0, who: 'Anna', place: { chat: 1, topic: 1 }, mute: undefined };
  const answer = await log?.answer({
    ...asked,
    choose: async ([first]) => (await first?.tap('Anna')) ?? { text: '' },
    absent: (_, name) => `nothing is called ${name}`,
  });
  return { text: answer?.text, paths };
}

describe('/log', () => {
  it.each([
    [[], '/api/v1/incidents?'],
    [['rack-01'], '/api/v1/incidents?account=main&group=rack-01'],
    [['rack-01/slot-01'], '/api/v1/incidents?account=main&device=p1'],
    [['attic', '7'], '/api/v1/incidents?device=attic+7'],
  ])('of %j requests %s', async (words, path) => {
    const { text, paths } = await ask(words);
    expect(paths).toEqual([path, `${path}&by=group`.replace('?&', '?')]);
    expect(text).toContain('Last 31 days: 1 incident, 1 open');
  });

  it('says why there is no answer', async () => {
    expect((await ask([], 503)).text).toContain('not now');
  });
});

it.each([
  ['2026-03-02', 'Last 7 days: 1 incident'],
  ['2026-03-03', undefined],
])('the morning of %s sums up the week only on Monday', async (date, text) => {
  const answer = await incidentsChat.morning?.(createExporter().exporter, date);
  expect(answer?.text.slice(0, 23)).toBe(text);
});

const POSTED = { method: 'POST', path: '/api/v1/incidents' };

/** Without the fields that name a phone and its group. */
const ofNoPhone = (own: Partial<FleetIncident>) =>
  incident({ phone: undefined, label: undefined, group: undefined, ...own });

/** The start of the incident of `incident()`, as the command under its alert has it. */
const CODE = Date.parse('2026-03-01T11:38:00.000Z') / 1000;

/** Another phone whose incident began in the same second. */
const twin = incident({ id: 'i2', label: 'rack-02/slot-07', phone: 'p7' });
const ENDED = { endedAt: '2026-03-01T11:50:00.000Z', reason: 'back', reasonText: 'back online' } as const;

/** The response with the incidents of the logbook. */
const listing = (...incidents: readonly FleetIncident[]) => ({
  status: 200,
  content: JSON.stringify({ version: 1, from: '', incidents }),
});

/** A conversation with an exporter that has an open incident, and the phones that are muted in it. */
function talkOf(own: Partial<FleetDocument> = {}, answer?: { status: number; content: string }) {
  const muted: unknown[] = [];
  const muting: ChatPart = {
    mute: async (_, { scope }, length, who) => {
      muted.push({ scope, length, who });
      return 'Muted.';
    },
  };
  const talking = talk(
    Object.assign(own, { incidents: own.incidents ?? [incident()] }),
    answer ?? { status: 200, content: JSON.stringify({ text: 'Anna is on it.' }) },
    [incidentsChat, muting],
  );
  return { ...talking, muted };
}

describe('/ack', () => {
  it('with the number under an alert acknowledges its incident, and offers to mute it', async () => {
    const { ask, changes, conversation, muted } = talkOf();
    const { text, keys } = await ask(`/ack_${CODE}`);
    expect(text).toBe('Sold, offline: rack-01/slot-01: Anna is on it.');
    expect(keys.map(({ label }) => label)).toEqual([
      'Mute for 2 h',
      'Mute until back online',
      'Take it back',
    ]);
    await conversation.tap(7, keys[0]?.key ?? '', 'Olena');
    expect(changes).toEqual([
      { ...POSTED, body: { account: 'main', incident: 'i1', acknowledge: true, by: 'Anna' } },
    ]);
    expect(muted).toEqual([{ scope: { accounts: ['main'], devices: ['p1'] }, length: '2h', who: 'Olena' }]);
  });

  it.each([
    ['11:38:00.500', CODE],
    ['11:38:01.500', CODE + 2],
    ['11:38:00.501', CODE + 1],
  ])('names an incident that began at %s as its alert does', async (time, code) => {
    const { ask, changes } = talkOf({ incidents: [incident({ since: `2026-03-01T${time}Z` })] });
    await ask(`/ack_${code}`);
    expect(changes).toHaveLength(1);
  });

  it.each(['2h', 'back'])('with _%s mutes its phones at once', async (length) => {
    const { ask, muted } = talkOf();
    const { keys } = await ask(`/ack_${CODE}_${length}`);
    expect(keys).toEqual([]);
    expect(muted).toEqual([{ scope: { accounts: ['main'], devices: ['p1'] }, length, who: 'Anna' }]);
  });

  it('with _undo takes the acknowledgement back', async () => {
    const { ask, changes } = talkOf({}, { status: 200, content: '{"text":"Nobody is on it any more."}' });
    const { text } = await ask(`/ack_${CODE}_undo`);
    expect(text).toBe('Sold, offline: rack-01/slot-01: Nobody is on it any more.');
    expect(changes).toEqual([{ ...POSTED, body: { account: 'main', incident: 'i1', acknowledge: false } }]);
  });

  it('mutes the whole group of an outage, and the offline phones of another cause', async () => {
    const outage = ofNoPhone({ problem: 'common_cause', kind: 'group', value: 'rack-01', phones: 2 });
    const { ask, muted } = talkOf({ incidents: [outage] });
    await ask(`/ack_${CODE}_2h`);
    expect(muted).toMatchObject([{ scope: { accounts: ['main'], groups: ['rack-01'] } }]);
  });

  it('alone, asks which of several', async () => {
    const { ask, changes } = talkOf({ incidents: [incident(), twin] });
    const { keys } = await ask('/ack');
    expect(keys.map(({ label }) => label)).toEqual([
      'Sold, offline: rack-01/slot-01',
      'Sold, offline: rack-02/slot-07',
    ]);
    expect(changes).toEqual([]);
  });

  it('says if no incident is open, or if nobody is missing', async () => {
    expect((await talkOf({ incidents: [incident(ENDED)] }).ask('/ack')).text).toBe('No open incidents.');
    const taken = incident({ acknowledgedAt: '2026-03-01T11:50:00.000Z', acknowledgedBy: 'Anna' });
    expect((await talkOf({ incidents: [taken] }).ask('/ack')).text).toBe(
      'All open incidents are acknowledged.',
    );
  });

  it('says why nothing was changed', async () => {
    const { ask, changes } = talkOf({}, { status: 507, content: 'nothing was changed: the disk is full\n' });
    expect((await ask(`/ack_${CODE}`)).text).toContain('Nothing was changed: the disk is full');
    expect((await ask(`/ack_${CODE}_2h`)).keys).toEqual([]);
    expect(changes.map(({ path }) => path)).toEqual(['/api/v1/incidents', '/api/v1/incidents']);
  });
});

describe('a command under an alert', () => {
  it('names its incident, also if another one began in the same second', async () => {
    const { ask, changes } = talkOf({ incidents: [incident(), twin] });
    await ask(`/ack_${codeText(twin)}`);
    expect(changes).toMatchObject([{ body: { incident: 'i2', acknowledge: true } }]);
  });

  it('of an incident that is resolved acts on no other one, and says so', async () => {
    const { ask, changes } = talkOf({ incidents: [incident(ENDED), twin] });
    const text = 'Sold, offline: rack-01/slot-01 was resolved at 13:50: back online.';
    for (const more of ['', '_2h'])
      expect((await ask(`/ack_${codeText(incident())}${more}`)).text).toBe(text);
    expect(changes).toEqual([]);
  });

  it('of an alert of an earlier version asks which one, open or resolved', async () => {
    const { ask, changes, conversation } = talkOf({ incidents: [incident(ENDED), twin] });
    const { text, keys } = await ask(`/ack_${CODE}_2h`);
    expect([text, keys.map(({ label }) => label)]).toEqual([
      'Which one are you on?',
      ['…rack-01/slot-01, resolved 13:50', 'Sold, offline: rack-02/slot-07'],
    ]);
    expect(changes).toEqual([]);
    const { text: said } = await conversation.tap(7, keys[0]?.key ?? '', 'Anna');
    expect(said).toContain('was resolved at 13:50');
    expect(changes).toEqual([]);
  });

  it('of one that continues under another title names that title, and a muted one is not resolved', async () => {
    const rented = incident({ ...ENDED, problem: 'offline', reason: 'rented', reasonText: 'rented now' });
    const next = incident({ id: 'i3' });
    expect((await talkOf({ incidents: [rented, next] }).ask(`/ack_${codeText(rented)}`)).text).toBe(
      `Offline: rack-01/slot-01 ended at 13:50: rented now. It goes on as Sold, offline: rack-01/slot-01: /ack_${codeText(next)}`,
    );
    const muted = incident({ ...ENDED, reason: 'maintenance', reasonText: 'in maintenance' });
    expect((await talkOf({ incidents: [muted] }).ask(`/ack_${codeText(muted)}`)).text).toBe(
      'Sold, offline: rack-01/slot-01 was muted at 13:50: in maintenance.',
    );
  });

  it('of an incident without phones offers nothing to mute, and says so', async () => {
    const down = ofNoPhone({ id: 'a1', problem: 'api_unavailable', value: 'server' });
    const { ask, muted } = talkOf({ incidents: [down] });
    expect((await ask(`/ack_${codeText(down)}`)).keys.map(({ label }) => label)).toEqual(['Take it back']);
    expect((await ask(`/ack_${codeText(down)}_2h`)).text).toContain('It has no phones to mute.');
    expect(muted).toEqual([]);
  });

  it('that is typed wrong is not said to be resolved', async () => {
    const { ask } = talkOf();
    expect((await ask('/ack_1000000')).text).toBe('No incident has this number.');
    expect((await ask('/ack nonsense')).text).toBe('No open incident is called nonsense. /ack lists them.');
  });
});

it('/ack alone lists also a single incident, and /ack with a shortened name asks', async () => {
  const { ask, changes, conversation } = talkOf();
  for (const [command, text] of [
    ['/ack', 'Nobody is on these yet. Which one are you on?'],
    ['ack', 'Nobody is on these yet. Which one are you on?'],
    ['/ack slot', 'Which one are you on?'],
  ] as const) {
    const answer = await ask(command);
    expect([answer.text, answer.keys.map(({ label }) => label)]).toEqual([
      text,
      ['Sold, offline: rack-01/slot-01'],
    ]);
    expect(changes).toEqual([]);
  }
  const { keys } = await ask('/ack');
  await conversation.tap(7, keys[0]?.key ?? '', 'Olena');
  expect(changes).toMatchObject([{ body: { incident: 'i1', acknowledge: true, by: 'Olena' } }]);
});

it('no code of an incident is a word behind it, and each is found again in a message', () => {
  const ids = fc.string({ unit: fc.constantFrom(...'aZ0-_9é/ back2hundo'), minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom(...INCIDENT_PROBLEMS), ids, ids, (problem, phone, value) => {
      const one = incident({ problem, phone });
      const other = incident({ problem, phone: undefined, value });
      for (const each of [one, other]) {
        const code = codeText(each);
        expect(code).toMatch(/^[A-Za-z0-9_]{1,40}$/);
        const [named] = codesIn(`I’m on it: /ack_${code}\nNotes`);
        expect(named && isNamedBy(each, named)).toBe(true);
        for (const word of ['2h', 'back', 'undo'])
          expect(parseCode(`${code}_${word}`)).toEqual({ code: named, word });
      }
      const [second] = codeText(one).split('_');
      for (const word of ['2h', 'back', 'undo'])
        expect(parseCode(`${second}_${word}`)).toEqual({
          code: { second: Number(second), subject: undefined },
          word,
        });
    }),
  );
});

describe('a note', () => {
  it('is what somebody replies to an alert', async () => {
    const { conversation, changes } = talkOf({}, listing(incident()));
    await conversation.answer(7, 'cable  replaced', 'Anna', { quoted: `I’m on it: /ack_${CODE}` });
    expect(changes).toEqual([
      { ...POSTED, body: { account: 'main', incident: 'i1', note: 'cable replaced', by: 'Anna' } },
    ]);
  });

  it('to an alert whose second two incidents share asks which one', async () => {
    const { conversation, changes } = talkOf({}, listing(incident(), twin));
    const { keys } = await conversation.answer(7, 'cable replaced', 'Anna', { quoted: `/ack_${CODE}` });
    expect(changes).toEqual([]);
    await conversation.tap(7, keys[1]?.key ?? '', 'Olena');
    expect(changes).toMatchObject([{ body: { incident: 'i2', note: 'cable replaced', by: 'Olena' } }]);
  });

  it('to an alert says why the exporter does not take it', async () => {
    const { conversation } = talkOf({}, { status: 403, content: 'log in' });
    const { text } = await conversation.answer(7, 'cable replaced', 'Anna', { quoted: `/ack_${CODE}` });
    expect(text).toContain('log in');
  });

  it.each([
    ['/note rack-01/slot-01 battery swollen', 'battery swollen'],
    ['/note "rack-01/slot-01" SIM until 03/27', 'SIM until 03/27'],
    ['/note “rack-01/slot-01” SIM until 03/27', 'SIM until 03/27'],
    ['/note «RACK-01/slot-01» SIM until 03/27', 'SIM until 03/27'],
  ])('is added to a phone by %s', async (command, note) => {
    const { ask, changes } = talkOf();
    await ask(command);
    expect(changes[0]?.body).toEqual({ account: 'main', device: 'p1', note, by: 'Anna' });
  });

  it('on a phone whose name is shortened is confirmed, also if it is the only one', async () => {
    const { ask, changes, conversation } = talkOf();
    const { text, keys } = await ask('/note slot-01 battery swollen');
    expect([text, keys.map(({ label }) => label)]).toEqual(['A note on this phone?', ['rack-01/slot-01']]);
    expect(changes).toEqual([]);
    await conversation.tap(7, keys[0]?.key ?? '', 'Anna');
    expect(changes[0]?.body).toMatchObject({ device: 'p1', note: 'battery swollen' });
  });

  it('needs a text and a phone', async () => {
    const { ask, changes } = talkOf();
    expect((await ask('/note slot-01')).text).toContain('Write the note after the name');
    expect((await ask('/note attic-9 hot')).text).toContain('attic-9');
    expect(changes).toEqual([]);
  });
});

describe('/notes', () => {
  const note = (text: string, minute: number) => ({
    ...{ text, by: 'Anna' },
    at: `2026-03-01T11:${minute}:00.000Z`,
  });
  const phones = [1, 2].map((slot) =>
    phone({ id: `p${slot}`, label: `rack-01/slot-0${slot}`, notes: [note(`on ${slot}`, 40 + slot)] }),
  );
  const noted = incident({ notes: [note('older', 50), note('cable replaced', 51)] });
  const answer = listing(noted);

  it('lists notes on phones and incidents, the newest first, and offers to remove the last ones', async () => {
    const { ask, changes, conversation } = talkOf({ phones, incidents: [noted] }, answer);
    const { text, keys } = await ask('/notes');
    expect(text.split('\n')).toEqual([
      'Sold, offline: rack-01/slot-01: cable replaced (Anna, 13:51)',
      'Sold, offline: rack-01/slot-01: older (Anna, 13:50)',
      'rack-01/slot-02: on 2 (Anna, 13:42)',
      'rack-01/slot-01: on 1 (Anna, 13:41)',
    ]);
    expect(keys.map(({ label }) => label)).toEqual([
      'Remove: cable replaced',
      'Remove: on 2',
      'Remove: on 1',
    ]);
    await conversation.tap(7, keys[0]?.key ?? '', 'Olena');
    expect(changes).toMatchObject([
      { body: { incident: 'i1', note: '', replaces: '2026-03-01T11:51:00.000Z', by: 'Olena' } },
    ]);
  });

  it('of a rack, a phone, an incident or a name that nothing has', async () => {
    const { ask } = talkOf({ phones, incidents: [noted] }, answer);
    expect((await ask('/notes slot-02')).text).toContain('rack-01/slot-02: on 2');
    expect((await ask('/notes rack-01')).text.split('\n')).toHaveLength(4);
    expect((await ask(`/notes_${codeText(noted)}`)).text.split('\n')).toHaveLength(2);
    expect((await ask('/notes attic')).text).toContain('attic');
  });
});

describe('a mass outage', () => {
  const since = '2026-03-01T11:38:00.000Z';
  const many = ofNoPhone({
    ...{ id: 'm1', problem: 'many_sold_offline', since, phones: 2, soldPhones: 2, allPhones: 2 },
    ...{ acknowledgedBy: 'Olena', acknowledgedAt: '2026-03-01T11:50:00.000Z' },
  });
  const away = { problem: 'sold_offline', problemSince: since } as const;
  const earlier = { ...away, problemSince: '2026-03-01T09:00:00.000Z' };
  const phones = [
    phone({ id: 'p1', label: 'rack-01/slot-01', group: 'rack-01', ...away }),
    phone({ id: 'p2', label: 'rack-02/slot-02', group: 'rack-02', ...away }),
    phone({ id: 'p3', label: 'rack-02/slot-03', group: 'rack-02', ...earlier }),
  ];
  const who = 'Olena has been on it since 13:50';

  it.each(['/phone rack-01/slot-01', '/rack rack-01', '/offline rack-01', '/status'])(
    'and who is on it are in the answer to %s',
    async (command) => {
      const { ask } = talkOf({ phones, incidents: [many] });
      const { text } = await ask(command);
      expect(text).toContain(who);
      expect(/Mass outage/.test(text)).toBe(!command.startsWith('/offline'));
    },
  );

  it('has no phone that was offline before', async () => {
    const { ask } = talkOf({ phones, incidents: [many] });
    expect((await ask('/phone slot-03')).text).not.toContain(who);
    expect((await ask('/rack rack-02')).text).toContain(
      'Offline in it: rack-02/slot-02.\nrack-02/slot-03: Sold',
    );
  });

  it('has one button below its phones, and is found by their rack', async () => {
    const free = { ...many, acknowledgedBy: undefined, acknowledgedAt: undefined };
    const { ask } = talkOf({ phones, incidents: [free] });
    expect((await ask('/offline')).keys.map(({ label }) => label)).toEqual(['I’m on it: 2 phones']);
    expect((await ask('/ack rack-01')).keys.map(({ label }) => label)).toEqual([
      'Mass outage of sold phones: 2 phones',
    ]);
    expect((await ask('/ack rack-07')).text).toMatch(/^No open incident is called rack-07/);
  });
});

it('says below a button how an incident ended that has ended since, and mutes nothing', async () => {
  const own: Partial<FleetDocument> = { incidents: [incident()] };
  const { ask, conversation, changes, muted } = talkOf(own);
  const { keys } = await ask(`/ack_${CODE}`);
  expect(changes).toHaveLength(1);
  Object.assign(own, {
    incidents: [incident({ endedAt: '2026-03-01T11:55:00.000Z', reason: 'back' })],
  });
  expect(keys).toHaveLength(3);
  for (const { key } of keys)
    expect((await conversation.tap(7, key, 'Ivan')).text.replaceAll(/[\uE000\uE001]/g, '')).toMatch(
      /^Sold, offline: rack-01\/slot-01 was resolved at 13:55/,
    );
  expect([changes.length, muted]).toEqual([1, []]);
});
