import { startChild } from '../child.ts';
import { median, memoryOf } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';

const POLLS = 8;
/** Polls before anything is measured, so that the code is compiled and the page a steady one. */
const WARM_UP = 3;

export const shards: Scenario = {
  name: 'shards',
  title: `What one of several shards takes, over HTTP: the last of 1, 2, 4 and 8; medians of ${POLLS - WARM_UP} polls`,
  async *run({ phones }) {
    for (const size of phones) yield* atSize(size);
  },
};

async function* atSize(phones: number): AsyncGenerator<Figure> {
  const simulator = await startChild('simulator', { parameters: [String(phones)] });
  const [port = 0] = await simulator.ask('port');
  for (const total of [1, 2, 4, 8]) {
    // The first one asks for the balance on top, which is one request.
    const parameters = [`http://127.0.0.1:${port}`, String(total - 1), String(total)];
    const shard = await startChild('shard', { parameters });
    const cpu: number[] = [];
    for (let poll = 0; poll < POLLS; poll += 1) {
      const [used = 0] = await shard.ask('poll');
      if (poll >= WARM_UP) cpu.push(used);
    }
    const [gzip = 0, text = 0, own = 0] = await shard.ask('page');
    const { now, peak } = memoryOf(shard.pid);
    await shard.stop();
    const name = (what: string): string => `1 of ${total}: ${what}`;
    yield { name: name('phones'), phones, value: own, unit: '' };
    yield { name: name('resident'), phones, value: now / 1e6, unit: 'MB' };
    yield { name: name('resident, peak'), phones, value: peak / 1e6, unit: 'MB' };
    yield { name: name('CPU of a poll'), phones, value: median(cpu), unit: 'ms' };
    yield { name: name('page, text'), phones, value: text / 1e6, unit: 'MB' };
    yield { name: name('page, gzip'), phones, value: gzip / 1e6, unit: 'MB' };
  }
  await simulator.stop();
}
