import * as z from 'zod';
import type { Feature } from '../../cli/command.ts';
import { list, object } from '../../fleet/fields.ts';

/** Links at the top of the fleet page. */
const fields = { links: list(object({ href: z.string(), title: z.string() })).optional() };

declare module '../../fleet/document.ts' {
  interface ExporterFields extends z.output<z.ZodObject<typeof fields>> {}
}

/** Demo: a simulated marketplace, with or without the exporter. */
export const demo: Feature = {
  name: 'demo',
  fields: { exporter: fields },
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
