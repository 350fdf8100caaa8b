import { isDeepStrictEqual } from 'node:util';
import { causesAfter, causesOfAccount } from '../alerts/causes.ts';
import { incidentsAfter } from '../alerts/incidents.ts';
import type { Clock } from '../base/clock.ts';
import { inSteps, type Steps } from '../base/steps.ts';
import { type StepSettings, step } from '../judge/step.ts';
import type { Account } from '../model/account.ts';
import type { FleetEvent } from '../model/event.ts';
import type { Observation, OwnClocks } from '../model/observation.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { eventsBetween } from './events.ts';
import type { PolledAccount, Store } from './store.ts';

/** An observation of an account, and the poll that made it. */
export type Observed = {
  readonly name: string;
  readonly observation: Observation;
  /** Undefined for data that is fetched between two polls. */
  readonly poll: PolledAccount | undefined;
};

/** Changes accounts by observations, and puts the result into the store. */
export type Judge = {
  /**
   * Takes an observation, and resolves when the snapshot contains its effects. Observations that arrive in the meantime are
   * judged together, so accounts polled at the same time make one snapshot. Rejects if the account could not be judged. It
   * then stays as it was, and other accounts are not affected.
   */
  readonly observe: (observed: Observed) => Promise<void>;
};

export type JudgeSettings = Omit<StepSettings, 'balanceLowCents' | 'currency'>;

type JudgeOptions = {
  readonly store: Pick<Store, 'snapshot' | 'takeJudged' | 'takeRenamed'>;
  readonly settings: (account: string) => JudgeSettings;
  /** Called with the events between two judgements. */
  readonly onEvents: (events: readonly FleetEvent[]) => void;
  /** Called when an account turns out to be one that had another name. */
  readonly onRenamed?: (account: string, earlier: string) => void;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly clock: Pick<Clock, 'now' | 'uptime'>;
};

export function createJudge(options: JudgeOptions): Judge {
  const { store, settings, onEvents, onRenamed, yieldToEventLoop, clock } = options;
  /** When each account was last listed, by the machine's uptime. */
  const listedAt = new Map<string, number>();
  const ownClocks = (name: string): OwnClocks => {
    const before = listedAt.get(name);
    const sinceList = before === undefined ? undefined : Math.round(clock.uptime() - before);
    return { wall: clock.now(), sinceList };
  };
  let waiting: readonly Observed[] = [];
  let next: Promise<Failures> | undefined;
  let judging: Promise<unknown> = Promise.resolve();

  const judgeTogether = async (): Promise<Failures> => {
    // Observations in the same turn of the event loop are judged together.
    await yieldToEventLoop();
    const observed = waiting;
    waiting = [];
    next = undefined;
    for (const { name, observation } of observed) {
      const earlier = observation.kind === 'list' && store.takeRenamed(name, observation.devices);
      if (earlier) onRenamed?.(name, earlier);
    }
    const before = store.snapshot();
    const failures = new Map<string, unknown>();
    const attempt = async <Result>(
      names: readonly string[],
      steps: () => Steps<Result>,
      otherwise: Result,
    ): Promise<Result> => {
      try {
        return await inSteps(steps(), yieldToEventLoop);
      } catch (error) {
        for (const name of names) failures.set(name, error);
        return otherwise;
      }
    };
    const accounts: NamedChange[] = [];
    for (const { name, known, balanceLowCents, currency } of before.accounts) {
      const inForce = { ...settings(name), balanceLowCents, currency };
      const own = observed.filter((each) => each.name === name);
      const account = await attempt([name], () => stepEach(known, own, inForce, ownClocks(name)), known);
      if (account.fleet !== known.fleet) listedAt.set(name, clock.uptime());
      accounts.push({ name, before: known, account, balanceLowCents });
    }
    const isJudged = accounts.some((each) => each.account.judgement !== each.before.judgement);
    const failed = new Set(failures.keys());
    const causes = isJudged
      ? await attempt(
          observed.map(({ name }) => name),
          () => causesAfter(accounts, before.causes),
          before.causes,
        )
      : before.causes;
    const changes: NamedChange[] = [];
    for (const each of accounts) {
      const { name, balanceLowCents } = each;
      const account = withCauses(each.account, causesOfAccount(causes, name));
      const isSame = account === each.before && causes === before.causes;
      const incidents = isSame
        ? account.incidents
        : await attempt(
            [name],
            () => incidentsAfter({ name, account }, each.before.fleet, causes, balanceLowCents),
            account.incidents,
          );
      changes.push({
        ...each,
        account: incidents === account.incidents ? account : { ...account, incidents },
      });
    }
    const events = changes.flatMap((each) =>
      eventsBetween(
        { name: each.name, account: each.before, polledAt: polledAt(before, each.name) },
        { name: each.name, account: each.account, polledAt: polledAt(before, each.name, observed) },
      ),
    );
    store.takeJudged({
      accounts: changes,
      causes,
      events,
      polls: observed.flatMap(({ name, poll }) => (failed.has(name) ? [] : (poll ?? []))),
    });
    onEvents(events);
    return failures;
  };
  return {
    observe: async (observed) => {
      waiting = [...waiting, observed];
      if (next === undefined) {
        next = judging.then(judgeTogether);
        // Callers get the failure. The next judgement takes place anyway.
        judging = next.catch(() => {});
      }
      const failures = await next;
      if (failures.has(observed.name)) throw failures.get(observed.name);
    },
  };
}

/** Returns a list with the time since the last one. A reload may have changed the poller and its schedule. */
function withElapsed(observation: Observation, sinceList: number | undefined): Observation {
  if (observation.kind !== 'list' || observation.times.elapsed !== undefined) return observation;
  return { ...observation, times: { ...observation.times, elapsed: sinceList } };
}

/** Errors of a judgement, by account. */
type Failures = ReadonlyMap<string, unknown>;

function* stepEach(
  known: Account,
  observed: readonly Observed[],
  settings: StepSettings,
  own: OwnClocks,
): Steps<Account> {
  let account = known;
  for (const { observation } of observed) {
    const sinceList = account.fleet === known.fleet ? own.sinceList : 0;
    account = yield* step(account, withElapsed(observation, sinceList), settings, { ...own, sinceList });
  }
  return account;
}

type NamedChange = {
  readonly name: string;
  readonly before: Account;
  readonly account: Account;
  readonly balanceLowCents: number | undefined;
};

function withCauses(account: Account, causes: Account['causes']): Account {
  return isDeepStrictEqual(causes, account.causes) ? account : { ...account, causes };
}

/** Returns when the devices of an account were last listed, by our own clock. */
function polledAt(
  { accounts }: Snapshot,
  name: string,
  observed: readonly Observed[] = [],
): number | undefined {
  const poll = observed.findLast((each) => each.name === name && each.poll?.collector === 'devices')?.poll;
  return (
    poll?.polled.lastSuccessAt ?? accounts.find((account) => account.name === name)?.devices.lastSuccessAt
  );
}
