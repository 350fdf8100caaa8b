import { describe, expect } from 'vitest';
import type { IncidentsDocument } from '../../src/features/incidents/document.ts';
import { codeText } from '../../src/fleet/code.ts';
import type { FleetDocument } from '../../src/fleet/document.ts';
import { chatTest, type Farm, HOUR } from './chat-world.ts';
import { type StandInTelegram, startStandInTelegram } from './stand-in-telegram.ts';

/*
 * People reply to alerts and to answers. A reply is about the message that it replies to.
 */

type FleetIncident = IncidentsDocument['incidents'][number];

const fleetOf = async (farm: Farm): Promise<FleetDocument> =>
  JSON.parse((await farm.get('/api/v1/fleet')).body);

const openIncident = async (farm: Farm): Promise<FleetIncident> => {
  const incident = (await fleetOf(farm)).incidents.find(({ endedAt }) => endedAt === undefined);
  if (incident === undefined) throw new Error('no incident is open');
  return incident;
};

const notesOf = async (farm: Farm): Promise<readonly string[]> => {
  const { incidents, phones } = await fleetOf(farm);
  return [...incidents, ...phones].flatMap(({ notes = [] }) => notes.map(({ text }) => text));
};

/** The text of the alert of an incident, as the template writes it. */
const alertOf = (incident: FleetIncident, kind = 'CRITICAL'): string =>
  `[${kind}] Outage: rack-01, 4 sold phones offline since 1 Mar 04:12\n\n${
    kind === 'CRITICAL' ? 'I’m on it: /ack' : 'Notes: /notes'
  }_${codeText(incident)}`;

type Reply = (
  to: Parameters<StandInTelegram['reply']>[0],
  text: string | undefined,
  more?: object,
) => Promise<string>;

const it = chatTest.extend<{
  readonly shift: {
    readonly farm: Farm;
    readonly telegram: StandInTelegram;
    readonly incident: FleetIncident;
    readonly ask: (text: string) => Promise<string>;
    /** A colleague replies in the group, and reads what comes. */
    readonly reply: Reply;
  };
}>({
  shift: async ({ ownFarm, chat }, use) => {
    const { telegram, ask } = await chat(ownFarm.url);
    const reply: Reply = async (to, text, more) => {
      telegram.reply(to, text, more, { type: 'supergroup', name: 'Olena' });
      return (await telegram.next()).text;
    };
    await use({ farm: ownFarm, telegram, ask, reply, incident: await openIncident(ownFarm) });
  },
});

