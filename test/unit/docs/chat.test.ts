import { expect, it } from 'vitest';
import { createConversation } from '../../../src/features/chat/conversation.ts';
import { FEATURES } from '../../../src/features.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { shippedText } from '../../rules/shipped.ts';

it('docs/CHAT.md names every command', () => {
  const none = async () => await Promise.reject(new Error('not requested'));
  const parts = FEATURES.flatMap((feature) => feature.chat?.() ?? []);
  const { commands } = createConversation({ view: none, request: none }, createFakeClock(), () => 0.5, parts);
  const text = shippedText('docs/CHAT.md');
  expect(commands.filter(({ command }) => !text.includes(`/${command}`))).toEqual([]);
});
