import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phonesOf } from '../integration/stand-in-api.ts';
import { createVirtualDaemon, DAY, HOUR, type VirtualDaemon } from '../integration/virtual-daemon.ts';
import { runCommand } from '../run-command.ts';

/*
 * Owners open the month files in spreadsheets and editors, and save them.
 */

const MONTH = '2026-03';
const HEADING =
  'date,account,device_id,label,group,model,sold_reporting,sold_silent,self_rented,idle,other,planned,unknown,interruptions';
const LINE = '2026-03-01,main,phone-01,rack-01/1,rack-01,SM-A156B,43200,0,0,0,0,0,0,0';

let folder = '';
let months = '';
let farm: VirtualDaemon;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-edited-'));
  months = join(folder, 'months');
  farm = await createVirtualDaemon(folder, { phones: phonesOf(1) });
});

afterEach(async () => {
  await farm.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(months, `${MONTH}.csv`);

const month = (...parameters: readonly string[]) =>
  runCommand(['month', `--month=${MONTH}`, `--directory=${months}`, ...parameters]);

function keep(...lines: readonly string[]): void {
  mkdirSync(months, { recursive: true });
  writeFileSync(file(), lines.join('\n'));
}

describe('a month file that was saved without a newline at its end', () => {
  it('keeps its last line when the next day is written', async () => {
    await farm.start();
    await farm.live(13 * HOUR);
    const written = await farm.fileWith(MONTH, '2026-03-01,');
    writeFileSync(file(), written.trimEnd());
    await farm.live(DAY);
    expect(await farm.fileWith(MONTH, '2026-03-02,')).toContain('2026-03-01,main,phone-01');
  });
});

describe('a month file that a spreadsheet saved with semicolons', () => {
  it('is read, or the command says that it is not', async () => {
    keep(HEADING.replaceAll(',', ';'), LINE.replaceAll(',', ';'), '');
    const { out, error } = await month();
    expect(out + error).toMatch(/rack-01\/1|cannot|expected|left out/);
  });
});

describe('a month file with a line of a later day', () => {
  it('still takes the days until then', async () => {
    await farm.start();
    await farm.live(13 * HOUR);
    const written = await farm.fileWith(MONTH, '2026-03-01,');
    writeFileSync(
      file(),
      `${written + written.trimEnd().split('\n').slice(-1).join('').replace('-01,', '-31,')}\n`,
    );
    await farm.live(DAY);
    const rows = await farm.rowsOf(MONTH);
    expect(readFileSync(file(), 'utf8')).toContain('2026-03-02,');
    expect(rows).toHaveLength(1);
  });
});

describe('a month file with a day that is there twice', () => {
  it('counts it once', async () => {
    keep(HEADING, LINE, LINE, '');
    const { out } = await month('--format=json');
    expect(JSON.parse(out).rows[0].sold_reporting).toBe(43_200);
  });
});

describe('a file of a later month in the folder, as a wrong clock or a copy leaves one', () => {
  it('does not cost the file of the running month', async () => {
    keep(HEADING, '');
    writeFileSync(join(months, '2026-12.csv'), `${HEADING}\n`);
    farm.configure({ months: { keep: 1 } });
    await farm.start();
    await farm.live(13 * HOUR);
    await farm.live(DAY);
    const [row] = await farm.rowsOf(MONTH);
    expect(row?.['sold_reporting']).toBe((37 * HOUR) / 1_000);
  });
});
