import type { FeatureContext } from '../../daemon/feature.ts';
import type { NamedAccount } from '../../model/account.ts';
import { severityOf } from '../../model/incident.ts';
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
  let opened: ReadonlyMap<string, number> = new Map();
  return async () => {
    const after = escalateAfter() ?? Number.POSITIVE_INFINITY;
    const present = new Map<string, number>();
    for (const { name, account } of accounts())
      for (const incident of account.incidents.open) {
        if (severityOf(incident) !== 'critical') continue;
        const { id, openedAt } = incident;
        const key = `${name} ${id} ${openedAt}`;
        const at = opened.get(key) ?? clock.uptime() - Math.max(0, timeOf(name) - openedAt);
        present.set(key, at);
        const facts = factsOf(account, id);
        const isFree = acknowledgementOf(facts, openedAt) === undefined;
        const isEscalated = isFree && clock.uptime() - at >= after;
        if (isEscalated !== (facts.isEscalated ?? false))
          await observe(name, LOGBOOK.observation({ incident: id, isEscalated }));
      }
    opened = present;
  };
}
