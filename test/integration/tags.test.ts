import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../src/base/clock.ts';
import { runCommand } from '../run-command.ts';
import { createVirtualDaemon, HOUR, MINUTE, type VirtualDaemon } from './virtual-daemon.ts';

const PHONES = [
  { deviceId: 'p1', label: 'rack-01/slot-01' },
  { deviceId: 'p2', label: 'rack-01/slot-02' },
  { deviceId: 'p3', label: 'rack-02/slot-01' },
];
const SETTINGS = { tags: { file: 'phones.csv' } };

let folder = '';
let daemon: VirtualDaemon;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-tags-'));
  daemon = await createVirtualDaemon(folder, { phones: PHONES });
  daemon.configure(SETTINGS);
});

afterEach(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true });
});

const fleet = async () => JSON.parse((await daemon.ask('/api/v1/fleet')).body);
const tagsById = async (): Promise<Readonly<Record<string, unknown>>> => {
  const { phones } = await fleet();
  return Object.fromEntries(
    phones.map(({ id, tags }: { readonly id: string; readonly tags?: unknown }) => [id, tags]),
  );
};
const warnings = async (): Promise<readonly string[]> => (await fleet()).exporter.warnings ?? [];

/** Lets the daemon look at the file, and poll. */
async function look(): Promise<void> {
  daemon.clock.advance(MINUTE);
  for (let turn = 0; turn < 20; turn += 1) await yieldToEventLoop();
  await daemon.live(5 * MINUTE);
}

