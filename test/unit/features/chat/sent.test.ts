import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createSentDates } from '../../../../src/features/chat/sent.ts';
import { silentLog } from '../../../silent-log.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

it('remembers the dates of reports in a file', async () => {
  const path = join(folder, 'reports.json');
  expect(await createSentDates(path, silentLog).load()).toEqual(new Map());
  await createSentDates(path, silentLog).save(new Map([['7 reports', '2026-03-02']]));
  expect(await createSentDates(path, silentLog).load()).toEqual(new Map([['7 reports', '2026-03-02']]));
  expect(readFileSync(path, 'utf8')).toBe('{"version":1,"sent":{"7 reports":"2026-03-02"}}\n');
});

it('starts again with a damaged file', async () => {
  const path = join(folder, 'reports.json');
  writeFileSync(path, '{"version":1,"sent":{"7 rep');
  expect(await createSentDates(path, silentLog).load()).toEqual(new Map());
});

it('says once that the file cannot be written, and remembers nothing then', async () => {
  const lines: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void lines.push(message) };
  const dates = createSentDates(join(folder, 'no', 'such', 'reports.json'), log);
  expect(await dates.load()).toBeUndefined();
  await dates.save(new Map());
  expect(lines).toEqual(['cannot remember which reports were sent: set --state-file']);
});
