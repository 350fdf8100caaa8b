import type { Account } from './account.ts';
import type { Causes } from './cause.ts';
import type { AccessState } from './enums.ts';
import type { FleetEvent } from './event.ts';
import type { Fleet } from './fleet.ts';
import type { Topic } from './incident.ts';
import type { Money } from './money.ts';
import type { Reading } from './reading.ts';
import type { Tunnels } from './tunnel.ts';

/**
 * The state of all accounts at one instant; `/metrics` is a pure function of it. Immutable: the poller replaces it as a
 * whole, everything else only reads it.
 */
export type Snapshot = {
  readonly accounts: readonly AccountSnapshot[];
  /** The common causes of offline devices of all accounts. */
  readonly causes: Causes;
  /** The latest events, oldest first. */
  readonly events: readonly FleetEvent[];
};

/** One hoster account in a snapshot: what is configured, what is known, and how its last polls went. */
export type AccountSnapshot = {
  /** The configured name, which becomes the label `account`; never derived from the key. */
  readonly name: string;
  /** Configured, since the API names no currency; undefined where it is not. */
  readonly currency: string | undefined;
  /** Configured limit below which the balance is low; undefined where it is not. */
  readonly balanceLowCents: number | undefined;
  /** Path of the file with the key; undefined where the key is in an environment variable. */
  readonly keyFile: string | undefined;
  /** State of the key according to the last results; undefined before the first one. */
  readonly access: AccessState | undefined;
  /** What is known, earlier processes included. What may be shown of it is in the readings. */
  readonly known: Account;
  readonly devices: Reading<Fleet>;
  readonly tunnels: Reading<Tunnels>;
  readonly balance: Reading<Money>;
};

/** Time after which an exporter without a state file calls everything offline that it called so before. */
const LEARNING_MILLISECONDS = 15 * 60_000;

/** Reports whether incidents about something begin and end as an account shows them now. */
export function isDataCurrent(account: AccountSnapshot, topic: Topic): boolean {
  const { known } = account;
  const { state } = account[topic === 'api' ? 'devices' : topic];
  if (state !== 'fresh') return false;
  if (topic === 'api' || topic === 'balance') return true;
  if (topic === 'devices' && known.judgement?.gracePeriodEndsAt !== undefined) return false;
  for (const { times } of known.fleet?.devices.values() ?? [])
    if ((known.at ?? 0) - times.firstListedAt >= LEARNING_MILLISECONDS) return true;
  return false;
}
