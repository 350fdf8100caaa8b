import type { Feature } from '../../cli/command.ts';

/** Demo: a simulated marketplace, with or without the exporter. */
export const demo: Feature = {
  name: 'demo',
  commands: [
    {
      name: 'demo',
      summary: 'Runs the exporter with a simulated marketplace; needs no key.',
      endsWhenInterrupted: true,
      load: async () => (await import('./demo.ts')).demo,
    },
    {
      name: 'simulate',
      summary: 'Runs only the simulated marketplace, with faults to try.',
      endsWhenInterrupted: true,
      load: async () => (await import('./simulate.ts')).simulate,
    },
  ],
};
