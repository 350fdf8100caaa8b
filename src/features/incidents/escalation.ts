import type { FeatureContext } from '../../daemon/feature.ts';
import type { Account, NamedAccount } from '../../model/account.ts';
import { type Incident, severityOf } from '../../model/incident.ts';
import { acknowledgementOf, factsOf, LOGBOOK } from './memory.ts';

/*
 * If nobody acknowledges a critical incident in time, it is escalated. The time passes by our own clock, even while nothing
 * can be polled, and setting a clock neither shortens nor extends it.
 */

type EscalationSources = {
  readonly accounts: () => readonly NamedAccount[];
  /** Returns the milliseconds after which an incident is escalated; undefined for never. */
  readonly escalateAfter: () => number | undefined;
  /** Returns the current time of an account, in milliseconds since 1970. */
  readonly timeOf: (account: string) => number;
} & Pick<FeatureContext, 'clock' | 'observe'>;

/** Returns a function that escalates incidents that are due, and takes back those that no longer are. */
export function createEscalation(sources: EscalationSources): () => Promise<void> {
  const { accounts, escalateAfter, timeOf, clock, observe } = sources;
  /** When each open incident was opened, by this machine's uptime. */
  let opened = new Map<string, number>();
  const ageOf = (name: string, { id, openedAt }: Incident, present: Map<string, number>): number => {
    const key = `${name} ${id} ${openedAt}`;
    const at = opened.get(key) ?? clock.uptime() - Math.max(0, timeOf(name) - openedAt);
    present.set(key, at);
    return clock.uptime() - at;
  };
  return async () => {
    const after = escalateAfter() ?? Number.POSITIVE_INFINITY;
    const present = new Map<string, number>();
    for (const { name, account } of accounts())
      for (const incident of account.incidents.open) {
        if (severityOf(incident) !== 'critical') continue;
        const isDue = ageOf(name, incident, present) >= after;
        const effect = escalationOf(account, incident, isDue);
        if (effect !== undefined) await observe(name, LOGBOOK.observation(effect));
      }
    opened = present;
  };
}

/** Returns the change to an incident; undefined if there is none. */
function escalationOf(account: Account, { id, openedAt }: Incident, isDue: boolean) {
  const facts = factsOf(account, id);
  const isEscalated = isDue && acknowledgementOf(facts, openedAt) === undefined;
  return isEscalated === (facts.isEscalated ?? false) ? undefined : { incident: id, isEscalated };
}
