import type { Clock } from '../clock.ts';
import type { MaintenanceRequest, MaintenanceSources } from '../http/maintenance.ts';
import { isOfAccount, matcherOf } from '../judgement/maintenance.ts';
import type { Log } from '../log.ts';
import type { MaintenanceWord } from '../model/maintenance.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import type { Judge } from '../poller/judge.ts';

/** Maximum number of requests that hold at a time. */
const MAX_WORDS = 100;

type MaintenanceOptions = {
  readonly snapshot: () => Snapshot;
  readonly judge: Judge;
  readonly clock: Pick<Clock, 'now'>;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly log: Log;
};

/** Takes maintenance requests at run time: each account of the scope observes them. */
export type RuntimeMaintenance = Pick<MaintenanceSources, 'start' | 'end'>;

export function createMaintenance({
  snapshot,
  judge,
  clock,
  random,
  log,
}: MaintenanceOptions): RuntimeMaintenance {
  return {
    start: async (request) => {
      const { accounts } = snapshot();
      const unknown = request.scope.accounts.find(
        (name) => !accounts.some((account) => account.name === name),
      );
      if (unknown !== undefined)
        return { expected: `an account that is configured (${accounts.map(({ name }) => name).join(', ')})` };
      const meant = accounts.filter(({ name }) => isOfAccount(request.scope, name));
      const covered = coveredBy(request, meant);
      if (covered.phones === 0) return { expected: 'groups or devices that some phone is in, or is called' };
      const words = new Set(accounts.flatMap(({ known }) => known.words.map(({ id }) => id)));
      if (words.size >= MAX_WORDS) return { expected: `at most ${MAX_WORDS} requests at a time: end some` };
      const id = Math.floor(random() * 36 ** 6)
        .toString(36)
        .padStart(6, '0');
      await Promise.all(
        meant.map((account) =>
          judge.observe({
            name: account.name,
            observation: { kind: 'word', word: wordOf(id, request, account, clock.now()) },
            poll: undefined,
          }),
        ),
      );
      const { scope, by, reason, until } = request;
      log.info(
        { id, by, reason, until: new Date(until).toISOString(), ...scope, ...covered },
        'maintenance begins',
      );
      return { id, ...covered };
    },
    end: async (id, by) => {
      const meant = snapshot().accounts.filter(({ known }) => known.words.some((word) => word.id === id));
      await Promise.all(
        meant.map(({ name }) =>
          judge.observe({ name, observation: { kind: 'word over', id }, poll: undefined }),
        ),
      );
      if (meant.length > 0) log.info({ id, by }, 'maintenance ends');
      return meant.length > 0;
    },
  };
}

/** Counts the phones that a request covers now. */
function coveredBy({ scope }: MaintenanceRequest, accounts: readonly AccountSnapshot[]) {
  const isMeant = matcherOf(scope);
  const entries = accounts.flatMap(({ known }) => [...(known.fleet?.devices.values() ?? [])].filter(isMeant));
  return { phones: entries.length, silent: entries.filter(({ silent }) => silent).length };
}

/** Returns a request as an account observes it, by the clock of its API. */
function wordOf(
  id: string,
  { scope, until, untilBack, reason, by }: MaintenanceRequest,
  { known, devices }: AccountSnapshot,
  now: number,
): MaintenanceWord {
  const { lastSuccessAt } = devices;
  const ahead =
    known.fleet === undefined || lastSuccessAt === undefined ? 0 : known.fleet.apiTime - lastSuccessAt;
  const startedAt = Math.round(Math.max(now + ahead, known.at ?? 0));
  return { id, scope, reason, by, startedAt, until: Math.round(until + ahead), untilBack, away: new Map() };
}
