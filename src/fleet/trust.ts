import type { FleetDocument } from './document.ts';
import { createInstantFormat, durationText, freshnessOf, parseTime } from './freshness.ts';

/*
 * The fleet as an owner sees it at an instant, and how far its data can be trusted.
 */

/** The fleet of the last answer, with the time and the time zone of its owner. */
export type View = {
  readonly fleet: FleetDocument;
  /** By the clock of the exporter, in milliseconds since 1970. */
  readonly now: number;
  /** Writes an instant in the owner's zone: `04:12` today, else `20 Nov 04:12`. */
  readonly time: (instant: number | string | undefined) => string;
};

export function timeIn(timeZone: string, now: number): View['time'] {
  const { brief } = createInstantFormat(timeZone);
  return (instant) => {
    const at = typeof instant === 'string' ? parseTime(instant) : instant;
    return at === undefined ? 'an unknown time' : brief(at, now).replace(/^(\d\d:\d\d):\d\d$/, '$1');
  };
}

/** The age of the data: fresh data says what holds now, held data what held at `asOf`, expired data nothing. */
export type Trust = {
  readonly state: 'fresh' | 'stale' | 'expired';
  /** The age, and why the data is not fresh. */
  readonly text: string;
  readonly why: string;
  readonly asOf: string;
};

/** Returns how far the data of a view can be trusted: as far as that of its oldest account. */
export function trustOf({ fleet, now, time }: View): Trust {
  const connection = { lastResponseAt: now, failure: undefined, failingSince: undefined };
  const format = { brief: time, full: time, zone: () => '' };
  const { learnedAt, notices } = freshnessOf(fleet, connection, now, format);
  const devices = fleet.accounts.map(({ readings }) => readings.devices);
  const age = learnedAt === undefined ? Number.POSITIVE_INFINITY : (now - learnedAt) / 1000;
  const isExpired = learnedAt === undefined || devices.some(({ state }) => state === 'expired');
  const isLate = age > 3 * fleet.exporter.pollSeconds.devices + 60;
  // What is wrong with phones does not depend on the balance.
  const isTrusted = notices.every(({ about }) => about === 'balance');
  const isFresh = devices.every(({ state }) => state === 'fresh') && isTrusted && !isLate;
  const failures = devices.flatMap(({ failureText }) => failureText?.replace(/\.$/, '') ?? []);
  const why = [...new Set([...notices.map(({ title }) => title), ...failures])];
  const old = learnedAt === undefined ? 'none yet' : `${durationText(age)} old`;
  return {
    state: isExpired ? 'expired' : isFresh ? 'fresh' : 'stale',
    text: [old, ...why].join('. '),
    why: why.join('. '),
    asOf: isFresh ? '' : `At ${time(learnedAt)}: `,
  };
}

/** Narrows a view to some accounts. */
export function narrowed(view: View, accounts: readonly string[]): View {
  const names = new Set(accounts);
  const own = ({ account }: { readonly account: string }) => names.has(account);
  const { phones, incidents, causes } = view.fleet;
  const ownPhones = phones.filter(own);
  const causeIds = new Set(ownPhones.map(({ cause }) => cause));
  return {
    ...view,
    fleet: {
      ...view.fleet,
      accounts: view.fleet.accounts.filter(({ name }) => names.has(name)),
      phones: ownPhones,
      incidents: incidents.filter(own),
      causes: causes.filter(({ id }) => causeIds.has(id)),
    },
  };
}

/** Accounts whose data has one age. `names` is empty where all accounts have it. */
export type AccountsView = View & { readonly trust: Trust; readonly names: readonly string[] };

/** Separates accounts with fresh data from the others, and these by what is wrong with their data. */
export function partsOf(view: View): readonly AccountsView[] {
  const groups = new Map<string, readonly string[]>();
  for (const account of view.fleet.accounts) {
    const { state, why } = trustOf({ ...view, fleet: { ...view.fleet, accounts: [account] } });
    const key = state === 'fresh' ? state : `${state} ${why}`;
    groups.set(key, [...(groups.get(key) ?? []), account.name]);
  }
  const fresh = groups.get('fresh') ?? [];
  const some = [fresh, ...groups.values()].filter(
    (group, at) => group.length > 0 && (at === 0 || group !== fresh),
  );
  if (some.length < 2) return [{ ...view, trust: trustOf(view), names: [] }];
  return some.map((names) => {
    const part = narrowed(view, names);
    return { ...part, trust: trustOf(part), names };
  });
}
