import { type Child, startChild } from '../child.ts';
import { median, memoryOf } from '../measure.ts';
import type { Bar, Figure, Scenario } from '../report.ts';

const PHONES = 10_000;
const ACCOUNTS = 50;
/** Most CPU of a poll of many accounts, as a multiple of one account with as many phones. */
const CPU_BAR = { atMost: 2 };
/** Most milliseconds of a scrape of many accounts. */
const SCRAPE_BAR = { atMost: 25 };

/** Milliseconds after a poll: our own counters are on the page again by then. */
const AFTERWARDS = 1_200;

type Side = {
  readonly exporter: Child;
  readonly port: number;
  readonly cpu: number[];
  /** Right after a poll that changed every counter, and some time later. */
  readonly scrapes: number[];
  readonly laterScrapes: number[];
};

export const accounts: Scenario = {
  name: 'accounts',
  title: `${ACCOUNTS} accounts of ${PHONES / ACCOUNTS} phones beside one of ${PHONES}; medians`,
  async *run({ rounds }) {
    const reader = await startChild('reader');
    const one = await startSide(1);
    const many = await startSide(ACCOUNTS);
    for (let poll = 0; poll < 4; poll += 1) {
      for (const { exporter } of [one, many]) await exporter.ask('poll');
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const side of [one, many]) await measureRound(side, reader);
    }
    const [page = 0, pageOfMany = 0] = await pages(rounds);
    const memory = [one, many].map(({ exporter }) => memoryOf(exporter.pid).now / 1e6);
    await Promise.all([reader, one.exporter, many.exporter].map((child) => child.stop()));
    yield* compared('CPU of a page', 'ms', page, pageOfMany, {});
    // All accounts are polled in the same instant, as at the start of a daemon, so that all their requests wait at once.
    yield* compared('CPU of a poll', 'ms', median(one.cpu), median(many.cpu), { ratio: CPU_BAR });
    yield* compared('scrape right after it', 'ms', median(one.scrapes), median(many.scrapes), {
      many: SCRAPE_BAR,
    });
    yield* compared('scrape a second later', 'ms', median(one.laterScrapes), median(many.laterScrapes), {
      many: SCRAPE_BAR,
    });
    yield* compared('resident memory', 'MB', memory[0] ?? 0, memory[1] ?? 0, {});
  },
};

async function startSide(accountCount: number): Promise<Side> {
  const exporter = await startChild('exporter', { parameters: ['', String(accountCount), String(PHONES)] });
  const [port = 0] = await exporter.ask('port');
  return { exporter, port, cpu: [], scrapes: [], laterScrapes: [] };
}

/** Milliseconds of CPU for a page in which each heartbeat is new, of one account and of many, in turns. */
async function pages(rounds: number): Promise<readonly number[]> {
  const children = await Promise.all(
    [1, ACCOUNTS].map((count) => startChild('render', { parameters: [String(PHONES), String(count)] })),
  );
  const cpu: number[][] = children.map(() => []);
  for (let round = 0; round < rounds; round += 3) {
    for (const [index, child] of children.entries()) cpu[index]?.push((await child.ask('steady', 3))[2] ?? 0);
  }
  await Promise.all(children.map((child) => child.stop()));
  return cpu.map(median);
}

async function measureRound(
  { exporter, port, cpu, scrapes, laterScrapes }: Side,
  reader: Child,
): Promise<void> {
  const [used = 0] = await exporter.ask('poll');
  cpu.push(used);
  scrapes.push(...(await reader.ask('scrape', port, 1, 0)));
  laterScrapes.push(...(await reader.ask('scrape', port, 1, AFTERWARDS)));
}

type Bars = { readonly many?: Bar; readonly ratio?: Bar };

function* compared(name: string, unit: string, one: number, many: number, bars: Bars): Generator<Figure> {
  yield { name: `${name}, one account`, phones: PHONES, value: one, unit };
  yield {
    name: `${name}, ${ACCOUNTS} accounts`,
    phones: PHONES,
    value: many,
    unit,
    ...(bars.many && { bar: bars.many }),
  };
  yield {
    name: `${name}, ratio`,
    phones: PHONES,
    value: many / one,
    unit: '×',
    ...(bars.ratio && { bar: bars.ratio }),
  };
}
