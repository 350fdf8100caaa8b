import type { AccessState } from './access.ts';
import type { Memory } from './memory.ts';
import type { Fleet, Money, Reading, Tunnels } from './reading.ts';
import type { Shard } from './shard.ts';

/**
 * Everything that is known at one moment; `/metrics` is a pure function of it. Immutable: the poller replaces it whole,
 * everything else only reads it.
 */
export type Snapshot = {
  /** The part of the phones that this process looks after; all of them where it is left out. */
  readonly shard?: Shard;
  readonly accounts: readonly AccountSnapshot[];
};

/** What is known of one hoster account. */
export type AccountSnapshot = {
  /** The configured name, which becomes the label `account`; never derived from the key. */
  readonly name: string;
  /** Configured, since the API names no currency; undefined where it is not. */
  readonly currency: string | undefined;
  /** What the last answers said of the key; undefined while nothing was answered. */
  readonly access: AccessState | undefined;
  readonly devices: Reading<Fleet>;
  readonly tunnels: Reading<Tunnels>;
  readonly balance: Reading<Money>;
  /** What is known from before a restart and not taken over yet; never shown. */
  readonly memory: Memory;
};
