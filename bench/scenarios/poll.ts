import { startChild } from '../child.ts';
import { median } from '../measure.ts';
import { byNode, type Figure, type Scenario } from '../report.ts';

/**
 * Before anything is measured the page is to be a steady one, and the code compiled. V8 compiles what ran often enough,
 * for which a small fleet takes more polls: a thousand phones take an hour of polls twice a minute.
 */
const LEAST_WARM_UP = 20;
const WARM_UP_PHONES = 120_000;

export const poll: Scenario = {
  name: 'poll',
  title: 'A poll without HTTP: parse, validate, settle, render, compress; all three collectors; medians',
  async *run({ phones, rounds }) {
    for (const size of phones) yield* atSize(size, rounds);
  },
};

async function* atSize(phones: number, rounds: number): AsyncGenerator<Figure> {
  const exporter = await startChild('exporter', { parameters: ['', '1', String(phones)] });
  const [firstCpu = 0, firstTime = 0] = await exporter.ask('poll');
  const warmUp = Math.max(LEAST_WARM_UP, Math.ceil(WARM_UP_PHONES / phones));
  for (let round = 1; round < warmUp; round += 1) await exporter.ask('poll');
  const cpu: number[] = [];
  const time: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [ownCpu = 0, ownTime = 0] = await exporter.ask('poll');
    cpu.push(ownCpu);
    time.push(ownTime);
  }
  await exporter.stop();
  const perPhone = (milliseconds: number): number => (milliseconds * 1000) / phones;
  yield { name: 'first poll, CPU per phone', phones, value: perPhone(firstCpu), unit: 'µs' };
  yield { name: 'first poll until it is on the page', phones, value: firstTime, unit: 'ms' };
  yield {
    name: 'steady poll, CPU per phone',
    phones,
    value: perPhone(median(cpu)),
    unit: 'µs',
    ...(phones >= 10_000 && { bar: { atMost: byNode(40, 25) } }),
  };
  yield { name: 'steady poll until it is on the page', phones, value: median(time), unit: 'ms' };
}
