import { isDeepStrictEqual } from 'node:util';
import type { AccountConfig } from '../config/schema.ts';
import type { AccountSnapshot, DeviceMemory, Memory, Snapshot } from '../model/snapshot.ts';
import type { AccountState } from '../state/format.ts';
import { accountIdentity } from './accounts.ts';

/** Returns what the state file keeps of a snapshot. */
export function statesOf(accounts: readonly AccountConfig[], snapshot: Snapshot): readonly AccountState[] {
  return accounts.flatMap((account) => {
    const known = snapshot.accounts.find(({ name }) => name === account.name);
    if (known === undefined) return [];
    const money = known.balance.data ?? known.memory.money;
    return { identity: accountIdentity(account), money, devices: deviceMemories(known) };
  });
}

/** Yields the facts about devices that a restart would lose; of a device that comes twice, the last one counts. */
function* deviceMemories({ devices, memory }: AccountSnapshot): Generator<readonly [string, DeviceMemory]> {
  yield* memory.devices;
  for (const [id, { device, rentalStatusSince, rentalStatusSeconds }] of devices.data?.devices ?? []) {
    yield [id, { rentalStatus: device.rentalStatus, rentalStatusSince, rentalStatusSeconds }];
  }
}

/** Returns what the state file kept of the configured accounts, by name. */
export function memoriesOf(
  accounts: readonly AccountConfig[],
  states: readonly AccountState[],
): ReadonlyMap<string, Memory> {
  return new Map(
    accounts.flatMap((account) => {
      const state = states.find(({ identity }) => isDeepStrictEqual(identity, accountIdentity(account)));
      if (state === undefined) return [];
      return [[account.name, { devices: new Map(state.devices), money: state.money }] as const];
    }),
  );
}
