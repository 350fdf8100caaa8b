import { startChild } from '../child.ts';
import type { Scenario } from '../report.ts';

export const render: Scenario = {
  name: 'render',
  title: 'From a snapshot to its page: milliseconds, and the longest stretch on the event loop; medians',
  async *run({ phones, rounds }) {
    for (const size of phones) {
      const child = await startChild('render', {
        parameters: [String(size)],
        nodeFlags: ['--expose-gc'],
      });
      for (const [request, name] of [
        ['cold', 'everything is new'],
        ['steady', 'heartbeats are new'],
        ['facts', 'only a fact about us is new'],
      ] as const) {
        const [time = 0, stretch = 0, cpu = 0] = await child.ask(request, rounds);
        const isBarred = size === 10_000;
        const bar = isBarred && request !== 'facts' ? { bar: { atMost: 400 } } : {};
        yield { name: `${name}: page`, phones: size, value: time, unit: 'ms', ...bar };
        const stretchBar = isBarred ? { bar: { atMost: 10 } } : {};
        yield { name: `${name}: longest stretch`, phones: size, value: stretch, unit: 'ms', ...stretchBar };
        yield { name: `${name}: CPU per phone`, phones: size, value: (cpu * 1000) / size, unit: 'µs' };
      }
      await child.stop();
    }
  },
};
