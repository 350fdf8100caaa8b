import { isDeepStrictEqual } from 'node:util';
import { type Causes, findCommonCauses, findCommonCausesInSteps } from '../analysis/common-cause.ts';
import { eventsBetween } from '../analysis/events.ts';
import type { KeySource } from '../api-key.ts';
import type { FleetEvent } from '../model/event.ts';
import { shownData } from '../model/reading.ts';
import { type AccountSnapshot, type Memory, NO_MEMORY, type Snapshot } from '../model/snapshot.ts';
import { NEVER_READ } from './reading.ts';

/** An account before its first poll. */
type StoredAccount = {
  readonly name: string;
  readonly currency: string | undefined;
  readonly key: KeySource;
  /** Facts from an earlier process; none by default. */
  readonly memory?: Memory | undefined;
};

/** Returns an account as it is after a change. */
type AccountChange = (account: AccountSnapshot) => AccountSnapshot;

/** The one cell that changes: it holds the current snapshot and replaces it whole. */
export type Store = {
  readonly snapshot: () => Snapshot;
  /** Returns an account; undefined if it is not configured any more. */
  readonly account: (name: string) => AccountSnapshot | undefined;
  /**
   * Replaces one account, as `update` does, but searches common causes in steps. Changes that come during a search wait
   * for the next one together, so that accounts that are polled at the same time cost one search and one page.
   */
  readonly updateInSteps: (
    name: string,
    change: AccountChange,
    yieldToEventLoop: () => Promise<void>,
  ) => Promise<void>;
  /** Replaces one account, and calls the listener with the new snapshot. Does nothing if the account is gone. */
  readonly update: (name: string, change: AccountChange) => void;
  /** Replaces the list of accounts, and calls the listener. Accounts whose names are in `kept` keep their readings. */
  readonly replace: (accounts: readonly StoredAccount[], kept: ReadonlySet<string>) => void;
};

/** Maximum number of events of a snapshot. */
const MAX_EVENTS = 100;

/**
 * @param onChange is called with each new snapshot and what happened since the one before, and not with the first snapshot,
 *   in which nothing is known
 */
export function createStore(
  accounts: readonly StoredAccount[],
  onChange: (snapshot: Snapshot, events: readonly FleetEvent[]) => void,
): Store {
  let snapshot: Snapshot = { accounts: accounts.map(unread) };
  const account = (name: string): AccountSnapshot | undefined =>
    snapshot.accounts.find((each) => each.name === name);
  let waiting: readonly Change[] = [];
  let updating: Promise<void> | undefined;
  let searching = Promise.resolve();
  const replaceAccounts = (next: Snapshot['accounts'], prepared?: Analysis): void => {
    const analysed = withCauses(next, snapshot.accounts, prepared);
    const events = eventsBetween(snapshot.accounts, analysed);
    const known = snapshot.events ?? [];
    const recent = events.length === 0 ? known : [...known, ...events].slice(-MAX_EVENTS);
    snapshot = { accounts: analysed, events: recent };
    onChange(snapshot, events);
  };
  const updateTogether = async (yieldToEventLoop: () => Promise<void>): Promise<void> => {
    // Polls that ended in the same turn are updated together.
    await yieldToEventLoop();
    const changes = waiting;
    waiting = [];
    updating = undefined;
    const before = snapshot.accounts;
    const next = applyAccountChanges(before, changes);
    const causes = isSameToAnalyse(next, before)
      ? undefined
      : await findCommonCausesInSteps(next, yieldToEventLoop);
    // Other changes may have taken place during the search.
    const latest = snapshot.accounts === before ? next : applyAccountChanges(snapshot.accounts, changes);
    replaceAccounts(latest, causes && { accounts: next, causes });
  };
  return {
    snapshot: () => snapshot,
    account,
    updateInSteps: async (name, change, yieldToEventLoop) => {
      waiting = [...waiting, { name, change }];
      if (updating === undefined) {
        updating = searching.then(() => updateTogether(yieldToEventLoop));
        // Its callers are told of a failure; the next search takes place all the same.
        searching = updating.catch(() => {});
      }
      await updating;
    },
    update: (name, change) => {
      if (account(name) !== undefined)
        replaceAccounts(applyAccountChanges(snapshot.accounts, [{ name, change }]));
    },
    replace: (next, kept) => {
      replaceAccounts(
        next.map((each) => {
          const known = kept.has(each.name) ? account(each.name) : undefined;
          return { ...(known ?? unread(each)), ...configured(each) };
        }),
      );
    },
  };
}

/** A change of the account of this name. */
type Change = { readonly name: string; readonly change: AccountChange };

/** Returns the accounts after changes, in their order. A change of an account that is gone has no effect. */
function applyAccountChanges(
  accounts: readonly AccountSnapshot[],
  changes: readonly Change[],
): readonly AccountSnapshot[] {
  return changes.reduce(
    (changed, { name, change }) => changed.map((each) => (each.name === name ? change(each) : each)),
    accounts,
  );
}

/** Accounts, and the causes that were found in them. */
type Analysis = { readonly accounts: readonly AccountSnapshot[]; readonly causes: Causes };

/** Tells whether an analysis of these accounts finds the same, since their devices and tunnels are the same. */
function isSameToAnalyse(accounts: readonly AccountSnapshot[], others: readonly AccountSnapshot[]): boolean {
  return (
    accounts.length === others.length &&
    accounts.every(({ name, devices, tunnels }, index) => {
      const other = others[index];
      return (
        name === other?.name &&
        shownData(devices) === shownData(other.devices) &&
        shownData(tunnels) === shownData(other.tunnels)
      );
    })
  );
}

/** Adds the causes where the devices or tunnels of an account changed. Equal causes stay the same object. */
function withCauses(
  accounts: readonly AccountSnapshot[],
  before: readonly AccountSnapshot[],
  prepared: Analysis | undefined,
): readonly AccountSnapshot[] {
  if (isSameToAnalyse(accounts, before)) return accounts;
  const found =
    prepared !== undefined && isSameToAnalyse(accounts, prepared.accounts)
      ? prepared.causes
      : findCommonCauses(accounts);
  return accounts.map((account, index) => {
    const causes = found[index] ?? [];
    return isDeepStrictEqual(causes, account.causes) ? account : { ...account, causes };
  });
}

function configured({
  name,
  currency,
  key,
}: StoredAccount): Pick<AccountSnapshot, 'name' | 'currency' | 'keyFile'> {
  return { name, currency, keyFile: 'file' in key ? key.file : undefined };
}

function unread(account: StoredAccount): AccountSnapshot {
  return {
    ...configured(account),
    access: undefined,
    devices: NEVER_READ,
    tunnels: NEVER_READ,
    balance: NEVER_READ,
    memory: account.memory ?? NO_MEMORY,
    causes: [],
  };
}