describe('tags', () => {
  it('are in metrics and JSON, by the id or the label of a phone', async () => {
    daemon.writeTags('phone;carrier;owner\np1;Kyivstar;Anna\nrack-01/slot-02;lifecell;\n');
    await daemon.start();
    expect(await tagsById()).toEqual({
      p1: { carrier: 'Kyivstar', owner: 'Anna' },
      p2: { carrier: 'lifecell' },
    });
    expect((await fleet()).exporter.tags).toEqual(['carrier', 'owner']);
    const { body } = await daemon.ask('/metrics');
    expect(body.match(/^hoster_device_tag_info.*/gm)).toEqual([
      'hoster_device_tag_info{account="main",device_id="p1",tag="carrier",value="Kyivstar"} 1',
      'hoster_device_tag_info{account="main",device_id="p1",tag="owner",value="Anna"} 1',
      'hoster_device_tag_info{account="main",device_id="p2",tag="carrier",value="lifecell"} 1',
    ]);
  });

  it('can have a note next to it, or a note can stand alone', async () => {
    const notes = async () => {
      const { phones } = await fleet();
      return phones.map((phone: { readonly notes?: unknown }) => phone.notes);
    };
    daemon.writeTags('phone,carrier,# note,# shelf\np1,Kyivstar,"battery swollen, SIM until 03/27",top\n');
    await daemon.start();
    const first = { text: 'battery swollen, SIM until 03/27', by: 'tags.file' };
    expect(await notes()).toEqual([[first], undefined, undefined]);
    daemon.writeTags('phone,# note\nrack-01/slot-02,=1+1\n');
    await look();
    expect(await notes()).toEqual([undefined, [{ text: '=1+1', by: 'tags.file' }], undefined]);
    expect(await warnings()).toEqual([]);
  });

  it('follow the file within a minute and a poll', async () => {
    daemon.writeTags('phone,carrier\np1,Kyivstar\n');
    await daemon.start();
    daemon.writeTags('phone,carrier\np1,lifecell\np3,Kyivstar\n');
    await look();
    expect(await tagsById()).toEqual({ p1: { carrier: 'lifecell' }, p3: { carrier: 'Kyivstar' } });
  });

  it('follow the label of a phone, and a reload', async () => {
    daemon.writeTags('phone,carrier\nrack-02/slot-01,Kyivstar\n');
    await daemon.start();
    daemon.api.phones = PHONES.map((phone) =>
      phone.deviceId === 'p1' ? { ...phone, label: 'rack-02/slot-01' } : { ...phone, label: '' },
    );
    await daemon.live(5 * MINUTE);
    expect(await tagsById()).toEqual({ p1: { carrier: 'Kyivstar' } });
    daemon.configure({});
    await daemon.reload();
    await daemon.polled();
    expect(await tagsById()).toEqual({});
  });

  it('stay while the file cannot be read, also over a restart', async () => {
    daemon.writeTags('phone,carrier\np1,Kyivstar\n');
    await daemon.start();
    for (const content of [undefined, '', 'p\0\0']) {
      daemon.writeTags(content);
      await look();
      expect(await tagsById()).toEqual({ p1: { carrier: 'Kyivstar' } });
      expect(await warnings()).toHaveLength(1);
    }
    await daemon.stop();
    await daemon.start();
    await daemon.live(5 * MINUTE);
    expect(await tagsById()).toEqual({ p1: { carrier: 'Kyivstar' } });
    daemon.writeTags('phone,carrier\np2,lifecell\n');
    await look();
    expect([await tagsById(), await warnings()]).toEqual([{ p2: { carrier: 'lifecell' } }, []]);
  });

  it('that fit no phone are a warning, once in the log', async () => {
    daemon.writeTags('phone,carrier,model\np1,Kyivstar,\np9,Kyivstar,\n');
    await daemon.start();
    await look();
    await look();
    const expected = [
      'tags.file: line 1: column 3: got "model", expected another name: this one is taken by a label of the metrics',
      'tags.file: line 3: no phone has the id or the label "p9", or another line names it',
    ];
    expect(await warnings()).toEqual(expected);
    const logged = daemon.lines.filter((line) => line.includes('tags.file'));
    expect(logged).toHaveLength(2);
  });

  it('add up a month, phones that left included', async () => {
    daemon.writeTags('phone,carrier\np1,Kyivstar\nrack-01/slot-02,lifecell\np3,Kyivstar\n');
    await daemon.start();
    await daemon.live(HOUR);
    daemon.api.phones = PHONES.slice(0, 2);
    await daemon.live(HOUR);
    const month = new Date(daemon.clock.now()).toISOString().slice(0, 7);
    const { status, body } = await daemon.ask(`/api/v1/month?month=${month}&by=tag:carrier`);
    const rows = JSON.parse(body).rows.map(({ name, phones }: Readonly<Record<string, unknown>>) => [
      name,
      phones,
    ]);
    expect([status, rows]).toEqual([
      200,
      expect.arrayContaining([
        ['Kyivstar', 2],
        ['lifecell', 1],
      ]),
    ]);
    const refused = await daemon.ask(`/api/v1/month?month=${month}&by=tag:city`);
    expect([refused.status, refused.body.trim()]).toEqual([
      400,
      'expected month=2026-11, and by=phone, by=group, by=model, by=tag:carrier',
    ]);
  });

  it('are printed by the command, and its template has them all', async () => {
    daemon.writeTags('phone,carrier\np1,Kyivstar\np2,"3/12"\n');
    await daemon.start();
    const run = (...flags: readonly string[]) =>
      runCommand(['tags', `--url=${daemon.url()}`, ...flags], { HOSTER_API_KEY: 'x' });
    expect((await run()).out.split('\n').map((line) => line.split(/ {2,}/))).toEqual(
      expect.arrayContaining([
        ['carrier', 'Kyivstar', '1'],
        ['carrier', '(none)', '1'],
      ]),
    );
    const { code, out } = await run('--template');
    expect(code).toBe(0);
    daemon.writeTags(out);
    await look();
    expect(await tagsById()).toEqual({ p1: { carrier: 'Kyivstar' }, p2: { carrier: '3/12' } });
    expect(await warnings()).toEqual([]);
    expect(out.split('\n')[0]).toBe('\uFEFFphone,# label,# model,carrier');
  });
});

