import { type Child, startChild } from '../child.ts';
import { median } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';

const BAR = { atMost: 50 };

export const stall: Scenario = {
  name: 'stall',
  title:
    'Longest delay of the event loop while the fleet is polled over HTTP, rendered and scraped every second, beside an idle process',
  async *run({ phones, rounds }) {
    for (const size of phones) yield* atSize(size, rounds);
  },
};

async function* atSize(phones: number, rounds: number): AsyncGenerator<Figure> {
  const simulator = await startChild('simulator', { parameters: [String(phones)] });
  const url = `http://127.0.0.1:${await portOf(simulator)}`;
  const exporter = await startChild('exporter', { parameters: ['', '1', url] });
  const [idle, reader] = await Promise.all([startChild('idle'), startChild('reader')]);
  const port = await portOf(exporter);
  // The first polls compile the code.
  for (let poll = 0; poll < 3; poll += 1) await exporter.ask('poll');
  await Promise.all([exporter.ask('delay'), idle.ask('delay')]);
  const [ours, control, scrapes]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    let polling = true;
    const polled = exporter.ask('poll').then(() => {
      polling = false;
    });
    while (polling) scrapes.push(...(await reader.ask('scrape', port, 1, 1_000)));
    await polled;
    const [[our = 0], [other = 0]] = await Promise.all([exporter.ask('delay'), idle.ask('delay')]);
    ours.push(our);
    control.push(other);
  }
  await Promise.all([simulator, exporter, idle, reader].map((child) => child.stop()));
  const isBarred = phones >= 100_000;
  const longest = Math.max(...ours);
  yield { name: 'longest delay', phones, value: longest, unit: 'ms', ...(isBarred && { bar: BAR }) };
  yield { name: 'longest delay of a poll, median', phones, value: median(ours), unit: 'ms' };
  yield { name: 'longest delay of the idle process', phones, value: Math.max(...control), unit: 'ms' };
  yield { name: 'the same, median', phones, value: median(control), unit: 'ms' };
  yield { name: 'scrape meanwhile, median', phones, value: median(scrapes), unit: 'ms' };
}

async function portOf(child: Child): Promise<number> {
  const [port = 0] = await child.ask('port');
  return port;
}
