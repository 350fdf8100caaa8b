import { withoutOpenIncidents } from '../alerts/incidents.ts';
import type { KeySource } from '../base/api-key.ts';
import { moneyAfter } from '../judge/money.ts';
import {
  type Account,
  type AccountIdentity,
  type NamedAccount,
  NEW_ACCOUNT,
  type SavedAccount,
  type SavedState,
} from '../model/account.ts';
import type { Causes } from '../model/cause.ts';
import type { AccessState, Collector } from '../model/enums.ts';
import type { FleetEvent } from '../model/event.ts';
import type { PollState } from '../model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import { DAY, MINUTE } from '../model/time.ts';
import { NEVER_POLLED } from './freshness.ts';

type ConfiguredAccount = Pick<AccountSnapshot, 'name' | 'currency' | 'balanceLowCents'> & {
  readonly apiUrl: URL;
  readonly key: KeySource;
};

/** One account: its configuration, what is known about it, and how its polls went in this process. */
type Cell = NamedAccount & {
  readonly identity: AccountIdentity;
  readonly configured: Pick<
    AccountSnapshot,
    'name' | 'currency' | 'balanceLowCents' | 'keyFile' | 'keyVariable' | 'apiUrl'
  >;
  readonly access: AccessState | undefined;
  readonly polls: Readonly<Record<Collector, PollState>>;
};

/** The result of a judgement. */
type Judged = {
  /** Changed accounts, each with its previous value. One that a reload has replaced in the meantime stays as is. */
  readonly accounts: readonly (NamedAccount & { readonly before: Account })[];
  readonly causes: Causes;
  readonly events: readonly FleetEvent[];
  /** Polls that fetched the judged data. */
  readonly polls: readonly PolledAccount[];
};

export type PolledAccount = {
  readonly name: string;
  readonly collector: Collector;
  readonly polled: PollState;
};

/** The mutable cells, one per account. Each change makes a new snapshot. */
export type Store = {
  readonly snapshot: () => Snapshot;
  /** Returns an account; undefined if it is no longer configured. */
  readonly account: (name: string) => AccountSnapshot | undefined;
  /** Takes the result of a judgement, and the polls behind it. */
  readonly takeJudged: (judged: Judged) => void;
  /** Notes an account's polls, without changing what is known. Does nothing if the account is gone. */
  readonly takePoll: (poll: PolledAccount) => void;
  readonly takeAccess: (name: string, access: AccessState) => void;
  /**
   * Replaces the list of accounts. An account with the same name and address keeps its state. A removed account's state is
   * kept for a day, and restored if the account returns.
   */
  readonly replace: (accounts: readonly ConfiguredAccount[]) => void;
  /**
   * Gives a new account the state of a removed one that had the same address and most of the listed devices: it was
   * renamed. Returns the earlier name; undefined if there is none.
   */
  readonly takeRenamed: (name: string, listed: ReadonlyMap<string, unknown>) => string | undefined;
  /** Returns the removed accounts. */
  readonly removed: () => readonly NamedAccount[];
  /** Returns everything that is known, including the accounts set aside. */
  readonly saved: () => SavedState;
};

/** Time for which a removed account's state is kept: a half-written configuration may lack an account. */
const ASIDE_MILLISECONDS = DAY;

/** Time after which a removed account's incidents end. If it was only renamed, it has been listed by then. */
const SETTLED_MILLISECONDS = 10 * MINUTE;

/** Maximum number of events in a snapshot. */
const MAX_EVENTS = 100;

/**
 * @param earlier what an earlier process knew
 * @param now returns milliseconds since 1970
 * @param onChange is called with each new snapshot except the first
 */
