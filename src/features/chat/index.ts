import type { Feature } from '../../cli/command.ts';

/** Chat: answers in the owner's chat in Telegram, in a process of its own. */
export const chat: Feature = {
  name: 'chat',
  commands: [
    {
      name: 'telegram',
      summary: 'Answers in your chat in Telegram from the running daemon; --check says what works.',
      endsWhenInterrupted: true,
      load: async () => (await import('./command.ts')).telegram,
    },
  ],
};
