import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTimeZone } from '../../src/base/time-zone.ts';
import type { MonthDocumentDay } from '../../src/features/month/document.ts';
import { readDay } from '../../src/features/month/files.ts';
import { createMonthAdder } from '../../src/features/month/report.ts';
import { COLUMNS as SEEN } from '../../src/model/times.ts';
import { datedFiles } from '../../src/state/dated-files.ts';
import { fill } from '../e2e/grafana.ts';
import { type Prometheus, startPrometheus } from '../e2e/prometheus.ts';
import { openDisk } from '../open-disk.ts';
import { argumentOf, BOARDS, panelsOf } from '../unit/grafana/board.ts';
import { historyOf } from './history.ts';
import { BEFORE, eventfulMonth, truthOf, truthOfDay, valueAt } from './world.ts';

/*
 * A month that the daemon's own code lives through under a clock that is moved, in a real Prometheus; the queries of the
 * board are compared with what truly happened.
 */

/** Seconds from one poll to the next: eight times the shipped interval, so that a month takes a minute. */
const POLL = 240;

const MONTH = eventfulMonth();
const folder = mkdtempSync(join(tmpdir(), 'hoster-month-'));
const MONTHS = join(folder, 'months');
const KEEP = ['--storage.tsdb.retention.time=10y'];
let prometheus: Prometheus;

function promtool(...parameters: readonly string[]): void {
  const { status, stderr } = spawnSync('promtool', ['tsdb', 'create-blocks-from', ...parameters], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`promtool ${parameters.join(' ')} failed: ${stderr}`);
}

beforeAll(async () => {
  const text = join(folder, 'month.om');
  const data = join(folder, 'data');
  const exporters = [
    { instance: '127.0.0.1:9823', span: [MONTH.from - BEFORE, MONTH.to + POLL], directory: MONTHS },
    { instance: '127.0.0.2:9823', span: MONTH.replica },
  ] as const;
  for (const exporter of exporters) {
    await pipeline(historyOf(MONTH, POLL, exporter), createWriteStream(text));
    promtool('--max-block-duration=768h', 'openmetrics', text, data);
  }
  prometheus = await startPrometheus(folder, 'global: {}', KEEP);
}, 900_000);

