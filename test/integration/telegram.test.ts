import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Farm, HOUR, chatTest as it, startFarm } from './chat-world.ts';
import { EACH_SECOND } from './exporter.ts';
import { phonesOf, startStandInApi } from './stand-in-api.ts';
import { startStandInTelegram } from './stand-in-telegram.ts';

/*
 * Each command of the chat over real sockets: a stand-in of the Bot API, the built program, the built daemon, and a
 * marketplace.
 */

/** Nothing is changed of it, or ends with it. */
let farm: Farm;

beforeAll(async () => {
  farm = await startFarm();
});

afterAll(() => farm.close());

/** Of yesterday it has its date. */
const TIME = String.raw`(?:\d{1,2} \w{3} )?\d\d:\d\d`;

describe('the chat', () => {
  it('answers each command from a real daemon', async ({ chat }) => {
    const { ask, telegram } = await chat(farm.url);
    expect(await ask('/status')).toMatch(
      new RegExp(
        `^Needs attention: Outage: rack-01 \\(4 of 4 phones offline, 4 sold\\), since ${TIME} \\([^)]+\\)\\.\nOffline: 4 of 8 phones, 4 of them sold\\.\nData: \\d+ s old\\.$`,
      ),
    );
    expect(await ask('/offline')).toMatch(/^Outage: rack-01 \(4 of 4 phones offline, 4 sold\), since /);
    expect(telegram.sent.at(-1)?.buttons).toMatchObject([{ text: 'I’m on it: rack-01' }]);
    expect(await ask('/phone rack-01/2')).toMatch(
      new RegExp(
        `^rack-01/2 .*\nSold, offline since ${TIME} \\(1 h\\)\nLast heartbeat ${TIME}, offline after`,
      ),
    );
    expect(await ask('/rack 02')).toMatch(/^rack-02: 4 phones, 4 online, 4 sold\nData/);
    expect(await ask('balance')).toMatch(/^10\.00/);
    for (const name of ['', ' 01', ' RACK-01', ' rack-01/2'])
      expect(await ask(`/log${name}`)).toMatch(
        /^Since [^(]+ \(no earlier data\): 1 incident, 1 outage, 1 open[.;].*\nOutage: rack-01 \(4 of 4 phones offline, 4 sold\), since .* \(1 h\)/,
      );
    expect(await ask('/log rack-02')).toMatch(/^Since [^(]+ \(no earlier data\): No incidents\./);
    expect(await ask('/log nonsense')).toMatch(/nonsense/);
    expect(await ask('/month')).toMatch(/^No report: Monthly reports are disabled: set months\.directory/);
    expect(await ask('/nonsense')).toMatch(
      /^I am the bot of this fleet: 8 phones in 2 groups\.\n\/status [\s\S]*\/maintenance Mute alerts/,
    );
    expect(await ask('/maintenance')).toBe('No phone is in maintenance.');
    expect(telegram.calls.filter((call) => call === 'setMyCommands')).toHaveLength(1);
  });

  it('offers several matches as buttons, and shows the one that is tapped', async ({ chat }) => {
    const { ask, telegram } = await chat(farm.url);
    expect(await ask('/phone rack-02')).toBe('4 matches.');
    expect(telegram.sent.at(-1)?.buttons.map(({ text }) => text)).toEqual(
      [5, 6, 7, 8].map((number) => `rack-02/${number}`),
    );
    telegram.tap('rack-02/6');
    expect((await telegram.next()).text).toMatch(/^rack-02\/6 .*\nNo problems\n/);
  });

  it('starts maintenance once it is confirmed, and ends it', async ({ ownFarm, chat }) => {
    const { ask, telegram } = await chat(ownFarm.url);
    expect(await ask('/maintenance rack-01 2h moving it')).toMatch(
      new RegExp(
        `^rack-01: 4 phones, 4 offline, until (\\d+ \\w+ )?${TIME}\\. Reason: moving it\\. Their alerts will be muted`,
      ),
    );
    expect(JSON.parse((await ownFarm.get('/api/v1/fleet?phones=no')).body).maintenance).toEqual([]);
    telegram.tap('Yes');
    const held = await telegram.next();
    expect([held.method, held.text]).toEqual([
      'editMessageText',
      expect.stringMatching(/^Maintenance started\. rack-01: 4 phones, 4/),
    ]);
    expect(JSON.parse((await ownFarm.get('/api/v1/fleet?phones=no')).body).maintenance).toMatchObject([
      { covers: 'rack-01', reason: 'moving it', by: 'Anna', phones: 4 },
    ]);
    expect(await ask('/maintenance')).toMatch(
      /^In maintenance:\n• rack-01: 4 phones, 4 offline, until .*, moving it, by Anna$/,
    );
    expect(await ask('/rack 01')).toMatch(
      new RegExp(
        `\nIn maintenance until .*, moving it, by Anna\\.\n0 of 4 phones back online\\.\nOffline: rack-01/1 since ${TIME}`,
      ),
    );
    expect(await ask('/back rack-01')).toMatch(/^rack-01: 4 phones, 4 offline, until .* End it\?/);
    telegram.tap('End it');
    expect((await telegram.next()).text).toBe(
      'Maintenance ended. If phones are still offline, you will be notified.',
    );
    expect(await ask('/back')).toBe('There is no maintenance to end.');
  });

  it('acknowledges with the button under /offline, and mutes with the second tap', async ({
    ownFarm,
    chat,
  }) => {
    const { ask, telegram } = await chat(ownFarm.url);
    await ask('/offline');
    telegram.tap('I’m on it');
    expect((await telegram.next()).text).toBe('Outage: rack-01: Anna is on it.');
    expect(await ask('/offline')).toMatch(/^Outage: rack-01 .*, Anna has been on it since \d\d:\d\d/);
    expect(telegram.sent.at(-1)?.buttons).toMatchObject([{ text: 'Mute: rack-01' }]);
    telegram.tap('Mute: rack-01');
    expect((await telegram.next()).text).toBe('Outage: rack-01: mute its phones?');
    telegram.tap('Mute until back online');
    expect((await telegram.next()).text).toMatch(
      /^Maintenance started\. rack-01: 4 phones, 4 offline, until each phone is back/,
    );
  });

  it('says that the daemon takes no word, and offers no button', async ({ run, chat }) => {
    const api = await startStandInApi({ phones: phonesOf(2), heartbeatAt: () => Date.now() - HOUR });
    const { url, shows } = await run({ apiUrl: api.url, parameters: EACH_SECOND });
    await shows(/^hoster_incident_since/m);
    const { ask, telegram } = await chat(url);
    expect(await ask('/maintenance rack-01 2h')).toMatch(
      /^Nothing was changed: Changes are disabled here: turn them on with web\.enable_changes/,
    );
    await ask('/offline');
    expect(telegram.sent.at(-1)?.buttons).toEqual([]);
    api.close();
  });

  it.for([
    ['the zone of the exporter', [], 'Europe/Kyiv'],
    ['UTC, if that is its own', ['--time-zone=UTC'], 'UTC'],
    ['its own zone', ['--time-zone=Asia/Almaty'], 'Asia/Almaty'],
  ] as const)('writes times in %s', async ([, parameters, zone], { chat }) => {
    const { ask } = await chat(farm.url, { parameters: [...parameters] });
    const [, hour] = / since (?:\d+ \w+ )?(\d\d):\d\d/.exec(await ask('/status')) ?? [];
    const begun = new Date(Date.now() - HOUR - 10_000);
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit' });
    expect([local.format(begun), local.format(new Date(begun.getTime() - 30_000))]).toContain(hour);
  });

  it('answers in a group what is meant for it, and nothing else', async ({ chat }) => {
    const { telegram } = await chat(farm.url);
    for (const text of ['hello', '/weather', '/status@OtherBot', '/rack@FarmBot 02'])
      telegram.write(text, { type: 'supergroup' });
    expect((await telegram.next()).text).toMatch(/^rack-02: /);
    await telegram.confirmed();
    expect(telegram.sent).toHaveLength(1);
  });

  it('says nothing to a stranger, and logs it once', async ({ chat }) => {
    const { ask, telegram, output } = await chat(farm.url);
    telegram.write('/status', { chat: 8 });
    telegram.write('/start', { chat: 8 });
    await ask('/status');
    expect(telegram.sent.map((each) => each.chat)).toEqual([7]);
    expect(output().match(/message from a chat that is not allowed/g)).toHaveLength(1);
  });

  it('obeys no command and no tap of an outage, and says so once', async ({ chat }) => {
    const telegram = await startStandInTelegram();
    for (let each = 0; each < 250; each += 1)
      telegram.write('/maintenance rack-01 2h', { at: Date.now() - HOUR });
    telegram.write('/status');
    await chat(farm.url, { telegram });
    expect((await telegram.next()).text).toMatch(/^Your earlier command arrived too late/);
    expect((await telegram.next()).text).toMatch(/^Needs attention/);
    expect(JSON.parse((await farm.get('/api/v1/fleet?phones=no')).body).maintenance).toEqual([]);
  });

  it('obeys a tap that Telegram calls too old to be acknowledged, while the question is young', async ({
    ownFarm,
    chat,
  }) => {
    const { ask, telegram } = await chat(ownFarm.url);
    await ask('/maintenance rack-01 2h');
    telegram.tap('Yes', { isOld: true });
    expect((await telegram.next()).text).toMatch(/^Maintenance started\. rack-01/);
  });

  it('waits as long as Telegram asks for, and then answers', async ({ chat }) => {
    const { ask, telegram } = await chat(farm.url);
    await ask('/status');
    telegram.error = { code: 429, description: 'Too Many Requests: retry after 1', retryAfter: 1, times: 3 };
    const before = performance.now();
    expect(await ask('/status')).toMatch(/^Needs attention/);
    expect(performance.now() - before).toBeGreaterThan(900);
  });

  it('says that another program is using the token, and continues when that program has ended', async ({
    chat,
  }) => {
    const telegram = await startStandInTelegram();
    const one = await chat(farm.url, { telegram });
    await one.waitForOutput(/answering in Telegram/);
    await one.ask('/status');
    const other = await chat(farm.url, { telegram });
    await one.waitForOutput(/another program uses this token \(409 Conflict: terminated by other getUpdates/);
    expect(await other.ask('/status')).toMatch(/^Needs attention/);
  });

  it('answers each command once when it is killed and started again', async ({ chat }) => {
    const telegram = await startStandInTelegram();
    const first = await chat(farm.url, { telegram });
    await first.ask('/status');
    expect(await first.stop()).toBe(0);
    const second = await chat(farm.url, { telegram });
    expect(await second.ask('/rack 02')).toMatch(/^rack-02/);
    expect(telegram.sent).toHaveLength(2);
  });

  it('says what it cannot do while the daemon is away, and answers again after', async ({
    chat,
    onTestFinished,
  }) => {
    const own = await startFarm();
    onTestFinished(own.close);
    const { ask } = await chat(own.url);
    expect(await ask('/status')).toMatch(/^Needs attention/);
    await own.stop();
    expect(await ask('/status')).toMatch(/^The exporter has not responded since \d\d:\d\d\.$/);
    expect(await ask('/maintenance rack-01 2h')).toMatch(
      /^The exporter has not responded since \d\d:\d\d\.$/,
    );
  });
});

describe('telegram --check', () => {
  it('says what works, and takes no update', async ({ chat }) => {
    const telegram = await startStandInTelegram();
    telegram.write('/status');
    const { ended, output } = await chat(farm.url, { telegram, parameters: ['--check'] });
    expect([await ended, output()]).toEqual([0, expect.stringContaining('@FarmBot')]);
    expect(output()).toMatch(
      /^token +yes +@FarmBot\nchat 7 +yes +Anna\nexporter +yes +version .*, 8 phones\nmaintenance +yes\nmonth/m,
    );
    expect(telegram.calls).not.toContain('getUpdates');
  });

  it('tries each chat with its topic, and says that a channel gets no commands', async ({ chat }) => {
    const telegram = await startStandInTelegram({
      chats: new Map([
        [-1_008, { type: 'supergroup', title: 'Farm', topics: [5] }],
        [-1_009, { type: 'channel', title: 'Alerts' }],
      ]),
    });
    const chats = '--chats=7,-1008/1,-1009';
    const good = await chat(farm.url, { telegram, parameters: ['--check', chats] });
    await good.ended;
    expect(good.output()).toMatch(
      /^chat 7 +yes +Anna\nchat -1008 +yes +Farm\nchat -1009 +off +Alerts: a channel gets alerts and reports, but nobody/m,
    );
    expect(telegram.sent.map(({ thread }) => thread)).toEqual([undefined, undefined, undefined]);
    const wrong = await chat(farm.url, { telegram, parameters: ['--check', '--chats=-1008/6'] });
    expect([await wrong.ended, wrong.output()]).toEqual([
      1,
      expect.stringMatching(/^chat -1008\/6 +no +400 Bad Request: message thread not found/m),
    ]);
  });

  it('fails, and says why, where the token, the chat or the daemon do not work', async ({ chat }) => {
    const refused = await startStandInTelegram({ token: 'another' });
    const { ended, output } = await chat('http://127.0.0.1:1', {
      telegram: refused,
      parameters: ['--check'],
    });
    expect([await ended, output()]).toEqual([
      1,
      expect.stringMatching(/^token +no +401 Unauthorized\nexporter +no +The exporter has not/m),
    ]);
    const hooked = await chat(farm.url, {
      telegram: await startStandInTelegram({ webhook: 'https://bot.example.com' }),
      parameters: ['--check'],
    });
    await hooked.ended;
    expect(hooked.output()).toMatch(/^commands +no +a webhook of another program/m);
  });
});
