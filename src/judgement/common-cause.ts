import type { NamedAccount } from '../model/account.ts';
import {
  type AccountCause,
  CAUSE_KINDS,
  type CauseKind,
  type Causes,
  type CommonCause,
  type ExplainedCause,
} from '../model/cause.ts';
import { type FoundCause, MIN_DEVICES, searchCauses } from './cause-search.ts';
import { NONE, readVotes, type Stop, type Votes } from './cause-votes.ts';
import type { Steps } from './steps.ts';

/** A cause ends when this share of the largest number of its devices is silent, or less. */
const ENDING_SHARE = 0.5;

/** Minimum share of the devices with its value that a cause explains after it grows: later ones may have another reason. */
const MIN_GROWN_SHARE = 0.5;

/**
 * Returns the causes after a poll. The search sees the present only; what was shown before is kept here.
 *
 * 1. A cause that was shown keeps its devices while they are silent.
 * 2. A cause that is found is shown when two polls agree, and at once in the first list of an account. It takes over
 *    narrower ones whose devices it explains.
 * 3. A cause grows by devices of its value that stop later, and ends when half of its devices are back.
 */
export function* trackCauses(accounts: readonly NamedAccount[], before: Causes): Steps<Causes> {
  const leftOver = stillSilent(before.leftOver, accounts);
  const votes = yield* readVotes(accounts, leftOver);
  yield;
  const causes = continueCauses(accounts, before.shown, votes);
  const found = yield* searchCauses(votes, (cause) => causes.has(nameOf(cause)));
  const candidates = addFound(causes, found, confirmation(accounts, before));
  const tracked = [...causes.values(), ...candidates];
  const own = new Map<string, number>();
  for (const kind of kindsOf(tracked)) {
    yield;
    countOwn(kind, votes, tracked, own);
  }
  yield;
  growCauses(causes, votes, own);
  const lasting: TrackedCause[] = [];
  for (const cause of causes.values()) {
    if (cause.stops.length > ENDING_SHARE * cause.most) lasting.push(cause);
    else
      for (const { account, id } of cause.stops)
        leftOver.set(account, [...(leftOver.get(account) ?? []), id]);
  }
  yield;
  const explain = explanation(votes, lasting, own);
  return {
    shown: lasting.map(explain),
    candidates: candidates.map(explain),
    leftOver,
    listedAt: new Map(
      accounts.flatMap(({ name, account: { fleet } }) =>
        fleet === undefined ? [] : [[name, fleet.apiTime]],
      ),
    ),
  };
}

/** Returns the causes that are shown of one account. */
export function causesOfAccount({ shown }: Causes, account: string): readonly AccountCause[] {
  return shown.flatMap(({ cause, deviceIds }) => {
    const own = deviceIds.get(account);
    return own === undefined ? [] : [{ cause, deviceIds: own }];
  });
}

/** A cause while it is updated. */
type TrackedCause = Pick<CommonCause, 'kind' | 'value' | 'startAt' | 'ownDevices'> &
  Pick<ExplainedCause, 'id' | 'most'> & { readonly stops: Stop[] };

/** Causes by their names: a value is at most one cause. */
type TrackedCauses = Map<string, TrackedCause>;

function nameOf({ kind, value }: Pick<CommonCause, 'kind' | 'value'>): string {
  return `${kind} ${value}`;
}

/** Returns those of some devices that are still silent. */
function stillSilent(
  devices: Causes['leftOver'],
  accounts: readonly NamedAccount[],
): Map<string, readonly string[]> {
  const silent = new Map<string, readonly string[]>();
  for (const { name, account } of accounts) {
    const ids = devices.get(name)?.filter((id) => account.fleet?.devices.get(id)?.silent === true) ?? [];
    if (ids.length > 0) silent.set(name, ids);
  }
  return silent;
}