afterAll(async () => {
  await prometheus?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const BOARD = BOARDS.filter(({ file }) => file === 'month.json');

/** The query of a panel of the board. */
function queryOf(title: string, refId: string): string {
  const targets = BOARD.flatMap(panelsOf)
    .filter((panel) => panel.title === title)
    .flatMap((panel) => panel.targets ?? []);
  return targets.find((target) => target.refId === refId)?.expr ?? '';
}

/** Variables of the board whose values Prometheus gives, in their order, and the label that has the value. */
const HIDDEN = ['first', 'last'].map((name) => {
  const variables = BOARD.flatMap(({ dashboard }) => dashboard.templating.list);
  return [name, argumentOf(variables.find((one) => one.name === name)?.query ?? ''), 'at'] as const;
});

/** What Grafana sends for a range that ends at an instant. */
async function filledFor(expression: string, at: number, rangeSeconds: number): Promise<string> {
  const variables: Record<string, string> = { account: '.*', job: '.*', costliest: '.+', limit: '25' };
  const filling = { rangeSeconds, end: at, stepSeconds: 3600, variables };
  for (const [name, query, label] of HIDDEN) {
    const samples = await prometheus.query(fill(query, filling), at);
    variables[name] = samples.map(({ metric }) => metric[label] ?? '').join('|');
  }
  return fill(expression, filling);
}

/** Asks what the board asks, for the month, and returns the value of each phone or account. */
async function asked(expression: string, by = 'device_id'): Promise<ReadonlyMap<string, number>> {
  const filled = await filledFor(expression, MONTH.to, MONTH.to - MONTH.from);
  const samples = await prometheus.query(filled, MONTH.to);
  return new Map(samples.map(({ metric, value: [, value] }) => [metric[by] ?? '', Number(value)]));
}

const COLUMNS = [...SEEN, 'unknown'] as const;

const PHONES = 'Phones with most sold hours lost';

/** Columns of the table of phones, by the letters of their queries. */
const SHOWN = [
  ['A', 'sold_offline'],
  ['B', 'sold_online'],
  ['C', 'idle'],
] as const;

/** The local days of the month and of the two before it. */
const DAYS = daysOf(MONTH.from - BEFORE, MONTH.to);

function daysOf(from: number, to: number) {
  const dateOf = (at: number): string =>
    new Date(at * 1000).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
  const hours = Array.from({ length: (to - from) / 3600 + 1 }, (_, index) => from + index * 3600);
  const midnights = hours.filter((at) => at === from || dateOf(at) !== dateOf(at - 1));
  return midnights
    .slice(1)
    .map((end, index) => ({ date: dateOf(end - 1), span: [midnights[index] ?? end, end] as const }));
}

/** How far a column may be from the truth: 0.1 % of it, or a poll for each change. */
const allowed = (truth: number, changes: number): number => Math.max(truth / 1000, changes * POLL);

describe('a month of 745 hours', () => {
  it('is as it was, phone by phone and column by column', async () => {
    for (const [refId, column] of SHOWN) {
      const hours = await asked(queryOf(PHONES, refId));
      for (const phone of MONTH.phones) {
        const truth = truthOf(MONTH, phone);
        const shown = (hours.get(phone.id) ?? 0) * 3600;
        expect(
          Math.abs(shown - truth[column]),
          `${phone.id} ${column}: ${shown}, truly ${truth[column]}`,
        ).toBeLessThanOrEqual(allowed(truth[column], truth.changes));
      }
    }
  });

  it('has the interruptions of each phone', async () => {
    const interruptions = await asked(queryOf(PHONES, 'D'));
    for (const phone of MONTH.phones)
      expect(interruptions.get(phone.id) ?? 0, phone.id).toBe(truthOf(MONTH, phone).interruptions);
  });

  it('has a bar for each day, with the sums of its month file', async () => {
    const days = await dayFiles();
    for (const { date, span } of DAYS.slice(2, -1)) {
      const filled = await filledFor(queryOf('Hours by day', 'A'), span[0], MONTH.to - MONTH.from);
      const samples = await prometheus.query(filled, span[0]);
      const shown = Object.fromEntries(
        samples.map(({ metric, value }) => [metric['column'], Number(value[1])]),
      );
      const day = days.get(date);
      for (const column of COLUMNS)
        expect(
          Math.abs((shown[column] ?? 0) * 3600 - (day?.[`${column}_seconds`] ?? 0)),
          `${date} ${column}`,
        ).toBeLessThan(1);
    }
  });

  it('has the balance at both ends, and what rose and fell as observed', async () => {
    const cents = async (refId: string): Promise<number | undefined> => {
      const amount = (await asked(queryOf('Balance by account', refId), 'account')).get('default');
      return amount === undefined ? undefined : Math.round(amount * 100);
    };
    expect(await cents('D')).toBe(valueAt(MONTH.balance, MONTH.to));
  });
});

/** Sums of the month files by day. */
async function dayFiles(): Promise<ReadonlyMap<string, MonthDocumentDay>> {
  const sums = new Map<string, MonthDocumentDay>();
  for (const { date } of DAYS)
    for (const day of (await readDay(datedFiles(MONTHS, 'day', openDisk), date)) ?? []) {
      const { add, sum } = createMonthAdder({
        ...{ month: date.slice(0, 7), by: 'phone', timeZone: createTimeZone('Europe/Berlin') },
        ...{ prices: [], propertyOf: () => '' },
      });
      for (const phone of day.phones) add(day, phone);
      const [first] = sum().days ?? [];
      if (first) sums.set(date, first);
    }
  return sums;
}

describe('the month files of that month', () => {
  const lines: { date: string; id: string; label: string; day: MonthDocumentDay; interruptions: number }[] =
    [];

  beforeAll(async () => {
    for (const { date } of DAYS)
      for (const day of (await readDay(datedFiles(MONTHS, 'day', openDisk), date)) ?? [])
        for (const phone of day.phones) {
          const [id, label] = phone;
          const { add, sum } = createMonthAdder({
            ...{ month: date.slice(0, 7), by: 'phone', timeZone: createTimeZone('Europe/Berlin') },
            ...{ prices: [], propertyOf: () => '' },
          });
          add(day, phone);
          const { days = [], rows } = sum();
          if (days[0] && rows[0])
            lines.push({ date, id, label, day: days[0], interruptions: rows[0].interruptions });
        }
  });

  it('have each local day of each phone that was listed in it once', () => {
    const written = lines.map(({ date, id }) => `${date} ${id}`);
    const expected = DAYS.flatMap(({ date, span }) =>
      MONTH.phones
        .filter(({ listed }) => listed.some(([from, to]) => from < span[1] && to > span[0]))
        .map(({ id }) => `${date} ${id}`),
    );
    expect(written.toSorted()).toEqual(expected.toSorted());
  });

  it('add up to the day for each phone, also to the 25 hours of the day on which summer time ends', () => {
    const long = DAYS.filter(({ span: [from, to] }) => to - from === 90_000);
    expect(long.map(({ date }) => date)).toEqual(['2026-10-25']);
    for (const { phone, truth, line, name } of compared()) {
      const sum = COLUMNS.reduce((total, column) => total + line.day[`${column}_seconds`], 0);
      // A phone that came or left is seen to do so up to a poll late.
      const isWhole = phone.listed.every(([from, to]) => from < MONTH.from && to > MONTH.to);
      expect(Math.abs(sum - truth.total), name).toBeLessThanOrEqual(isWhole ? 0 : 2 * POLL);
    }
  });

  it('are as it was, day by day, phone by phone and column by column', () => {
    for (const { truth, line, name } of compared()) {
      for (const column of COLUMNS) {
        const shown = line.day[`${column}_seconds`];
        const difference = Math.abs(shown - truth[column]);
        const text = `${name} ${column}: ${shown}, truly ${truth[column]}`;
        expect(difference, text).toBeLessThanOrEqual(truth.changes * POLL);
      }
      const counted = line.interruptions - truth.interruptions;
      expect(counted, `interruptions of ${name}`).toBeGreaterThanOrEqual(0);
      expect(counted, `interruptions of ${name}`).toBeLessThanOrEqual(truth.unseenInterruptions);
    }
  });

  it('call each phone what it was called on that day', () => {
    const labels = lines.filter(({ id }) => id === 'renamed');
    expect(new Set(labels.map(({ date, label }) => `${date >= '2026-10-22'} ${label}`))).toEqual(
      new Set(['false rack-1/renamed', 'true rack-9/new name']),
    );
  });

  /** Each line with the truth of its day. */
  function compared() {
    return lines.map((line) => {
      const { date, id } = line;
      const day = DAYS.find((each) => each.date === date);
      const phone = MONTH.phones.find((each) => each.id === id);
      if (day === undefined || phone === undefined) throw new Error(`no such day or phone: ${date} ${id}`);
      return { phone, line, truth: truthOfDay(MONTH, phone, day.span), name: `${phone.id} on ${date}` };
    });
  }
});
