import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish } from '../../base/steps.ts';
import { dateAt, type TimeZone } from '../../base/time-zone.ts';
import { countDevices } from '../../judge/step.ts';
import { columnOf } from '../../judge/times.ts';
import { NEW_ACCOUNT, type SavedState } from '../../model/account.ts';
import type { DepartedDevice, Fleet } from '../../model/fleet.ts';
import { DEFAULT_GROUPS, groupOf } from '../../model/group.ts';
import { cleanText } from '../../model/text.ts';
import { MINUTE } from '../../model/time.ts';
import type { Column, DayStart } from '../../model/times.ts';
import { encodeState } from '../../state/codec.ts';
import { type HistoryPoint, STEP } from '../history/history.ts';
import { dayEntry } from '../month/days.ts';
import type { Marketplace } from './marketplace.ts';
import { isReady, type Phone } from './phones.ts';

/*
 * The past of the demo: what a daemon would know that had watched the marketplace since it began, a look each ten minutes. So
 * the first page has pictures, and the month has finished days.
 */

/** Times of a phone, while they are added up. */
type Times = {
  readonly phone: Phone;
  readonly isSilent: boolean;
  readonly column: Column;
  readonly milliseconds: Partial<Record<Column, number>>;
  readonly interruptions: number;
};

/**
 * Lets a marketplace live until an instant, and writes what a daemon would know into a state file in a folder of its own.
 *
 * @param from since when the daemon would have watched, in milliseconds since 1970
 * @returns the path of the file, and a function that removes the folder
 */
export async function writePast(
  marketplace: Marketplace,
  apiUrl: string,
  timeZone: TimeZone,
  from: number,
  until: number,
): Promise<{ readonly stateFile: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hoster-exporter-demo-'));
  const stateFile = join(folder, 'state.json');
  const state = liveUntil(marketplace, apiUrl, timeZone, from, until);
  await writeFile(stateFile, [...encodeState(state, { host: '', pid: process.pid, program: '' }, until)]);
  return { stateFile, remove: () => rm(folder, { recursive: true, force: true }) };
}

function liveUntil(
  marketplace: Marketplace,
  apiUrl: string,
  timeZone: TimeZone,
  from: number,
  until: number,
): SavedState {
  const startAt = Math.ceil(from / STEP) * STEP;
  const times = new Map<string, Times>();
  const history: HistoryPoint[] = [];
  const days: DayStart[] = [];
  for (let at = startAt; at < until; at += STEP) {
    marketplace.advance(at);
    const phones = marketplace.phones().filter(({ archived }) => !archived);
    const date = dateAt(timeZone, at);
    if (days.at(-1)?.date !== date) days.push(dayOf(date, timeZone.name, at, startAt, times));
    const seen = phones.map((phone) => timesAfter(times.get(phone.deviceId), phone));
    for (const each of seen) times.set(each.phone.deviceId, each);
    history.push(pointOf(seen, at, marketplace.balance().availableCents));
  }
  const departed = new Map(Array.from(times, ([id, each]) => [id, departedOf(each, startAt, until)]));
  const account = { ...NEW_ACCOUNT, at: until, fleet: fleetOf(departed, until), history, days };
  return {
    accounts: [{ identity: { name: 'default', apiUrl: new URL(apiUrl).href }, goneAt: undefined, account }],
    causes: { list: [], listedAt: new Map() },
  };
}

function timesAfter(before: Times | undefined, phone: Phone): Times {
  // One that is away for less than ten minutes may just be late.
  const isSilent = isReady(phone) && !phone.online && before?.phone.online === false;
  const column = columnOf(phone.rentalStatus, { silent: isSilent, isMaintained: false }) ?? 'other';
  const { milliseconds, interruptions } = before ?? { milliseconds: {}, interruptions: 0 };
  const isInterrupted = column === 'sold_silent' && before?.isSilent === false;
  return {
    phone,
    isSilent,
    column,
    milliseconds: { ...milliseconds, [column]: (milliseconds[column] ?? 0) + STEP },
    interruptions: interruptions + (isInterrupted ? 1 : 0),
  };
}

function pointOf(seen: readonly Times[], at: number, cents: number): HistoryPoint {
  const count = (isCounted: (each: Times) => boolean): number => seen.filter(isCounted).length;
  const reportingAs = (status: Phone['rentalStatus']) =>
    count(({ phone, isSilent }) => phone.rentalStatus === status && !isSilent);
  return {
    at,
    listed: seen.length,
    sold_reporting: count(({ column }) => column === 'sold_reporting'),
    sold_silent: count(({ column }) => column === 'sold_silent'),
    self_rented: reportingAs('self_rented'),
    idle: reportingAs('idle'),
    silent: count(({ phone, isSilent }) => phone.rentalStatus !== 'sold' && isSilent),
    maintenance: 0,
    balance_cents: cents,
  };
}

function dayOf(
  date: string,
  zone: string,
  midnight: number,
  firstListedAt: number,
  times: ReadonlyMap<string, Times>,
): DayStart {
  const devices = Array.from(times, ([id, each]) => {
    const entry = departedOf(each, firstListedAt, midnight);
    return [id, dayEntry(entry, each.milliseconds, undefined)] as const;
  });
  return { date, zone, midnight, devices: new Map(devices) };
}

/** A phone whose times go on as soon as a list shows it. */
function departedOf(
  { phone, column, milliseconds, interruptions }: Times,
  firstListedAt: number,
  leftAt: number,
): DepartedDevice {
  // As the API client reads them.
  const [label, brand, model, appVersion] = [
    cleanText(phone.label),
    cleanText(phone.brand),
    cleanText(phone.model),
    cleanText(phone.appVersion),
  ];
  return {
    device: { label, brand, model, appVersion },
    group: groupOf(label, DEFAULT_GROUPS),
    leftAt,
    times: { firstListedAt, column, milliseconds, interruptions },
  };
}

function fleetOf(departed: Fleet['departed'], apiTime: number): Fleet {
  const devices: Fleet['devices'] = new Map();
  return {
    ...{ devices, ...finish(countDevices(devices)), absent: new Map(), left: new Map(), departed },
    ...{ reported: 0, apiTime, clockShift: 0, isClockReset: false, dueIn: MINUTE / 2, slack: MINUTE / 2 },
    listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false, suspect: false },
    unseen: [],
  };
}
