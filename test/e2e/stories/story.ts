import type { Phone } from '../../../src/features/demo/phones.ts';
import type { StoryContext } from './context.ts';

/** One incident from its beginning to its end, with all messages that the hoster gets. */
export type Story = {
  readonly title: string;
  /** The account that it happens to; each has one of its own, so that all stories can happen at once. */
  readonly account: string;
  readonly phones: readonly Phone[];
  /** Lets it happen. Resolves when all is well again and the hoster knows. */
  readonly happens: (context: StoryContext) => Promise<void>;
  /** Each message, as {@link ReceivedMessage} reads, in order; there is no other. */
  readonly messages: readonly string[];
};
