import type { KeySource } from '../api-key.ts';
import { NO_CAUSES } from '../model/cause.ts';
import { type AccountSnapshot, type Memory, NO_MEMORY, type Snapshot } from '../model/snapshot.ts';
import { NEVER_READ } from './freshness.ts';

/** An account before its first poll. */
type StoredAccount = Pick<AccountSnapshot, 'name' | 'currency' | 'balanceLowCents'> & {
  readonly key: KeySource;
  /** Facts from an earlier process; none by default. */
  readonly memory?: Memory | undefined;
};

/** Returns an account as it is after a change. */
export type AccountChange = (account: AccountSnapshot) => AccountSnapshot;

/** The one cell that changes: it holds the current snapshot and replaces it whole. */
export type Store = {
  readonly snapshot: () => Snapshot;
  /** Returns an account; undefined if it is not configured any more. */
  readonly account: (name: string) => AccountSnapshot | undefined;
  /** Replaces the snapshot by what this function makes of it, and calls the listener. */
  readonly change: (change: (snapshot: Snapshot) => Snapshot) => void;
  /** Replaces one account. Does nothing if it is gone. */
  readonly update: (name: string, change: AccountChange) => void;
  /** Replaces the list of accounts. Accounts whose names are in `kept` keep their readings. */
  readonly replace: (accounts: readonly StoredAccount[], kept: ReadonlySet<string>) => void;
};

/** @param onChange is called with each new snapshot, and not with the first one */
export function createStore(
  accounts: readonly StoredAccount[],
  onChange: (snapshot: Snapshot) => void,
): Store {
  let snapshot: Snapshot = { accounts: accounts.map(emptyAccount), causes: NO_CAUSES, events: [] };
  const account = (name: string): AccountSnapshot | undefined =>
    snapshot.accounts.find((each) => each.name === name);
  const change: Store['change'] = (make) => {
    snapshot = make(snapshot);
    onChange(snapshot);
  };
  return {
    snapshot: () => snapshot,
    account,
    change,
    update: (name, changeAccount) => {
      if (account(name) === undefined) return;
      change((before) => ({
        ...before,
        accounts: before.accounts.map((each) => (each.name === name ? changeAccount(each) : each)),
      }));
    },
    replace: (next, kept) => {
      change((before) => ({
        ...before,
        accounts: next.map((each) => {
          const known = kept.has(each.name) ? account(each.name) : undefined;
          return { ...(known ?? emptyAccount(each)), ...configured(each) };
        }),
      }));
    },
  };
}

/** Returns the part of an account that the configuration says. */
function configured({
  name,
  currency,
  balanceLowCents,
  key,
}: StoredAccount): Pick<AccountSnapshot, 'name' | 'currency' | 'balanceLowCents' | 'keyFile'> {
  return { name, currency, balanceLowCents, keyFile: 'file' in key ? key.file : undefined };
}

function emptyAccount(account: StoredAccount): AccountSnapshot {
  return {
    ...configured(account),
    access: undefined,
    devices: NEVER_READ,
    tunnels: NEVER_READ,
    balance: NEVER_READ,
    memory: account.memory ?? NO_MEMORY,
    judgement: undefined,
    toldSilent: new Set(),
    causes: [],
  };
}
