import type { Feature } from '../../cli/command.ts';

/** Setup: asks what an owner must say, checks the answers, and writes the files. */
export const setup: Feature = {
  name: 'setup',
  commands: [
    {
      name: 'setup',
      summary: 'Asks for the account and where messages go, checks the answers, and writes the files.',
      load: async () => (await import('./command.ts')).setup,
    },
  ],
};
