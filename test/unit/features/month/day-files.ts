import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TimeZone } from '../../../../src/base/time-zone.ts';
import { dayAfter, midnightOf } from '../../../../src/base/time-zone.ts';
import type { AccountDay, PhoneDay } from '../../../../src/features/month/days.ts';
import { readDay } from '../../../../src/features/month/files.ts';
import { createMonthAdder } from '../../../../src/features/month/report.ts';
import { datedFiles } from '../../../../src/state/dated-files.ts';
import { openDisk } from '../../../open-disk.ts';

/** Returns a phone in a day: seconds by column, as the files have milliseconds. */
export function phoneDay(
  id: string,
  seconds: readonly number[],
  own: Partial<Record<'label' | 'group' | 'model', string>> &
    Partial<Record<'firstListedAt' | 'interruptions', number>> & { readonly leftAt?: number } = {},
): PhoneDay {
  const { label = 'rack-01/1', group = 'rack-01', model = 'M1', firstListedAt = 0, leftAt = null } = own;
  const milliseconds = [0, 0, 0, 0, 0, 0].map((_, index) => 1000 * (seconds[index] ?? 0));
  return [id, label, group, model, firstListedAt, leftAt, milliseconds, own.interruptions ?? 0];
}

/** Returns a local day of an account. */
export function accountDay(
  date: string,
  zone: TimeZone,
  phones: readonly PhoneDay[],
  account = 'main',
): AccountDay {
  return { date, account, from: midnightOf(zone, date), to: midnightOf(zone, dayAfter(date)), phones };
}

/** Writes the file of a day, by its documented form. */
export function writeDayFile(directory: string, date: string, days: readonly AccountDay[]): void {
  const lines = days.flatMap(({ account, from, to, phones }) => [
    JSON.stringify({ account, from, to }),
    ...Array.from(phones, (phone) => JSON.stringify(phone)),
  ]);
  const body = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const head = JSON.stringify({ format: 'hoster-exporter day', version: 1, date });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${date}.jsonl`), `${head}\n${body}${JSON.stringify({ sha256 })}\n`);
}

/** A phone in a day, as a line: date, account and texts, seconds by column, unknown ones, and interruptions. */
export function lineOf(day: Omit<AccountDay, 'phones'>, phone: PhoneDay, timeZone: TimeZone): string {
  const [id, label, group, model] = phone;
  const month = day.date.slice(0, 7);
  const { add, sum } = createMonthAdder({ month, by: 'phone', propertyOf: () => '', prices: [], timeZone });
  add(day, phone);
  const { date: _, ...times } = sum().days?.[0] ?? { date: '' };
  const { sold_online_seconds: reporting, sold_offline_seconds: offline, ...rest } = { ...NONE, ...times };
  const seconds = [reporting, offline, rest.self_rented_seconds, rest.idle_seconds, rest.other_seconds];
  const all = [...seconds, rest.maintenance_seconds, rest.unknown_seconds, phone[7]];
  return [day.date, day.account, id, label, group, model, ...all].join(',');
}

const NONE = {
  ...{ sold_online_seconds: 0, sold_offline_seconds: 0, self_rented_seconds: 0, idle_seconds: 0 },
  ...{ other_seconds: 0, maintenance_seconds: 0, unknown_seconds: 0 },
};

/** Reads the days of a month, as lines. */
export async function linesIn(
  directory: string,
  month: string,
  timeZone: TimeZone,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const files = datedFiles(directory, 'day', openDisk);
  for (const date of (await files.dates()).filter((each) => each.startsWith(month)))
    for (const day of (await readDay(files, date)) ?? [])
      for (const phone of day.phones) lines.push(lineOf(day, phone, timeZone));
  return lines;
}
