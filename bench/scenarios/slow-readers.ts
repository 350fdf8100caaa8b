import { startChild } from '../child.ts';
import { median, memoryOf, sleep } from '../measure.ts';
import type { Scenario } from '../report.ts';

const READERS = 200;
const PHONES = 10_000;

export const slowReaders: Scenario = {
  name: 'slow-readers',
  title: `${READERS} clients that request ${PHONES} phones and never read, and an honest one`,
  async *run({ rounds }) {
    const exporter = await startChild('exporter', { parameters: ['', '1', String(PHONES)] });
    const [honest, slow] = await Promise.all([startChild('reader'), startChild('reader')]);
    const [port = 0] = await exporter.ask('port');
    for (let poll = 0; poll < 3; poll += 1) await exporter.ask('poll');
    const alone = await honest.ask('scrape', port, rounds * 5, 10);
    await sleep(1_000);
    const before = memoryOf(exporter.pid).now;
    await slow.ask('hang', port, READERS);
    const meanwhile = await honest.ask('scrape', port, rounds * 5, 10);
    const growth = memoryOf(exporter.pid).now - before;
    await Promise.all([exporter, honest, slow].map((child) => child.stop()));
    const ratio = median(meanwhile) / median(alone);
    yield {
      name: 'growth of resident memory',
      phones: PHONES,
      value: growth / 1e6,
      unit: 'MB',
      bar: { atMost: 20 },
    };
    yield { name: 'honest scrape, alone', phones: PHONES, value: median(alone), unit: 'ms' };
    yield { name: 'honest scrape, meanwhile', phones: PHONES, value: median(meanwhile), unit: 'ms' };
    yield { name: 'meanwhile / alone', phones: PHONES, value: ratio, unit: '×', bar: { atMost: 2 } };
  },
};