describe('a reply to an alert', () => {
  it('is a note on its incident, and the message that is edited corrects it', async ({ shift }) => {
    const { farm, telegram, incident } = shift;
    const id = telegram.reply(alertOf(incident), 'cable replased', {}, { type: 'supergroup', name: 'Olena' });
    expect((await telegram.next()).text).toBe(
      'Outage: rack-01: The note is saved. To correct it, edit your message.',
    );
    expect(await notesOf(farm)).toEqual(['cable replased']);
    telegram.edit(id, 'cable replaced');
    expect((await telegram.next()).text).toBe('Outage: rack-01: The note is corrected.');
    expect(await notesOf(farm)).toEqual(['cable replaced']);
    telegram.edit(id, 'cable replaced');
    telegram.tap('Remove it');
    expect((await telegram.next()).text).toBe('Outage: rack-01: The note is removed.');
    expect(await notesOf(farm)).toEqual([]);
  });

  it.for([
    ['/note fuse is new', {}, 'fuse is new', 'Outage: rack-01: The note is saved. To correct it'],
    ['/note@FarmBot fuse is new', {}, 'fuse is new', 'Outage: rack-01: The note is saved. To correct it'],
    [
      undefined,
      { caption: 'cable burnt', photo: [{ file_id: 'x', width: 1, height: 1 }] },
      'cable burnt',
      'I can only save text, not the photo.',
    ],
    [undefined, { caption: 'it rains in', video: { file_id: 'x' } }, 'it rains in', 'not the video'],
    ['/ 5 V are gone', {}, '/ 5 V are gone', 'The note is saved'],
  ] as const)('may be %s %j', async ([text, more, note, answer], { shift }) => {
    const { farm, incident, reply } = shift;
    for (const kind of ['CRITICAL', 'RESOLVED', 'MUTED'])
      expect(await reply(alertOf(incident, kind), text, more)).toContain(answer);
    expect(await notesOf(farm)).toEqual([note]);
  });

  it.for([
    [
      { voice: { file_id: 'x' } },
      'I can only save text, so this voice message was not saved. Reply with text instead.',
    ],
    [
      { photo: [{ file_id: 'x' }] },
      'I can only save text, so this photo was not saved. Reply with text instead.',
    ],
    [
      { sticker: { file_id: 'x' } },
      'I can only save text, so this sticker was not saved. Reply with text instead.',
    ],
    [
      { dice: { emoji: '🎲', value: 1 } },
      'I can only save text, so this message was not saved. Reply with text instead.',
    ],
  ] as const)('that cannot be kept is said to be: %j', async ([more, answer], { shift }) => {
    expect(await shift.reply(alertOf(shift.incident), undefined, more)).toBe(answer);
  });

  it('with an album is answered once', async ({ shift }) => {
    const { telegram, incident, reply, ask } = shift;
    const photo = { photo: [{ file_id: 'x' }], media_group_id: 'a' };
    expect(await reply(alertOf(incident), undefined, { ...photo, caption: 'cable burnt' })).toContain(
      'saved',
    );
    telegram.reply(alertOf(incident), undefined, photo, { type: 'supergroup' });
    expect(await ask('/rack 02')).toMatch(/^rack-02/);
  });

  it('with /ack is about that alert alone, and says who is on it', async ({ shift }) => {
    const { farm, incident, reply, telegram } = shift;
    expect(await reply(alertOf(incident), '/ack')).toBe('Outage: rack-01: Olena is on it.');
    expect(telegram.sent.at(-1)?.buttons.map(({ text }) => text)).toEqual([
      'Mute for 2 h',
      'Mute until back online',
      'Take it back',
    ]);
    telegram.reply(alertOf(incident), 'ack', {}, { type: 'supergroup', name: 'Ivan' });
    expect((await telegram.next()).text).toMatch(/^Outage: rack-01: Olena has been on it since /);
    expect(await reply(alertOf(incident), '/ack undo')).toBe('Outage: rack-01: Nobody is on it any more.');
    expect((await openIncident(farm)).acknowledgedBy).toBeUndefined();
    // An incident of another phone that began in the same second.
    const other = { ...incident, problem: 'sold_offline' as const, kind: undefined, phone: 'phone-07' };
    expect(await reply(alertOf(other), '/ack')).toMatch(/^This message is not about an open incident/);
    expect((await openIncident(farm)).acknowledgedBy).toBeUndefined();
  });

  it('to several asks which one', async ({ shift }) => {
    const { farm, telegram, incident, reply } = shift;
    await shift.ask('/note rack-02/6 spare cable');
    const several = `[WARNING] rack-02/6: tunnel down (2 in total)\n- a /ack_${codeText(incident)}\n- b /ack_1764288123_td1`;
    expect(await reply(several, 'fuse is new')).toContain('The note is saved');
    const text = await reply('[INFO] rack-01/1: idle\n- rack-01/2: idle\n- rack-02/5: idle', 'to be sold');
    expect(text).toBe('Which one is the note about?');
    telegram.tap('rack-01/2');
    expect((await telegram.next()).text).toMatch(/^rack-01\/2: The note is saved/);
    expect((await notesOf(farm)).toSorted()).toEqual(['fuse is new', 'spare cable', 'to be sold']);
  });

  it('of an earlier version, without a code, finds the incident by its name', async ({ shift }) => {
    const { farm, reply } = shift;
    const outage = 'Outage: rack-01, 4 sold phones offline';
    expect(await reply(`[CRITICAL] ${outage} since 04:12`, '/ack')).toBe('Outage: rack-01: Olena is on it.');
    expect(await reply(`[RESOLVED] ${outage}, back after 13m`, 'fuse replaced')).toMatch(
      /^Outage: rack-01: The note is saved/,
    );
    expect(await notesOf(farm)).toEqual(['fuse replaced']);
  });

  it('that was written while Telegram was away is kept, with /note too', async ({ ownFarm, chat }) => {
    const telegram = await startStandInTelegram();
    const alert = alertOf(await openIncident(ownFarm));
    const from = { type: 'supergroup', at: Date.now() - HOUR };
    telegram.reply(alert, 'fuse is new', {}, from);
    telegram.reply(alert, '/note@FarmBot cable, too', {}, from);
    telegram.reply(alert, '/ack', {}, from);
    await chat(ownFarm.url, { telegram });
    for (const answer of [/note is saved/, /note is saved/, /^Your earlier command arrived too late/])
      expect((await telegram.next()).text).toMatch(answer);
    expect(await notesOf(ownFarm)).toEqual(['fuse is new', 'cable, too']);
  });

  it('says that it is lost while the exporter is away', async ({ shift }) => {
    const { farm, incident, reply, ask } = shift;
    const alert = alertOf(incident);
    await ask('/status');
    await farm.stop();
    const lost = /^The exporter has not responded since .*\. The note was not saved: send it again later\.$/;
    expect(await reply(alert, 'fuse is new')).toMatch(lost);
    expect(await reply(alert, '/ack')).toMatch(/^The exporter has not responded since \d\d:\d\d\.$/);
  });

  it('without an incident says that nothing is kept, and other talk is left alone', async ({ shift }) => {
    const { telegram, reply, ask } = shift;
    expect(await reply('[CRITICAL] The exporter at e does not respond', 'restarted it')).toMatch(
      /^Nothing was saved: this message is not about a phone or an incident/,
    );
    telegram.add({
      message: {
        ...{ message_id: 3, date: Date.now() / 1000, chat: { id: 7, type: 'supergroup' }, text: 'thanks' },
        from: { id: 6, is_bot: false, first_name: 'Ivan' },
        // A person quotes the command.
        reply_to_message: { text: '/ack_1764288123', from: { id: 5, is_bot: false, first_name: 'Anna' } },
      },
    });
    // Each message in a topic replies to the one that opened it, here by the bot.
    telegram.reply(
      '',
      'good night',
      {
        reply_to_message: {
          message_id: 2,
          from: { id: 1, is_bot: true },
          forum_topic_created: { name: 'x' },
        },
        ...{ is_topic_message: true, message_thread_id: 2 },
      },
      { type: 'supergroup' },
    );
    expect(await ask('/rack 02')).toMatch(/^rack-02/);
  });
});

