import type { Part } from '../judge/part.ts';
import type { Account, SavedState } from '../model/account.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { FeatureContext } from './feature.ts';

export type AccountChange<Effect> = { readonly name: string; readonly effect: Effect };

/** Changes that people make to a part of the memory. They are saved before people get an answer. */
export type Changes<Value, Effect> = {
  /** Returns an account's part, including the changes that are being saved. */
  readonly of: (name: string, account: Account) => Value;
  /** Saves changes, then observes them. If they cannot be saved, resolves to the reason and changes nothing. */
  readonly make: (changes: readonly AccountChange<Effect>[]) => Promise<string | undefined>;
  /**
   * Returns the current time by the API's clock, in milliseconds since 1970: that of an account, or the latest of all.
   * Before any list, it is our own clock's.
   */
  readonly now: (account?: string) => number;
  readonly withPending: (state: SavedState) => SavedState;
};

/** @param reduce returns the value of the part after an effect */
export function createChanges<Value, Effect>(
  part: Pick<Part<Value, Effect, never>, 'of' | 'with' | 'observation'>,
  reduce: (value: Value, effect: Effect) => Value,
  { snapshot, observe, save, clock }: Pick<FeatureContext, 'snapshot' | 'observe' | 'save' | 'clock'>,
): Changes<Value, Effect> {
  let pending: readonly AccountChange<Effect>[] = [];
  const currentOf = (name: string, account: Account): Value =>
    pending
      .filter((each) => each.name === name)
      .reduce((value, { effect }) => reduce(value, effect), part.of(account));
  return {
    of: currentOf,
    make: async (changes) => {
      pending = [...pending, ...changes];
      try {
        const failure = await save();
        if (failure === undefined)
          await Promise.all(changes.map(({ name, effect }) => observe(name, part.observation(effect))));
        return failure;
      } finally {
        pending = pending.filter((each) => !changes.includes(each));
        // Saves the state judged with these changes. After a failure, a slow write may still succeed; this one undoes it.
        void save();
      }
    },
    now: (account) => Math.round(apiNow(snapshot(), clock.uptime(), account) ?? clock.now()),
    withPending: (state) => ({
      ...state,
      accounts: state.accounts.map((saved) => ({
        ...saved,
        account: part.with(saved.account, currentOf(saved.identity.name, saved.account)),
      })),
    }),
  };
}

/** Returns the time by the API's clock: that of the last device list plus the uptime since then. */
function apiNow({ accounts }: Snapshot, uptime: number, account: string | undefined): number | undefined {
  const times = accounts.flatMap(({ name, known, devices: { lastSuccessUptime } }) =>
    (account ?? name) !== name || known.fleet === undefined || lastSuccessUptime === undefined
      ? []
      : known.fleet.apiTime + uptime - lastSuccessUptime,
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
