import type { FleetDocument } from './document.ts';
import { createInstantFormat, durationText, freshnessOf, parseTime } from './freshness.ts';

/*
 * The fleet at an instant, and the age of its data.
 */

/** The fleet in the last response, with the time and the time zone of its owner. */
export type FleetView = {
  readonly fleet: FleetDocument;
  /** By the clock of the exporter, in milliseconds since 1970. */
  readonly now: number;
  /** Writes an instant in the owner's zone: `04:12` today, else `20 Nov 04:12`. */
  readonly time: (instant: number | string | undefined) => string;
};

export function timeIn(timeZone: string, now: number): FleetView['time'] {
  const { brief } = createInstantFormat(timeZone);
  return (instant) => {
    const at = typeof instant === 'string' ? parseTime(instant) : instant;
    return at === undefined ? 'an unknown time' : brief(at, now).replace(/^(\d\d:\d\d):\d\d$/, '$1');
  };
}

/** The age of the data. Stale data is true for the time in `asOf`; expired data is not shown. */
export type Trust = {
  readonly state: 'fresh' | 'stale' | 'expired';
  /** The age, and the reason why the data is not fresh. */
  readonly text: string;
  readonly why: string;
  readonly asOf: string;
};

/** Returns the age of the data of a view: that of its oldest account. */
export function trustOf({ fleet, now, time }: FleetView): Trust {
  const connection = { lastResponseAt: now, failure: undefined, failingSince: undefined };
  const format = { brief: time, full: time, zone: () => '' };
  const { learnedAt, notices } = freshnessOf(fleet, connection, now, format);
  const devices = fleet.accounts.map(({ readings }) => readings.devices);
  const age = learnedAt === undefined ? Number.POSITIVE_INFINITY : (now - learnedAt) / 1000;
  const isExpired = learnedAt === undefined || devices.some(({ state }) => state === 'expired');
  const isLate = age > 3 * fleet.exporter.pollSeconds.devices + 60;
  // Problems of phones do not depend on the balance.
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
export function narrowed(view: FleetView, accounts: readonly string[]): FleetView {
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

/** Accounts with data of the same age. `names` is empty if these are all accounts. */
export type AccountsView = FleetView & { readonly trust: Trust; readonly names: readonly string[] };

/** Separates accounts with fresh data from the others, and these by the problem of their data. */
export function partsOf(view: FleetView): readonly AccountsView[] {
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
