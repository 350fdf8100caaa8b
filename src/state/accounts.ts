import { isDeepStrictEqual } from 'node:util';
import type { AccountConfig } from '../config/schema.ts';
import type { Memory } from '../model/memory.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { rememberedMoney, rememberedPhones } from '../poller/memory.ts';
import type { AccountState, Origin } from './format.ts';

/** Whose facts an account's are, as the state file names it. */
export function originOf({ name, apiUrl, key }: AccountConfig): Origin {
  return { name, apiUrl: apiUrl.href, key };
}

/** What is to be kept of a snapshot. */
export function statesOf(accounts: readonly AccountConfig[], snapshot: Snapshot): readonly AccountState[] {
  return accounts.flatMap((account) => {
    const known = snapshot.accounts.find(({ name }) => name === account.name);
    if (known === undefined) return [];
    return { origin: originOf(account), money: rememberedMoney(known), phones: rememberedPhones(known) };
  });
}

/** What was kept of the accounts that are configured, by name. */
export function memoriesOf(
  accounts: readonly AccountConfig[],
  states: readonly AccountState[],
): ReadonlyMap<string, Memory> {
  return new Map(
    accounts.flatMap((account) => {
      const state = states.find(({ origin }) => isDeepStrictEqual(origin, originOf(account)));
      if (state === undefined) return [];
      return [[account.name, { phones: new Map(state.phones), money: state.money }] as const];
    }),
  );
}
