import { isDeepStrictEqual } from 'node:util';
import { type Causes, findCommonCauses, findCommonCausesInSteps } from '../analysis/common-cause.ts';
import { eventsBetween } from '../analysis/events.ts';
import type { KeySource } from '../api-key.ts';
import type { FleetEvent } from '../model/event.ts';
import { shownData } from '../model/reading.ts';
import { type Shard, WHOLE } from '../model/shard.ts';
import { type AccountSnapshot, type Memory, NO_MEMORY, type Snapshot } from '../model/snapshot.ts';
import { NEVER_READ } from './reading.ts';

/** An account before its first poll. */
export type StoredAccount = {
  readonly name: string;
  readonly currency: string | undefined;
  readonly key: KeySource;
  /** Facts from an earlier process; none by default. */
  readonly memory?: Memory | undefined;
};

/** The one cell that changes: it holds the current snapshot and replaces it whole. */
export type Store = {
  readonly snapshot: () => Snapshot;
  readonly account: (name: string) => AccountSnapshot;
  /**
   * Analyses in steps what the snapshot would be after a change, so that `update` with this change need not do it in one
   * stretch. The readings after the change have to be the same objects then.
   */
  readonly prepare: (
    name: string,
    change: (account: AccountSnapshot) => AccountSnapshot,
    yieldToEventLoop: () => Promise<void>,
  ) => Promise<void>;
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
  let prepared: Analysis | undefined;
  // One after the other: the change of one account is part of the analysis of the next one.
  let preparing = Promise.resolve();
  const afterChange = (name: string, change: (account: AccountSnapshot) => AccountSnapshot) => {
    const changed = change(account(name));
    return snapshot.accounts.map((each) => (each.name === name ? changed : each));
  };
  const change = (next: Snapshot['accounts']): void => {
    const analysed = withCauses(next, snapshot.accounts, prepared);
    prepared = undefined;
    const events = eventsBetween(snapshot.accounts, analysed);
    const known = snapshot.events ?? [];
    const recent = events.length === 0 ? known : [...known, ...events].slice(-MOST_EVENTS);
    snapshot = { shard, accounts: analysed, events: recent };
    onChange(snapshot, events);
  };
  return {
    snapshot: () => snapshot,
    account,
    prepare: async (name, update, yieldToEventLoop) => {
      if (isSameToAnalyse(afterChange(name, update), snapshot.accounts)) return;
      const analyse = async (): Promise<void> => {
        // The change that was prepared before takes place in this turn.
        await yieldToEventLoop();
        if (!snapshot.accounts.some((each) => each.name === name)) return;
        const next = afterChange(name, update);
        prepared = { accounts: next, causes: await findCommonCausesInSteps(next, yieldToEventLoop) };
      };
      preparing = preparing.then(analyse);
      await preparing;
    },
    update: (name, update) => change(afterChange(name, update)),
    replace: (next, kept) => {
      change(
        next.map((each) =>
          kept.has(each.name) ? { ...account(each.name), currency: each.currency } : unread(each),
        ),
      );
    },
  };
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

function unread({ name, currency, key, memory = NO_MEMORY }: StoredAccount): AccountSnapshot {
  return {
    name,
    currency,
    keyFile: 'file' in key ? key.file : undefined,
    access: undefined,
    devices: NEVER_READ,
    tunnels: NEVER_READ,
    balance: NEVER_READ,
    memory,
    causes: [],
  };
}
