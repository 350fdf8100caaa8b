import type { Collector } from '../model/endpoint.ts';
import {
  type Fleet,
  type FleetDevice,
  type ListingFacts,
  type Money,
  type Reading,
  shownData,
  type TunnelAnswer,
} from '../model/reading.ts';
import { collectorsOf, isFirst, WHOLE } from '../model/shard.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';

/** An array, or what makes its elements anew when they are asked for. */
export type Subjects<Subject> = Iterable<Subject> & {
  readonly length: number;
  readonly slice: (from: number, to: number) => readonly Subject[];
};

/** The subjects of one account in one list; there is a part for every account, if need be an empty one, or for none. */
export type Part<Subject> = {
  readonly account: string;
  readonly subjects: Subjects<Subject>;
  /** The second identifying label of a subject, which may go by its place in `subjects`; undefined where the account is enough. */
  readonly id: ((subject: Subject, index: number) => string) | undefined;
};

/** The reading of one collector, seen as a fact about us. */
export type CollectorReading = { readonly collector: Collector; readonly reading: Reading<unknown> };

/**
 * A snapshot as lists of the subjects that rows read, made once per snapshot at no cost per phone. Here, and nowhere
 * else, expired data is left out, and what another shard shows: `accounts`, `readings` and `listings` are facts about us
 * and never expire.
 */
export type View = {
  readonly accounts: readonly Part<AccountSnapshot>[];
  readonly readings: readonly Part<CollectorReading>[];
  readonly listings: readonly Part<ListingFacts>[];
  readonly fleets: readonly Part<Fleet>[];
  readonly devices: readonly Part<FleetDevice>[];
  readonly tunnels: readonly Part<TunnelAnswer>[];
  readonly balances: readonly Part<Money>[];
};

/** The labels that identify the subjects of each list of a {@link View}. */
export const IDENTITY_LABELS = {
  accounts: ['account'],
  readings: ['account', 'collector'],
  listings: ['account'],
  fleets: ['account'],
  devices: ['account', 'device_id'],
  tunnels: ['account', 'device_id'],
  balances: ['account'],
} as const satisfies Record<keyof View, readonly string[]>;

/**
 * Which shards show the subjects of each list, where the phones are divided: every shard its own, or the first one alone
 * what there is once for an account.
 */
export const SHOWN_BY = {
  accounts: 'first shard',
  readings: 'every shard',
  listings: 'every shard',
  fleets: 'first shard',
  devices: 'every shard',
  tunnels: 'every shard',
  balances: 'first shard',
} as const satisfies Record<keyof View, ShownBy>;

export type ShownBy = 'every shard' | 'first shard';

export function viewOf({ shard = WHOLE, accounts }: Snapshot): View {
  const collectors = collectorsOf(shard);
  /** The accounts whose subjects of a list are shown: all of them, or none. */
  const showing = (list: keyof View) => (SHOWN_BY[list] === 'every shard' || isFirst(shard) ? accounts : []);
  return {
    accounts: showing('accounts').map((account) => one(account.name, account)),
    readings: showing('readings').map((account) => {
      const readings = collectors.map(
        (collector): CollectorReading => ({ collector, reading: account[collector] }),
      );
      return several(account.name, readings, ({ collector }) => collector);
    }),
    listings: showing('listings').map(({ name, devices }) => one(name, devices.data?.listing)),
    fleets: showing('fleets').map(({ name, devices }) => one(name, shownData(devices))),
    devices: showing('devices').map(({ name, devices }) =>
      several(name, shownData(devices)?.devices ?? [], ({ device }) => device.id),
    ),
    tunnels: showing('tunnels').map(({ name, tunnels }) => {
      const answers = shownData(tunnels) ?? new Map<string, TunnelAnswer>();
      const ids = [...answers.keys()];
      return { account: name, subjects: [...answers.values()], id: (_, index) => ids[index] ?? '' };
    }),
    balances: showing('balances').map(({ name, balance }) => one(name, shownData(balance))),
  };
}

function one<Subject>(account: string, subject: Subject | undefined): Part<Subject> {
  return { account, subjects: subject === undefined ? [] : [subject], id: undefined };
}

function several<Subject>(
  account: string,
  subjects: Subjects<Subject>,
  id: (subject: Subject) => string,
): Part<Subject> {
  return { account, subjects, id };
}
