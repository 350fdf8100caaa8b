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
 * The immutable state of all accounts at one instant. It is replaced as a whole; `/metrics` is a pure function of it.
 */
export type Snapshot = {
  readonly accounts: readonly AccountSnapshot[];
  /** The common causes of offline devices in all accounts. */
  readonly causes: Causes;
  /** The latest events, oldest first. */
  readonly events: readonly FleetEvent[];
};

/** One hoster account in a snapshot: its configuration, its data, and its last polls. */
export type AccountSnapshot = {
  /** The configured name, which becomes the label `account`. */
  readonly name: string;
  /** As configured, since the API names no currency; undefined if not configured. */
  readonly currency: string | undefined;
  /** Configured limit below which the balance is low; undefined if there is none. */
  readonly balanceLowCents: number | undefined;
  /** Path of the file with the key; undefined if the key is in an environment variable. */
  readonly keyFile: string | undefined;
  /** Name of that variable; undefined if the key is in a file. */
  readonly keyVariable?: string | undefined;
  /** Address of the API, without its query. */
  readonly apiUrl?: string | undefined;
  /** State of the key according to the last response; undefined before the first one. */
  readonly access: AccessState | undefined;
  /** All data, including that from earlier processes. Outputs show the readings. */
  readonly known: Account;
  readonly devices: Reading<Fleet>;
  readonly tunnels: Reading<Tunnels>;
  readonly balance: Reading<Money>;
};

/** Time after a restart until an exporter without a state file has the same incidents again. */
const LEARNING_MILLISECONDS = 15 * 60_000;

/** Reports whether the data about a topic is current enough to open and resolve incidents. */
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
