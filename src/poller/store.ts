import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import { NEVER_READ } from './settle.ts';

/** The one cell that changes: it holds the current snapshot and replaces it whole. */
export type Store = {
  readonly snapshot: () => Snapshot;
  readonly account: (name: string) => AccountSnapshot;
  /** Replaces one account's part, and tells the listener of the new snapshot. */
  readonly update: (name: string, change: (account: AccountSnapshot) => AccountSnapshot) => void;
};

/** @param onChange is called with each new snapshot, and not with the first one, in which nothing is known */
export function createStore(
  accounts: readonly { readonly name: string; readonly currency: string | undefined }[],
  onChange: (snapshot: Snapshot) => void,
): Store {
  let snapshot: Snapshot = { accounts: accounts.map(({ name, currency }) => unread(name, currency)) };
  const account = (name: string): AccountSnapshot => {
    const found = snapshot.accounts.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no account is named ${name}`);
    return found;
  };
  return {
    snapshot: () => snapshot,
    account,
    update: (name, change) => {
      const changed = change(account(name));
      snapshot = { accounts: snapshot.accounts.map((each) => (each.name === name ? changed : each)) };
      onChange(snapshot);
    },
  };
}

function unread(name: string, currency: string | undefined): AccountSnapshot {
  return { name, currency, access: undefined, devices: NEVER_READ, tunnels: NEVER_READ, balance: NEVER_READ };
}
