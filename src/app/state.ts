import type { AccountConfig } from '../config/schema.ts';
import type { AccountSnapshot, DeviceMemory, Memory, Snapshot } from '../model/snapshot.ts';
import type { AccountIdentity, AccountState } from '../state/format.ts';

/**
 * Returns what the state file keeps of a snapshot.
 *
 * @param isLast whether the process stops: only then the balance is kept, as an older one may have been compared already
 */
export function statesOf(
  accounts: readonly AccountConfig[],
  snapshot: Snapshot,
  isLast: boolean,
): readonly AccountState[] {
  return accounts.flatMap((account) => {
    const known = snapshot.accounts.find(({ name }) => name === account.name);
    if (known === undefined) return [];
    const lastAmounts = known.balance.data?.lastAmounts ?? known.memory.lastAmounts;
    return {
      identity: identityOf(account),
      lastAmounts: isLast ? lastAmounts : undefined,
      left: known.devices.data?.left ?? known.memory.left,
      devices: deviceMemories(known),
    };
  });
}

/** Yields the facts about devices that a restart would lose; of a device that comes twice, the last one counts. */
function* deviceMemories({
  devices,
  judgement,
  memory,
}: AccountSnapshot): Generator<readonly [string, DeviceMemory]> {
  yield* memory.devices;
  for (const [id, { device, rentalStatusSince, rhythm }] of devices.data?.devices ?? []) {
    const problem = judgement?.problems.get(id);
    yield [id, { rentalStatus: device.rentalStatus, rentalStatusSince, rhythm, problem }];
  }
}

/** The kept state by configured account, and the names of accounts in the file that are not configured like that. */
type MatchedState = {
  readonly memories: ReadonlyMap<string, Memory>;
  readonly unmatched: readonly string[];
};

/** Matches the accounts of the state file with the configured ones, by name and address. */
export function matchState(
  accounts: readonly AccountConfig[],
  states: readonly AccountState[],
): MatchedState {
  const configured = new Set(accounts.map((account) => keyOf(identityOf(account))));
  const matching = states.filter(({ identity }) => configured.has(keyOf(identity)));
  return {
    memories: new Map(
      matching.map(({ identity, devices, left, lastAmounts }) => [
        identity.name,
        { devices: new Map(devices), left: new Map(left), lastAmounts },
      ]),
    ),
    unmatched: states.filter((state) => !matching.includes(state)).map(({ identity }) => identity.name),
  };
}

function identityOf({ name, apiUrl }: AccountConfig): AccountIdentity {
  return { name, apiUrl: apiUrl.href };
}

function keyOf({ name, apiUrl }: AccountIdentity): string {
  return JSON.stringify([name, apiUrl]);
}
