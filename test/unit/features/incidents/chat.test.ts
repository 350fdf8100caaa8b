import { describe, expect, it } from 'vitest';
import { incidentsChat } from '../../../../src/features/incidents/chat.ts';
import type { ChatExporter } from '../../../../src/fleet/chat.ts';
import type { FleetDocument } from '../../../../src/fleet/document.ts';
import { talk } from '../chat/chat.ts';
import { incident, view } from '../chat/fleet.ts';

/** An exporter with one incident, and the paths that were requested. */
function createExporter(status = 200) {
  const paths: string[] = [];
  const document = { version: 1, from: '2026-02-01T00:00:00.000Z', incidents: [incident()] };
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
  const asked = { exporter, words, now: () => 0, who: 'Anna', place: 1 };
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

/** The start of the incident of `incident()`, as the command under its alert has it. */
const CODE = Date.parse('2026-03-01T11:38:00.000Z') / 1000;

/** A conversation with an exporter that has an open incident. */
function talkOf(own: Partial<FleetDocument> = {}, answer?: { status: number; content: string }) {
  return talk(
    { incidents: [incident()], ...own },
    answer ?? { status: 200, content: JSON.stringify({ text: 'Anna is on it.' }) },
    [incidentsChat],
  );
}

describe('/ack', () => {
  it('with the number under an alert acknowledges its incident, and offers to mute it', async () => {
    const { ask, changes, conversation } = talkOf();
    const { text, keys } = await ask(`/ack_${CODE}`);
    expect(text).toBe('rack-01/slot-01: Sold, offline: Anna is on it.');
    expect(keys.map(({ label }) => label)).toEqual(['Mute for 2 h', 'Mute until back online']);
    await conversation.tap(7, keys[0]?.key ?? '', 'Olena');
    expect(changes).toEqual([
      {
        method: 'POST',
        path: '/api/v1/incidents',
        body: { account: 'main', incident: 'i1', acknowledge: true, by: 'Anna' },
      },
      {
        method: 'POST',
        path: '/api/v1/maintenance',
        body: { accounts: ['main'], devices: ['p1'], for: '2h', by: 'Olena' },
      },
    ]);
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

  it.each([
    ['2h', { for: '2h' }],
    ['back', { until_back: true }],
  ])('with _%s mutes its phones at once', async (end, body) => {
    const { ask, changes } = talkOf();
    const { keys } = await ask(`/ack_${CODE}_${end}`);
    expect(keys).toEqual([]);
    expect(changes[1]?.body).toEqual({ accounts: ['main'], devices: ['p1'], ...body, by: 'Anna' });
  });

  it('mutes the whole group of an outage, and the offline phones of another cause', async () => {
    const outage = incident({
      ...{ problem: 'common_cause', phone: undefined, label: undefined, group: undefined },
      ...{ kind: 'group', value: 'rack-01', phones: 2 },
    });
    const { ask, changes } = talkOf({ incidents: [outage] });
    await ask(`/ack_${CODE}_2h`);
    expect(changes[1]?.body).toMatchObject({ accounts: ['main'], groups: ['rack-01'] });
  });

  it('alone, asks which of several', async () => {
    const other = incident({ id: 'i2', label: 'rack-02/slot-07', phone: 'p7' });
    const { ask, changes } = talkOf({ incidents: [incident(), other] });
    const { keys } = await ask('/ack');
    expect(keys.map(({ label }) => label)).toEqual([
      'rack-01/slot-01: Sold, offline',
      'rack-02/slot-07: Sold, offline',
    ]);
    expect(changes).toEqual([]);
  });

  it('says if the incident is resolved, or if nobody is missing', async () => {
    const ended = { endedAt: '2026-03-01T11:50:00.000Z', reason: 'back', reasonText: 'back online' } as const;
    const { ask, changes } = talkOf({ incidents: [incident(ended)] });
    expect((await ask(`/ack_${CODE}`)).text).toBe('This incident is not open: it may have been resolved.');
    expect((await ask('/ack')).text).toBe('All open incidents are acknowledged.');
    expect(changes).toEqual([]);
  });

  it('says why nothing was changed', async () => {
    const { ask, changes } = talkOf({}, { status: 507, content: 'nothing was changed: the disk is full\n' });
    expect((await ask(`/ack_${CODE}`)).text).toContain('Nothing was changed: the disk is full');
    expect((await ask(`/ack_${CODE}_2h`)).keys).toEqual([]);
    expect(changes.map(({ path }) => path)).toEqual(['/api/v1/incidents', '/api/v1/incidents']);
  });
});

describe('a note', () => {
  it('is what somebody replies to an alert', async () => {
    const { conversation, changes } = talkOf(
      {},
      { status: 200, content: JSON.stringify({ version: 1, from: '', incidents: [incident()] }) },
    );
    expect(conversation.takesReply(`[CRITICAL] …\nI’m on it: /ack_${CODE}`)).toBe(true);
    expect(conversation.takesReply('Good morning.')).toBe(false);
    await conversation.answer(7, 'cable  replaced', 'Anna', `I’m on it: /ack_${CODE}`);
    expect(changes).toEqual([
      {
        method: 'POST',
        path: '/api/v1/incidents',
        body: { account: 'main', incident: 'i1', note: 'cable replaced', by: 'Anna' },
      },
    ]);
  });

  it('to an alert whose second two incidents share asks which one', async () => {
    const other = incident({ id: 'i2', label: 'rack-02/slot-07', phone: 'p7' });
    const { conversation, changes } = talkOf(
      {},
      { status: 200, content: JSON.stringify({ version: 1, from: '', incidents: [incident(), other] }) },
    );
    const { keys } = await conversation.answer(7, 'cable replaced', 'Anna', `/ack_${CODE}`);
    expect(changes).toEqual([]);
    await conversation.tap(7, keys[1]?.key ?? '', 'Olena');
    expect(changes[0]?.body).toEqual({
      account: 'main',
      incident: 'i2',
      note: 'cable replaced',
      by: 'Olena',
    });
  });

  it('to an alert says why the exporter does not take it', async () => {
    const { conversation } = talkOf({}, { status: 403, content: 'log in' });
    const { text } = await conversation.answer(7, 'cable replaced', 'Anna', `/ack_${CODE}`);
    expect(text).toContain('log in');
  });

  it.each([
    ['/note slot-01 battery swollen', 'battery swollen'],
    ['/note "rack-01/slot-01" SIM until 03/27', 'SIM until 03/27'],
  ])('is added to a phone by %s', async (command, note) => {
    const { ask, changes } = talkOf();
    await ask(command);
    expect(changes[0]?.body).toEqual({ account: 'main', device: 'p1', note, by: 'Anna' });
  });

  it('needs a text and a phone', async () => {
    const { ask, changes } = talkOf();
    expect((await ask('/note slot-01')).text).toContain('Write the note after the name');
    expect((await ask('/note attic-9 hot')).text).toContain('attic-9');
    expect(changes).toEqual([]);
  });
});
