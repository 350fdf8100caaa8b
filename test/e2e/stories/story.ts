import type { Phone } from '../../../src/simulator/fleet.ts';
import type { Stage } from './stage.ts';

/** One trouble from its beginning to its end, and everything that its hoster is told of it. */
export type Story = {
  readonly title: string;
  /** The account that it happens to; each has one of its own, so that all stories can happen at once. */
  readonly account: string;
  readonly phones: readonly Phone[];
  /** Lets it happen. Resolves when all is well again and the hoster knows. */
  readonly happens: (stage: Stage) => Promise<void>;
  /** Each message, as {@link Told} reads, in order; there is no other. */
  readonly told: readonly string[];
};