it('makes each command about the message that it replies to', async ({ shift }) => {
  const { incident, reply, telegram, ask } = shift;
  const alert = alertOf(incident);
  expect(await reply(alert, '/maintenance 2h cable')).toMatch(
    /^rack-01: 4 phones, 4 offline, until .*cable.* Is that right\?$/,
  );
  expect(await reply(alert, '/maintenance')).toMatch(/^rack-01: 4 phones, 4 offline\. .* Until when\?$/);
  expect(await reply(alert, '/rack')).toMatch(/^rack-01: 4 phones, 0 online/);
  expect(await reply(alert, '/log')).toMatch(/\nOutage: rack-01 /);
  expect(await reply('[WARNING] rack-02/6: offline since 04:12', '/phone')).toMatch(/^rack-02\/6 /);
  expect(await reply('[WARNING] rack-02/6: offline since 04:12', '/rack')).toMatch(/^rack-02: 4 phones/);
  expect(await reply(alert, '/notes')).toBe('No notes.');
  expect(await reply(alert, '/shrug')).toMatch(/^I am the bot of this fleet/);
  expect(await reply(alert, '/ack.')).toBe('Outage: rack-01: Olena is on it.');
  expect(await reply('[WARNING] rack-02/6: offline since 04:12', '/offline')).toMatch(/^No phone is offline/);
  await ask('/maintenance rack-02 2h');
  telegram.tap('Yes');
  await telegram.next();
  expect(await reply(alert, '/back')).toBe('There is no maintenance to end.');
  expect(await reply('[WARNING] rack-02/6: offline since 04:12', '/back')).toMatch(/^rack-02: .* End it\?/);
});

it('writes and reads times by the clock of the chat, also where the exporter has another', async ({
  ownFarm,
  chat,
}) => {
  const { telegram, ask } = await chat(ownFarm.url, { parameters: ['--time-zone=Asia/Kathmandu'] });
  const alert = alertOf(await openIncident(ownFarm));
  const from = { type: 'supergroup' };
  telegram.reply(alert, '/ack', {}, { ...from, name: 'Olena' });
  await telegram.next();
  telegram.reply(alert, '/ack', {}, { ...from, name: 'Ivan' });
  expect((await telegram.next()).text).toMatch(/Olena has been on it since .* \d\d:\d\d GMT\+5:45\.$/);
  expect(await ask('/maintenance rack-01 18:00')).toMatch(/ until (?:\d+ \w+ )?18:00\./);
  telegram.tap('Yes');
  expect((await telegram.next()).text).toMatch(/ until \d+ \w+ 18:00 GMT\+5:45\. End it with \/back\.$/);
  expect(await ask('/maintenance')).toMatch(/, until (?:\d+ \w+ )?18:00, by Anna$/);
});

describe('a reply to an answer of the bot', () => {
  it('is a note on the phone or the incident of the answer', async ({ shift }) => {
    const { farm, telegram, ask, reply } = shift;
    await ask('/phone rack-02/6');
    expect(await reply(lastOf(telegram), 'battery swollen')).toMatch(/^rack-02\/6: The note is saved/);
    await ask('/offline');
    expect(await reply(lastOf(telegram), 'driving there')).toMatch(/^Outage: rack-01: The note is saved/);
    await ask('/rack 01');
    expect(await reply(lastOf(telegram), '/ack')).toBe('Outage: rack-01: Olena is on it.');
    expect(await reply(lastOf(telegram), 'I have the key')).toMatch(/^Outage: rack-01: The note is saved/);
    await ask('/note rack-02/7 new SIM');
    await ask('/notes rack-02');
    expect(await reply(lastOf(telegram), 'both are old')).toBe('Which one is the note about?');
    await ask('/balance');
    expect(await reply(lastOf(telegram), 'thanks')).toMatch(/^Nothing was saved/);
    expect((await notesOf(farm)).toSorted()).toEqual([
      'I have the key',
      'battery swollen',
      'driving there',
      'new SIM',
    ]);
  });
});

const lastOf = (telegram: StandInTelegram) => telegram.sent.at(-1) ?? '';
