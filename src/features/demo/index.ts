import type { Feature } from '../../cli/command.ts';

/** Demo: a simulated marketplace, alone or with the exporter that polls it. */
export const demo: Feature = {
  name: 'demo',
  commands: [
    {
      name: 'demo',
      summary: 'A simulated marketplace and the exporter polling it over real HTTP; needs no key.',
      endsWhenInterrupted: true,
      load: async () => (await import('./demo.ts')).demo,
    },
    {
      name: 'simulate',
      summary: 'A simulated marketplace alone, with faults to switch on.',
      endsWhenInterrupted: true,
      load: async () => (await import('./simulate.ts')).simulate,
    },
  ],
};
