import type { Feature } from '../../cli/command.ts';

/** Setup: asks for the account and the channel, checks the answers, and writes the files. */
export const setup: Feature = {
  name: 'setup',
  commands: [
    {
      name: 'setup',
      summary: 'Asks for your account and where to send alerts, checks the answers, and writes the files.',
      load: async () => (await import('./command.ts')).setup,
    },
  ],
};
