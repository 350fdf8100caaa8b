import { type Child, startChild } from '../child.ts';
import { memoryOf, sleep } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';

const POLLS = 10;

/** Milliseconds of rest after the last poll; there are thirty seconds until the next one by default. */
const REST = 20_000;

/** Phones of the fleet whose memory the larger ones are compared with, what it may take, and each phone beyond it. */
const REFERENCE = 1_000;
const REFERENCE_BYTES = 110e6;
const FURTHER_BYTES = 1_000;

export const memory: Scenario = {
  name: 'memory',
  title: `Memory of the exporter after ${POLLS} polls over HTTP (each with a scrape), nothing forced`,
  async *run({ phones }) {
    const reference = await measure(REFERENCE);
    const sizes = phones.includes(REFERENCE) ? phones : [REFERENCE, ...phones];
    for (const size of sizes)
      yield* atSize(size, size === REFERENCE ? reference : await measure(size), reference);
    for (const size of phones.filter((each) => each <= 100_000)) yield await pageAt(size);
  },
};

type Measured = { readonly now: number; readonly rested: number; readonly peak: number };

function* atSize(phones: number, { now, rested, peak }: Measured, reference: Measured): Generator<Figure> {
  const allowed = REFERENCE_BYTES + FURTHER_BYTES * Math.max(0, phones - REFERENCE);
  yield { name: 'resident', phones, value: now / 1e6, unit: 'MB', bar: { atMost: allowed / 1e6 } };
  yield { name: 'resident, 20 s later', phones, value: rested / 1e6, unit: 'MB' };
  yield { name: 'resident, peak', phones, value: peak / 1e6, unit: 'MB' };
  if (phones <= REFERENCE) return;
  const further = phones - REFERENCE;
  const perPhone = (name: string, bytes: number, atMost: number): Figure => ({
    ...{ name, phones, unit: 'B', bar: { atMost } },
    value: bytes / further,
  });
  yield perPhone('per further phone', now - reference.now, FURTHER_BYTES);
  yield perPhone('per further phone, 20 s later', rested - reference.rested, FURTHER_BYTES);
  yield perPhone('per further phone, peak', peak - reference.now, 2_500);
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

/** What the page itself takes of that: the difference that a second one makes. */
async function pageAt(phones: number): Promise<Figure> {
  const child = await startChild('page-memory', {
    parameters: [String(phones)],
    nodeFlags: ['--expose-gc'],
  });
  const [bytes = 0] = await child.ask('page');
  await child.stop();
  return {
    name: 'kept by a page, per phone',
    phones,
    value: bytes / phones,
    unit: 'B',
    bar: { atMost: 400 },
  };
}

async function portOf(child: Child): Promise<number> {
  const [port = 0] = await child.ask('port');
  return port;
}