/** Returns the causes that were shown, each with those of its devices that are still silent. */
function continueCauses(
  accounts: readonly NamedAccount[],
  shown: readonly ExplainedCause[],
  { stops: stopped }: Votes,
): TrackedCauses {
  const causes: TrackedCauses = new Map();
  if (shown.length === 0) return causes;
  const silent = new Map<string, Map<string, Stop>>(accounts.map(({ name }) => [name, new Map()]));
  for (const stop of stopped) if (stop.isSilent) silent.get(stop.account)?.set(stop.id, stop);
  for (const { id, cause, deviceIds, most: known } of shown) {
    const stops: Stop[] = [];
    let configured = 0;
    for (const [account, ids] of deviceIds) {
      const ofAccount = silent.get(account);
      if (ofAccount === undefined) continue;
      configured += ids.length;
      for (const device of ids) {
        const stop = ofAccount.get(device);
        if (stop !== undefined) stops.push(stop);
      }
    }
    // Devices of an account that was removed are not back.
    const most = configured < cause.devices ? configured : known;
    const { kind, startAt, ownDevices } = cause;
    const value = kind === 'group' ? renamed(cause.value, stops) : cause.value;
    const same = causes.get(nameOf({ kind, value }));
    if (same === undefined)
      causes.set(nameOf({ kind, value }), { id, kind, value, startAt, ownDevices, most, stops });
    else causes.set(nameOf(same), { ...same, stops: [...same.stops, ...stops], most: same.most + most });
  }
  return causes;
}

/** Returns the group of all devices of a cause, which a new configuration may name otherwise. */
function renamed(group: string, stops: readonly Stop[]): string {
  const groups = new Set(stops.map(({ entry }) => entry.group));
  const [only = NONE] = groups;
  return groups.size === 1 && only !== NONE ? only : group;
}

/** Adds what was found to the causes if it is confirmed, and returns the others. */
function addFound(
  causes: TrackedCauses,
  found: readonly FoundCause[],
  isConfirmed: (cause: FoundCause) => boolean,
): readonly TrackedCause[] {
  const isShown = (each: FoundCause): boolean =>
    causes.has(nameOf(each)) || (!each.isOpen && each.stops.length >= MIN_DEVICES && isConfirmed(each));
  const shown = found.filter(isShown);
  removeNarrower(causes, found, shown);
  const explained = new Set([...causes.values()].flatMap(({ stops }) => stops));
  const candidates: TrackedCause[] = [];
  for (const each of found) {
    const stops = each.stops.filter((stop) => !explained.has(stop));
    if (stops.length === 0) continue;
    const known = causes.get(nameOf(each));
    if (!shown.includes(each) || (known === undefined && stops.length < MIN_DEVICES)) {
      candidates.push(begin(each, stops));
      continue;
    }
    for (const stop of stops) explained.add(stop);
    if (known === undefined) causes.set(nameOf(each), begin(each, stops));
    else known.stops.push(...stops);
  }
  return candidates;
}

/** Removes the causes that are found no more, and most of whose devices wider ones explain. */
function removeNarrower(
  causes: TrackedCauses,
  found: readonly FoundCause[],
  shown: readonly FoundCause[],
): void {
  const names = new Set(found.map(nameOf));
  const owners = new Map<Stop, FoundCause>();
  for (const each of shown) for (const stop of each.stops) owners.set(stop, each);
  for (const [name, { stops, ownDevices }] of causes) {
    if (names.has(name)) continue;
    const wider = stops.flatMap((stop) => owners.get(stop) ?? []);
    const devices = [...new Set(wider)].reduce((sum, each) => sum + each.ownDevices, 0);
    if (2 * wider.length > stops.length && devices > ownDevices) causes.delete(name);
  }
}

function begin({ kind, value, ownDevices }: FoundCause, stops: readonly Stop[]): TrackedCause {
  const startAt = stops.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY);
  return {
    id: JSON.stringify([kind, value, startAt]),
    kind,
    value,
    startAt,
    ownDevices,
    most: 0,
    stops: [...stops],
  };
}

