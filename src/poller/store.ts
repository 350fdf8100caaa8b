import { isDeepStrictEqual } from 'node:util';
import { findCommonCauses } from '../analysis/common-cause.ts';
import { eventsBetween } from '../analysis/events.ts';
import type { FleetEvent } from '../model/event.ts';
import { shownData } from '../model/reading.ts';
import { type Shard, WHOLE } from '../model/shard.ts';
import { type AccountSnapshot, type Memory, NO_MEMORY, type Snapshot } from '../model/snapshot.ts';
import { NEVER_READ } from './reading.ts';

/** An account before its first poll. */
export type StoredAccount = {
  readonly name: string;
  readonly currency: string | undefined;
  /** Facts from an earlier process; none by default. */
  readonly memory?: Memory | undefined;
};

/** The one cell that changes: it holds the current snapshot and replaces it whole. */
export type Store = {
  readonly snapshot: () => Snapshot;
  readonly account: (name: string) => AccountSnapshot;
  /** Replaces one account, and calls the listener with the new snapshot. */
  readonly update: (name: string, change: (account: AccountSnapshot) => AccountSnapshot) => void;
  /** Replaces the list of accounts, and calls the listener. Accounts whose names are in `kept` keep their readings. */
  readonly replace: (accounts: readonly StoredAccount[], kept: ReadonlySet<string>) => void;
};

/** Number of events that a snapshot holds. */
const MOST_EVENTS = 100;

/**
 * @param onChange is called with each new snapshot and what happened since the one before, and not with the first snapshot,
 *   in which nothing is known
 */
export function createStore(
  accounts: readonly StoredAccount[],
  onChange: (snapshot: Snapshot, events: readonly FleetEvent[]) => void,
  shard: Shard = WHOLE,
): Store {
  let snapshot: Snapshot = { shard, accounts: accounts.map(unread) };
  const account = (name: string): AccountSnapshot => {
    const found = snapshot.accounts.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no account is named ${name}`);
    return found;
  };
  const change = (next: Snapshot['accounts']): void => {
    const analysed = withCauses(next, snapshot.accounts);
    const events = eventsBetween(snapshot.accounts, analysed);
    const known = snapshot.events ?? [];
    const recent = events.length === 0 ? known : [...known, ...events].slice(-MOST_EVENTS);
    snapshot = { shard, accounts: analysed, events: recent };
    onChange(snapshot, events);
  };
  return {
    snapshot: () => snapshot,
    account,
    update: (name, update) => {
      const changed = update(account(name));
      change(snapshot.accounts.map((each) => (each.name === name ? changed : each)));
    },
    replace: (next, kept) => {
      change(
        next.map((each) =>
          kept.has(each.name) ? { ...account(each.name), currency: each.currency } : unread(each),
        ),
      );
    },
  };
}

/** Analyses the accounts where the devices or tunnels of one of them changed. Equal causes stay the same object. */
function withCauses(
  accounts: readonly AccountSnapshot[],
  before: readonly AccountSnapshot[],
): readonly AccountSnapshot[] {
  const isSame = accounts.every(({ devices, tunnels }, index) => {
    const known = before[index];
    return (
      known !== undefined &&
      shownData(devices) === shownData(known.devices) &&
      shownData(tunnels) === shownData(known.tunnels)
    );
  });
  if (isSame) return accounts;
  const found = findCommonCauses(accounts);
  return accounts.map((account, index) => {
    const causes = found[index] ?? [];
    return isDeepStrictEqual(causes, account.causes) ? account : { ...account, causes };
  });
}

function unread({ name, currency, memory = NO_MEMORY }: StoredAccount): AccountSnapshot {
  return {
    name,
    currency,
    access: undefined,
    devices: NEVER_READ,
    tunnels: NEVER_READ,
    balance: NEVER_READ,
    memory,
    causes: [],
  };
}
