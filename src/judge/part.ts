import type { Steps } from '../base/steps.ts';
import type { Account } from '../model/account.ts';
import type { Observation } from '../model/observation.ts';

/*
 * A part of an account's memory: a typed field that a feature defines. Observations change it, and the state file keeps it.
 * The core updates the parts listed in its settings.
 */

/** An account before and after an observation. */
export type Change<Effect> = {
  readonly observation: Observation;
  readonly before: Account;
  readonly after: Account;
  /** Set only by an observation of this part. */
  readonly effect: Effect | undefined;
};

type PartSpec<Value, Effect, Settings> = {
  /** Name in the state file, unique among all parts. */
  readonly name: string;
  readonly create: () => Value;
  /**
   * Returns the value after a device list or an effect, before the devices are judged, for parts that the judgement depends
   * on. `after` contains the new fleet and the previous judgement.
   */
  readonly prepare?: (value: Value, change: Change<Effect>, settings: Settings) => Value;
  /** Returns the value after any observation, once the devices have been judged. */
  readonly update?: (value: Value, change: Change<Effect>, settings: Settings) => Steps<Value>;
};

/** A part with its settings, as the core sees it. */
export type BoundPart = {
  readonly prepare: (change: Omit<Change<never>, 'effect'>) => Account;
  readonly update: (change: Omit<Change<never>, 'effect'>) => Steps<Account>;
};

export type Part<Value, Effect, Settings> = {
  readonly of: (account: Account) => Value;
  readonly with: (account: Account, value: Value) => Account;
  /** Returns an observation that concerns only this part. */
  readonly observation: (effect: Effect) => Observation;
  readonly bind: (settings: Settings) => BoundPart;
};

/** Defines a part of the memory. */
export function definePart<Value, Effect = never, Settings = undefined>({
  name,
  create,
  prepare,
  update,
}: PartSpec<Value, Effect, Settings>): Part<Value, Effect, Settings> {
  const initial = create();
  const valueIn = ({ parts }: Account): Value => {
    const value = parts[name];
    return isOwn<Value>(value) ? value : initial;
  };
  const withValue = (account: Account, value: Value): Account =>
    value === valueIn(account) ? account : { ...account, parts: { ...account.parts, [name]: value } };
  const effectOf = (observation: Observation): Effect | undefined => {
    if (observation.kind !== 'part' || observation.part !== name) return undefined;
    return isOwn<Effect>(observation.effect) ? observation.effect : undefined;
  };
  return {
    of: valueIn,
    with: withValue,
    observation: (effect) => ({ kind: 'part', part: name, effect }),
    bind: (settings) => ({
      prepare: (change) => {
        const effect = effectOf(change.observation);
        const { after } = change;
        return prepare === undefined
          ? after
          : withValue(after, prepare(valueIn(after), { ...change, effect }, settings));
      },
      *update(change) {
        const effect = effectOf(change.observation);
        const { after } = change;
        return update === undefined
          ? after
          : withValue(after, yield* update(valueIn(after), { ...change, effect }, settings));
      },
    }),
  };
}

/** Only the part itself stores anything under its name. */
function isOwn<Own>(value: unknown): value is Own {
  return value !== undefined;
}
