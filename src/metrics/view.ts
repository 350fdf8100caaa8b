import { COLLECTORS, type Collector } from '../model/endpoint.ts';
import type { Fleet, FleetDevice, ListingFacts, Money, Reading, TunnelAnswer } from '../model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';

/** The subjects of one account in one list; there is a part for every account, if need be an empty one. */
export type Part<Subject> = {
  readonly account: string;
  readonly subjects: readonly Subject[];
  /** The second identifying label of a subject, by its place in `subjects`; undefined where the account is enough. */
  readonly id: ((index: number) => string) | undefined;
};

/** The reading of one collector, seen as a fact about us. */
export type CollectorReading = { readonly collector: Collector; readonly reading: Reading<unknown> };

/**
 * A snapshot as lists of the subjects that rows read, made once per snapshot at no cost per phone. Here, and nowhere
 * else, expired data is left out: `accounts`, `readings` and `listings` are facts about us and always there, the rest
 * is not.
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

export function viewOf({ accounts }: Snapshot): View {
  return {
    accounts: accounts.map((account) => one(account.name, account)),
    readings: accounts.map((account) => {
      const readings = COLLECTORS.map((collector) => ({ collector, reading: account[collector] }));
      return several(account.name, readings, ({ collector }) => collector);
    }),
    listings: accounts.map(({ name, devices }) => one(name, devices.data?.listing)),
    fleets: accounts.map(({ name, devices }) => one(name, present(devices))),
    devices: accounts.map(({ name, devices }) =>
      several(name, present(devices)?.devices ?? [], ({ device }) => device.id),
    ),
    tunnels: accounts.map(({ name, tunnels }) => {
      const answers = present(tunnels) ?? new Map<string, TunnelAnswer>();
      const ids = [...answers.keys()];
      return { account: name, subjects: [...answers.values()], id: (index) => ids[index] ?? '' };
    }),
    balances: accounts.map(({ name, balance }) => one(name, present(balance))),
  };
}

function one<Subject>(account: string, subject: Subject | undefined): Part<Subject> {
  return { account, subjects: subject === undefined ? [] : [subject], id: undefined };
}

function several<Subject>(
  account: string,
  subjects: readonly Subject[],
  idOf: (subject: Subject) => string,
): Part<Subject> {
  const id = (index: number): string => {
    const subject = subjects[index];
    return subject === undefined ? '' : idOf(subject);
  };
  return { account, subjects, id };
}

/** The data of a reading, if it may still be shown. */
function present<Data>({ data, state }: Reading<Data>): Data | undefined {
  return state === 'expired' ? undefined : data;
}
