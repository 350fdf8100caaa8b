import { type Child, startChild } from '../child.ts';
import { memoryOf, sleep } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';

const POLLS = 10;

/** Milliseconds of rest after the last poll; there are thirty seconds until the next one by default. */
const REST = 20_000;

/** Maximum of resident memory in MB, by the number of phones. */
const MAX_MEGABYTES: Readonly<Record<number, number>> = { 1000: 130, 10000: 200, 100000: 500 };

export const memory: Scenario = {
  name: 'memory',
  title: `Memory of the exporter after ${POLLS} polls over HTTP (each with a scrape), nothing forced`,
  async *run({ phones }) {
    for (const size of phones) yield* figuresOf(size, await measure(size));
  },
};

type Measured = { readonly now: number; readonly rested: number; readonly peak: number };

function* figuresOf(phones: number, { now, rested, peak }: Measured): Generator<Figure> {
  const most = MAX_MEGABYTES[phones];
  const bar = most === undefined ? {} : { bar: { atMost: most } };
  yield { name: 'resident', phones, value: now / 1e6, unit: 'MB', ...bar };
  yield { name: 'resident, 20 s later', phones, value: rested / 1e6, unit: 'MB' };
  yield { name: 'resident, peak', phones, value: peak / 1e6, unit: 'MB' };
}

async function measure(phones: number): Promise<Measured> {
  const simulator = await startChild('simulator', { parameters: [String(phones)] });
  const url = `http://127.0.0.1:${await portOf(simulator)}`;
  const exporter = await startChild('exporter', { parameters: ['', '1', url] });
  const reader = await startChild('reader');
  const port = await portOf(exporter);
  for (let poll = 0; poll < POLLS; poll += 1) {
    await exporter.ask('poll');
    await reader.ask('scrape', port, 1, 0);
  }
  const { now, peak } = memoryOf(exporter.pid);
  await sleep(REST);
  const { now: rested } = memoryOf(exporter.pid);
  await Promise.all([simulator.stop(), exporter.stop(), reader.stop()]);
  return { now, rested, peak };
}

async function portOf(child: Child): Promise<number> {
  const [port = 0] = await child.ask('port');
  return port;
}
