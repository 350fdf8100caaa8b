import { finish } from '../../../src/base/steps.ts';
import { step } from '../../../src/judge/step.ts';
import { NEW_ACCOUNT, type SavedAccount, type SavedState } from '../../../src/model/account.ts';
import { NO_CAUSES } from '../../../src/model/cause.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { encodeState } from '../../../src/state/codec.ts';
import type { Writer } from '../../../src/state/file.ts';
import { bareDevice, healthyDevice, NOON, STEP_SETTINGS, tunnelOf } from '../../builders.ts';
import { listObservation } from '../list-observation.ts';

const MINUTE = 60_000;

const rented = bareDevice({ id: 'phone-2', rentalStatus: 'self_rented', rentalId: 'rental-1' });
const sold = healthyDevice({ lastHeartbeatAt: NOON - 20 * MINUTE });

const OBSERVATIONS: readonly Observation[] = [
  listObservation([sold, rented, bareDevice({ id: 'phone-3' })], NOON, 30_000, undefined),
  {
    kind: 'tunnels',
    results: new Map([['phone-2', { tunnel: tunnelOf(), apiTime: NOON }]]),
    round: { elapsed: undefined, dueIn: MINUTE, slack: MINUTE },
    apiTime: NOON,
  },
  {
    kind: 'balance',
    elapsed: undefined,
    balance: { availableCents: 12_345, pendingCents: -5, totalCents: undefined },
    apiTime: NOON,
  },
  listObservation([sold, rented], NOON + MINUTE, 30_000, MINUTE),
  { kind: 'failure', elapsed: undefined, collector: 'balance', reason: 'timeout', at: NOON + MINUTE },
];

/** An account about which everything that can be kept is known. */
export const MAIN: SavedAccount = {
  identity: { name: 'main', apiUrl: 'https://api.example.com/' },
  goneAt: undefined,
  account: OBSERVATIONS.reduce(
    (known, observation) => finish(step(known, observation, STEP_SETTINGS)),
    NEW_ACCOUNT,
  ),
};

/** An account about which nothing is known, and which is no longer configured. */
export const EMPTY: SavedAccount = {
  identity: { name: 'empty', apiUrl: 'http://127.0.0.1:9824/' },
  goneAt: NOON,
  account: NEW_ACCOUNT,
};

export const STATE: SavedState = { accounts: [MAIN, EMPTY], causes: NO_CAUSES };

export const WRITER: Writer = { host: 'nas', pid: 42, program: '/opt/hoster-exporter/main.js' };

export function textOf(state: SavedState): string {
  return [...encodeState(state, WRITER, NOON)].join('');
}
