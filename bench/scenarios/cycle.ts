import { startChild } from '../child.ts';
import { median } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';

const PHONES = 10_000;
const LATENCY = 50;
const POLLS = 5;

/** Polls that are not counted: the first finds neither connections nor tunnels to ask for, and code that is not compiled yet. */
const FIRST_POLLS = 2;

export const cycle: Scenario = {
  name: 'cycle',
  title: `A poll of ${PHONES} phones and their tunnels from an API that takes ${LATENCY} ms for each answer; medians`,
  async *run() {
    const simulator = await startChild('simulator', { parameters: [String(PHONES), String(LATENCY)] });
    const [port = 0] = await simulator.ask('port');
    const requestsUntilNow = async (): Promise<number> => (await simulator.ask('requests'))[0] ?? 0;
    for (const concurrency of [8, 32]) {
      const parameters = ['', '1', `http://127.0.0.1:${port}`, String(concurrency)];
      const exporter = await startChild('exporter', { parameters });
      for (let poll = 0; poll < FIRST_POLLS; poll += 1) await exporter.ask('poll');
      const [times, counts]: [number[], number[]] = [[], []];
      for (let poll = 0; poll < POLLS; poll += 1) {
        const before = await requestsUntilNow();
        const [, time = 0] = await exporter.ask('poll');
        times.push(time);
        counts.push((await requestsUntilNow()) - before);
      }
      await exporter.stop();
      yield* figures(concurrency, median(times), median(counts));
    }
    await simulator.stop();
  },
};

function* figures(concurrency: number, time: number, requests: number): Generator<Figure> {
  const ideal = Math.ceil(requests / concurrency) * LATENCY;
  const name = (what: string): string => `${concurrency} at once: ${what}`;
  yield { name: name('requests'), phones: PHONES, value: requests, unit: '' };
  yield { name: name('time'), phones: PHONES, value: time, unit: 'ms' };
  yield { name: name('time / ideal'), phones: PHONES, value: time / ideal, unit: '×', bar: { atMost: 1.08 } };
}