/** Returns a function that tells whether a cause that was found is shown: another poll found it before, or none could. */
function confirmation(accounts: readonly NamedAccount[], before: Causes): (cause: FoundCause) => boolean {
  const known = before.listedAt;
  const polled = new Set<string>();
  for (const { name, account } of accounts) if (account.fleet?.apiTime !== known.get(name)) polled.add(name);
  const candidates = new Set(before.candidates.map(({ cause }) => nameOf(cause)));
  return (found) =>
    found.stops.some(
      ({ account }) => !known.has(account) || (candidates.has(nameOf(found)) && polled.has(account)),
    );
}

function kindsOf(causes: readonly TrackedCause[]): readonly CauseKind[] {
  return CAUSE_KINDS.filter((kind) => causes.some((cause) => cause.kind === kind));
}

/** Counts the devices that have a vote and the value of each cause of a kind. */
function countOwn(
  kind: CauseKind,
  { stops, reporting, readValue }: Votes,
  causes: readonly TrackedCause[],
  own: Map<string, number>,
): void {
  const counts = new Map<string, number>();
  for (const cause of causes) if (cause.kind === kind) counts.set(cause.value, 0);
  for (const voters of [stops, reporting]) {
    for (const voter of voters) {
      const value = readValue(kind, voter);
      const count = counts.get(value);
      if (count !== undefined) counts.set(value, count + 1);
    }
  }
  for (const [value, count] of counts) own.set(nameOf({ kind, value }), count);
}

/** Adds the devices that stopped after the start of a cause with their value. */
function growCauses(causes: TrackedCauses, { stops }: Votes, own: ReadonlyMap<string, number>): void {
  const explained = new Set([...causes.values()].flatMap((cause) => cause.stops));
  for (const kind of kindsOf([...causes.values()])) {
    const more = new Map<TrackedCause, Stop[]>();
    for (const stop of stops) {
      if (!stop.isSilent || explained.has(stop)) continue;
      const cause = causes.get(nameOf({ kind, value: stop.values[kind] }));
      if (cause === undefined || stop.until < cause.startAt) continue;
      const added = more.get(cause) ?? [];
      added.push(stop);
      more.set(cause, added);
    }
    for (const [cause, added] of more) {
      if (cause.stops.length + added.length < MIN_GROWN_SHARE * (own.get(nameOf(cause)) ?? 0)) continue;
      cause.stops.push(...added);
      for (const stop of added) explained.add(stop);
    }
  }
}

/** Returns a function that tells what is known of a cause. */
function explanation(
  { stops }: Votes,
  shown: readonly TrackedCause[],
  counts: ReadonlyMap<string, number>,
): (cause: TrackedCause) => ExplainedCause {
  const explained = new Set(shown.flatMap((cause) => cause.stops));
  const alone = stops.filter((stop) => stop.isSilent && !explained.has(stop));
  return (tracked) => {
    const { id, kind, value, startAt, most } = tracked;
    const deviceIds = new Map<string, string[]>();
    for (const stop of tracked.stops) {
      const ids = deviceIds.get(stop.account) ?? [];
      ids.push(stop.id);
      deviceIds.set(stop.account, ids);
    }
    const endAt = tracked.stops.reduce((last, { from }) => Math.max(last, from), startAt);
    const own = new Set(tracked.stops);
    const others = alone.filter((stop) => stop.from <= endAt && stop.until >= startAt && !own.has(stop));
    return {
      id,
      cause: {
        kind,
        value,
        devices: tracked.stops.length,
        sold: tracked.stops.filter(({ entry }) => entry.device.rentalStatus === 'sold').length,
        ownDevices: counts.get(nameOf(tracked)) ?? 0,
        others: others.length,
        startAt,
        endAt,
      },
      deviceIds,
      most: Math.max(most, tracked.stops.length),
    };
  };
}