export function createStore(
  accounts: readonly ConfiguredAccount[],
  earlier: SavedState,
  now: () => number,
  onChange: (snapshot: Snapshot) => void,
): Store {
  let aside = earlier.accounts.map((saved) => ({ ...saved, goneAt: saved.goneAt ?? now() }));
  /** On each change, since without a state file nothing is ever saved. */
  const forgetAside = (): void => {
    // Setting the clock ahead must not make it forget anything.
    const agreed = Math.max(...cells.map(({ account }) => account.agreedAt ?? 0));
    const present = agreed > 0 ? Math.min(now(), agreed) : now();
    aside = aside
      .filter(({ goneAt }) => present - goneAt <= ASIDE_MILLISECONDS)
      .map((saved) =>
        present - saved.goneAt < SETTLED_MILLISECONDS
          ? saved
          : { ...saved, account: withoutOpenIncidents(saved.account) },
      );
  };
  /** Restores the state of an account that was removed. */
  const takeUp = (configured: ConfiguredAccount): Cell => {
    const identity = identityOf(configured);
    const known = aside.find((saved) => isSame(saved.identity, identity));
    aside = aside.filter((saved) => saved !== known);
    return newCell(configured, known?.account);
  };
  let cells = accounts.map(takeUp);
  let snapshot: Snapshot = { accounts: cells.map(toSnapshot), causes: earlier.causes, events: [] };
  const change = (next: readonly Cell[], rest: Partial<Snapshot> = {}): void => {
    const before = new Map(cells.map((cell, index) => [cell, snapshot.accounts[index]]));
    cells = [...next];
    snapshot = { ...snapshot, ...rest, accounts: cells.map((cell) => before.get(cell) ?? toSnapshot(cell)) };
    forgetAside();
    onChange(snapshot);
  };
  const changeOne = (name: string, make: (cell: Cell) => Cell): void => {
    if (cells.some((cell) => cell.name === name))
      change(cells.map((cell) => (cell.name === name ? make(cell) : cell)));
  };
  return {
    snapshot: () => snapshot,
    account: (name) => snapshot.accounts.find((each) => each.name === name),
    takeJudged: (judged) => {
      const taken = cells.map((cell) => withJudged(cell, judged));
      const events = [...snapshot.events, ...judged.events].slice(-MAX_EVENTS);
      change(taken, { causes: judged.causes, events });
    },
    takePoll: (poll) => changeOne(poll.name, (cell) => withPolls(cell, [poll])),
    takeAccess: (name, access) => changeOne(name, (cell) => ({ ...cell, access })),
    replace: (next) => {
      const identities = next.map(identityOf);
      const gone = cells.filter((cell) => !identities.some((each) => isSame(each, cell.identity)));
      aside = [...aside, ...gone.map(({ identity, account }) => ({ identity, account, goneAt: now() }))];
      change(
        next.map((each) => {
          const kept = cells.find((cell) => isSame(cell.identity, identityOf(each)));
          return kept === undefined ? takeUp(each) : { ...kept, configured: configuredOf(each) };
        }),
      );
    },
    takeRenamed: (name, listed) => {
      const cell = cells.find((each) => each.name === name);
      if (cell === undefined || cell.account.fleet !== undefined) return undefined;
      const earlier = aside.find(
        ({ identity, account }) =>
          identity.apiUrl === cell.identity.apiUrl && hasMostOf(account.fleet?.devices, listed),
      );
      if (earlier === undefined) return undefined;
      aside = aside.filter((each) => each !== earlier);
      changeOne(name, (each) => ({ ...each, account: continued(earlier.account, each.account) }));
      return earlier.identity.name;
    },
    removed: () => aside.map(({ identity: { name }, account }) => ({ name, account })),
    saved: () => {
      forgetAside();
      const present = cells.map(
        ({ identity, account }): SavedAccount => ({ identity, account, goneAt: undefined }),
      );
      return { accounts: [...present, ...aside], causes: snapshot.causes };
    },
  };
}

/**
 * Identifies an account, as in the state file. If any of this changes, the account may be another hoster's, and its
 * readings are dropped. A key that moves to another file still belongs to the same account.
 */
export function identityOf({ name, apiUrl }: Pick<ConfiguredAccount, 'name' | 'apiUrl'>): AccountIdentity {
  return { name, apiUrl: apiUrl.href };
}

/** Returns what was known about a renamed account, with the balance that it has had since. */
function continued(earlier: Account, { at, money }: Account): Account {
  return {
    ...earlier,
    at: at ?? earlier.at,
    money: money === undefined ? earlier.money : moneyAfter(earlier.money, money.balance, money.currency),
  };
}

/** Reports whether most of the known devices are listed. */
function hasMostOf(
  known: ReadonlyMap<string, unknown> | undefined,
  listed: ReadonlyMap<string, unknown>,
): boolean {
  const ids = [...(known?.keys() ?? [])];
  return ids.filter((id) => listed.has(id)).length > ids.length / 2;
}

function isSame(one: AccountIdentity, other: AccountIdentity): boolean {
  return one.name === other.name && one.apiUrl === other.apiUrl;
}

function withJudged(cell: Cell, { accounts, polls }: Judged): Cell {
  const judged = accounts.find(({ name }) => name === cell.name);
  if (judged === undefined || judged.before !== cell.account) return cell;
  return withPolls(judged.account === cell.account ? cell : { ...cell, account: judged.account }, polls);
}

function withPolls(cell: Cell, polls: readonly PolledAccount[]): Cell {
  const ofCell = polls.filter(({ name }) => name === cell.name);
  if (ofCell.length === 0) return cell;
  const changed = Object.fromEntries(ofCell.map(({ collector, polled }) => [collector, polled]));
  return { ...cell, polls: { ...cell.polls, ...changed } };
}

function configuredOf(account: ConfiguredAccount): Cell['configured'] {
  const { name, currency, balanceLowCents, apiUrl, key } = account;
  return {
    name,
    currency,
    balanceLowCents,
    keyFile: 'file' in key ? key.file : undefined,
    keyVariable: 'file' in key ? undefined : key.environment,
    apiUrl: `${apiUrl.origin}${apiUrl.pathname}`.replace(/\/$/, ''),
  };
}

function newCell(account: ConfiguredAccount, known: Account | undefined): Cell {
  return {
    name: account.name,
    identity: identityOf(account),
    configured: configuredOf(account),
    access: undefined,
    // A new object, so that a judgement of an earlier account with this name does not match.
    account: known ?? { ...NEW_ACCOUNT },
    polls: { devices: NEVER_POLLED, tunnels: NEVER_POLLED, balance: NEVER_POLLED },
  };
}

function toSnapshot({ configured, access, account, polls }: Cell): AccountSnapshot {
  return {
    ...configured,
    access,
    known: account,
    devices: { ...polls.devices, data: account.fleet },
    tunnels: { ...polls.tunnels, data: account.tunnels },
    balance: { ...polls.balance, data: account.money },
  };
}
