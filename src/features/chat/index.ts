import type { Feature } from '../../cli/command.ts';

/** Chat: answers commands in Telegram, in a process of its own. */
export const chat: Feature = {
  name: 'chat',
  commands: [
    {
      name: 'telegram',
      summary: 'Answers commands in your Telegram chat from the running daemon; --check tests the setup.',
      endsWhenInterrupted: true,
      load: async () => (await import('./command.ts')).telegram,
    },
  ],
};
