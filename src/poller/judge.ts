import { isDeepStrictEqual } from 'node:util';
import { causesOfAccount, trackCauses } from '../judgement/common-cause.ts';
import { eventsBetween, type Judged } from '../judgement/events.ts';
import { judgeDevices, type ProblemSettings } from '../judgement/problems.ts';
import { inSteps } from '../judgement/steps.ts';
import type { FleetEvent } from '../model/event.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import type { AccountChange, Store } from './store.ts';

/** Judges what polls learned, and puts data and judgement into the store together. */
export type Judge = {
  /**
   * Changes the data of an account, and resolves when the snapshot shows it with its judgement. Changes that come while
   * another one is judged are judged together, so that accounts that are polled at the same time make one snapshot.
   */
  readonly submit: (account: string, change: AccountChange) => Promise<void>;
};

type JudgeOptions = {
  readonly store: Pick<Store, 'snapshot' | 'change'>;
  /** Returns the settings in force. */
  readonly settings: () => ProblemSettings;
  /** Is called with what happened between two judgements. */
  readonly onEvents: (events: readonly FleetEvent[]) => void;
  readonly yieldToEventLoop: () => Promise<void>;
};

/** A change of the account of this name. */
type Change = { readonly name: string; readonly change: AccountChange };

/** Maximum number of events of a snapshot. */
const MAX_EVENTS = 100;

export function createJudge({ store, settings, onEvents, yieldToEventLoop }: JudgeOptions): Judge {
  let waiting: readonly Change[] = [];
  let next: Promise<void> | undefined;
  let judging = Promise.resolve();

  const judgeTogether = async (): Promise<void> => {
    // Polls that ended in the same turn are judged together.
    await yieldToEventLoop();
    const changes = waiting;
    waiting = [];
    next = undefined;
    const before = store.snapshot();
    const judged = await judgeSnapshot(before, changes, settings(), yieldToEventLoop);
    const { events, toldSilent } = eventsBetween(before, judged);
    store.change((latest) => ({
      // An account may have changed meanwhile: polls failed, or a reload replaced it.
      accounts: latest.accounts.map((account) =>
        withJudgement(applyChanges(account, changes), judged.accounts, toldSilent),
      ),
      causes: judged.causes,
      events: [...latest.events, ...events].slice(-MAX_EVENTS),
    }));
    onEvents(events);
  };
  return {
    submit: async (name, change) => {
      waiting = [...waiting, { name, change }];
      if (next === undefined) {
        next = judging.then(judgeTogether);
        // Its callers are told of a failure; the next judgement takes place all the same.
        judging = next.catch(() => {});
      }
      await next;
    },
  };
}

/** Returns the accounts after changes of their data, with a judgement of those that changed and the causes of all. */
async function judgeSnapshot(
  before: Snapshot,
  changes: readonly Change[],
  settings: ProblemSettings,
  yieldToEventLoop: () => Promise<void>,
): Promise<Judged> {
  const accounts: AccountSnapshot[] = [];
  let isJudged = false;
  for (const known of before.accounts) {
    const account = applyChanges(known, changes);
    const fleet = account.devices.data;
    if (fleet === undefined || isSameData(account, known)) {
      accounts.push(account);
      continue;
    }
    const input = {
      fleet,
      tunnels: account.tunnels.data,
      previous: known.judgement,
      remembered: known.memory.devices,
    };
    accounts.push({ ...account, judgement: await inSteps(judgeDevices(input, settings), yieldToEventLoop) });
    isJudged = true;
  }
  if (!isJudged) return { accounts, causes: before.causes };
  const causes = await inSteps(trackCauses(accounts, before.causes), yieldToEventLoop);
  return {
    accounts: accounts.map((account) => {
      const own = causesOfAccount(causes, account.name);
      return isDeepStrictEqual(own, account.causes) ? account : { ...account, causes: own };
    }),
    causes,
  };
}

function applyChanges(account: AccountSnapshot, changes: readonly Change[]): AccountSnapshot {
  return changes.reduce(
    (changed, { name, change }) => (name === account.name ? change(changed) : changed),
    account,
  );
}

/** Returns an account with the judgement of the same data; a reload may have dropped that, or it is not judged. */
function withJudgement(
  account: AccountSnapshot,
  judged: readonly AccountSnapshot[],
  toldSilent: ReadonlyMap<string, ReadonlySet<string>>,
): AccountSnapshot {
  const same = judged.find(({ name }) => name === account.name);
  if (same === undefined || !isSameData(account, same)) return account;
  const { judgement, causes } = same;
  return { ...account, judgement, causes, toldSilent: toldSilent.get(account.name) ?? account.toldSilent };
}

/** Tells whether two snapshots of an account hold the same devices and tunnels, so that they are judged alike. */
function isSameData(one: AccountSnapshot, other: AccountSnapshot): boolean {
  return one.devices.data === other.devices.data && one.tunnels.data === other.tunnels.data;
}