describe('the file that the command tags writes', () => {
  const file = () => join(folder, 'phones.csv');
  const write = (...flags: readonly string[]) =>
    runCommand(['tags', `--url=${daemon.url()}`, `--write=${file()}`, ...flags], { HOSTER_API_KEY: 'x' });

  it('has a line for each phone, with the separator of the owner', async () => {
    await daemon.start();
    expect((await write('--separator=semicolon')).out).toContain('3 phones. Next: set tags.file to it.');
    expect(readFileSync(file(), 'utf8').split('\n').slice(0, 2)).toEqual([
      '\uFEFFphone;# label;# model;carrier;owner',
      'p1;rack-01/slot-01;"Galaxy A14";;',
    ]);
  });

  it('keeps everything that people wrote, and the file from before', async () => {
    const lines = [
      'phone;# bought;carrier;# remark',
      'rack-01/slot-01;2024-05-01;Kyivstar;"two',
      'lines; and a ""quote"""',
      'in-repair-7;;lifecell;back in May',
      'p3;3-Dec;;',
    ];
    writeFileSync(file(), lines.join('\r\n'));
    await daemon.start();
    expect((await write()).out).toContain('Added 1 phone to');
    expect(readFileSync(file(), 'utf8')).toBe(`${lines.join('\r\n')}\np2;;;\n`);
    expect(readFileSync(`${file()}.old`, 'utf8')).toBe(lines.join('\r\n'));
    expect((await write()).out).toContain('has every phone. Nothing was changed.');
  });

  it('has each phone once, even if an ID looks like a number', async () => {
    daemon.api.phones = ['12345678901234567890', '007', '3/12', 'TRUE'].map((deviceId) => ({
      deviceId,
      label: '',
    }));
    await daemon.start();
    await write();
    const text = readFileSync(file(), 'utf8');
    expect((await write()).out).toContain('has every phone. Nothing was changed.');
    expect(readFileSync(file(), 'utf8')).toBe(text);
  });

  it.each([
    ['with an unclosed quotation mark', 'phone,carrier\np1,"Ky\n'],
    ['of one column', 'phone\np1\n'],
    ['in another encoding', Buffer.from('phone,owner\np1,J\xfcrgen\n', 'latin1')],
  ])('is left as it is %s', async (_, content) => {
    writeFileSync(file(), content);
    await daemon.start();
    const { code, error } = await write();
    expect([code, error]).toEqual([1, expect.stringContaining('phones.csv was not changed: ')]);
    expect(readFileSync(file())).toEqual(Buffer.from(content));
  });

  it('has no cell that a spreadsheet of any separator takes for a formula', async () => {
    daemon.api.phones = [{ deviceId: 'p1', label: 'a;=1+1;b' }];
    await daemon.start();
    await write();
    expect(readFileSync(file(), 'utf8')).toContain(`"a;'=1+1;b"`);
  });
});

describe('a file of tags whose first line names a phone', () => {
  it('is a warning, and what was known stays', async () => {
    daemon.writeTags('phone,carrier\np1,Kyivstar\n');
    await daemon.start();
    daemon.writeTags('rack-01/slot-01,lifecell\nrack-01/slot-02,lifecell\n');
    await look();
    expect(await warnings()).toEqual([
      'tags.file: the first line names a phone, expected the names of the columns there, such as phone,carrier,owner',
    ]);
    expect(await tagsById()).toEqual({ p1: { carrier: 'Kyivstar' } });
  });
});

describe('a file of tags that is gone over a restart', () => {
  it('leaves the tags with their names, so that the month can be added up by them', async () => {
    daemon.writeTags('phone,carrier\np1,Kyivstar\n');
    await daemon.start();
    await daemon.stop();
    daemon.writeTags(undefined);
    await daemon.start();
    await daemon.live(5 * MINUTE);
    expect((await fleet()).exporter.tags).toEqual(['carrier']);
    expect((await daemon.ask('/api/v1/month?by=tag:carrier')).status).toBe(200);
  });
});
