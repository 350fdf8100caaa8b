import type { Steps } from '../base/steps.ts';
import type { Account, NamedAccount } from '../model/account.ts';
import {
  type AccountCause,
  type Cause,
  type CauseKind,
  type Causes,
  type CommonCause,
  isOver,
  isShown,
  ownKind,
  shownValue,
} from '../model/cause.ts';
import { addTo } from '../model/enums.ts';
import { type FoundCause, findCauses, MIN_DEVICES } from './cause-search.ts';
import { hasVote, NONE, readVotes, type Stopped, type Votes, valueOfKind } from './cause-votes.ts';

/*
 * Common causes of offline devices. The search (cause-search.ts) sees only the present; this file merges its results with
 * the known causes. coverage.ts opens the incidents of causes.
 */

/** An account after a judgement, and before it if that matters. */
type AccountUpdate = NamedAccount & { readonly before?: Account };

/** Minimum share of the devices with its value that a grown cause explains: later devices may have another cause. */
const MIN_GROWN_SHARE = 0.5;

/**
 * Returns the causes after a poll.
 *
 * 1. A cause that was shown keeps its devices while they are offline.
 * 2. A new cause is shown when two polls agree, or at once if no earlier poll could have found it. It replaces narrower
 *    ones whose devices it explains.
 * 3. A cause grows when more devices with its value stop, and ends when half of its devices are back.
 */
export function* causesAfter(accounts: readonly AccountUpdate[], before: Causes): Steps<Causes> {
  const over = before.list.filter(isOver).flatMap((cause) => stillOffline(cause, accounts) ?? []);
  const votes = yield* readVotes(accounts, over, before.list);
  yield;
  const known = continued(before.list.filter(isShown), accounts, votes);
  const found = yield* findCauses(votes, (cause) => known.has(nameOf(cause)));
  const merged = merge(known, found, isConfirmed(accounts, before));
  yield;
  const ownDevices = yield* countOwnDevices(votes, merged);
  const grown = grow(merged, votes, ownDevices);
  yield;
  return {
    list: [...withCounts(grown, votes, ownDevices), ...over],
    listedAt: new Map(
      accounts.flatMap(({ name, account: { fleet } }) =>
        fleet === undefined ? [] : [[name, fleet.apiTime]],
      ),
    ),
  };
}

export function causesOfAccount({ list }: Causes, account: string): readonly AccountCause[] {
  return list.filter(isShown).flatMap(({ deviceIds, most: _, isShown: __, ...cause }) => {
    const ids = deviceIds.get(account);
    return ids === undefined ? [] : [{ cause, deviceIds: ids }];
  });
}

/** A cause while it is merged: its offline devices, which its numbers are derived from. */
type CauseDraft = Pick<Cause, 'kind' | 'value' | 'startAt' | 'most' | 'isShown'> & {
  /** Number of devices with the value when it was found. */
  readonly ownDevices: number;
  readonly stops: readonly Stopped[];
};

type Drafts = ReadonlyMap<string, CauseDraft>;

function nameOf({ kind, value }: Pick<CommonCause, 'kind' | 'value'>): string {
  return `${kind} ${value}`;
}

/** Returns an ended cause with its remaining offline devices; undefined if there are none. */
function stillOffline(cause: Cause, accounts: readonly NamedAccount[]): Cause | undefined {
  const deviceIds = new Map(
    accounts.flatMap(({ name, account }) => {
      const ids = cause.deviceIds.get(name)?.filter((id) => account.fleet?.devices.get(id)?.offline === true);
      return ids === undefined || ids.length === 0 ? [] : [[name, ids] as const];
    }),
  );
  const devices = [...deviceIds.values()].reduce((sum, ids) => sum + ids.length, 0);
  return devices === 0 ? undefined : { ...cause, devices, deviceIds };
}

/** Returns the shown causes, each with those of its devices that are still offline. */
function continued(
  shown: readonly Cause[],
  accounts: readonly NamedAccount[],
  { stops: stopped }: Votes,
): Drafts {
  const drafts = new Map<string, CauseDraft>();
  if (shown.length === 0) return drafts;
  const offline = new Map<string, Map<string, Stopped>>(accounts.map(({ name }) => [name, new Map()]));
  for (const stop of stopped) if (stop.isOffline) offline.get(stop.account)?.set(stop.id, stop);
  const fleets = new Map(accounts.map(({ name, account }) => [name, account.fleet]));
  for (const cause of shown) {
    const stops: Stopped[] = [];
    let unseen = 0;
    for (const [account, ids] of cause.deviceIds) {
      for (const id of ids) {
        const stop = offline.get(account)?.get(id);
        if (stop !== undefined) stops.push(stop);
        // A device that left or is muted does not count as back.
        else if (fleets.get(account)?.devices.get(id)?.offline !== false) unseen += 1;
      }
    }
    const isOwners = cause.kind === 'group' || ownKind(cause.kind) === undefined;
    const value = isOwners ? renamed(cause, stops) : cause.value;
    const name = nameOf({ kind: cause.kind, value });
    const same = drafts.get(name);
    const most = cause.most - unseen + (same?.most ?? 0);
    drafts.set(name, { ...(same ?? cause), value, most, stops: [...(same?.stops ?? []), ...stops] });
  }
  return drafts;
}

/** Returns the common group or tag of the devices of a cause: a new configuration or tags file may have renamed it. */
function renamed({ kind, value }: Cause, stops: readonly Stopped[]): string {
  const values = new Set(stops.map((stop) => valueOfKind(stop, kind)));
  const [only = NONE] = values;
  return values.size === 1 && only !== NONE ? only : value;
}

/** Returns a function that reports whether to show a cause: an earlier poll found it too, or could not have found it. */
function isConfirmed(accounts: readonly AccountUpdate[], before: Causes): (cause: FoundCause) => boolean {
  const { list, listedAt } = before;
  const polled = new Set<string>();
  for (const { name, account } of accounts)
    if (account.fleet?.apiTime !== listedAt.get(name)) polled.add(name);
  // An account may have come to share a group since then.
  const shownName = (cause: Pick<Cause, 'kind' | 'value'>): string => `${cause.kind} ${shownValue(cause)}`;
  const candidates = new Set(list.filter((cause) => !cause.isShown).map(shownName));
  const known = new Map(accounts.map((each) => [each.name, each.before]));
  // No earlier poll could have found it in a new account, or for devices without a vote, such as muted ones.
  const isNew = ({ account, id }: Stopped): boolean => {
    const { fleet, judgement } = known.get(account) ?? {};
    if (!listedAt.has(account)) return true;
    if (judgement === undefined) return false;
    const entry = fleet?.devices.get(id);
    return entry === undefined || !hasVote(entry, judgement.problems.get(id)?.problem);
  };
  return (found) =>
    2 * found.stops.filter(isNew).length > found.stops.length ||
    (candidates.has(shownName(found)) && found.stops.some(({ account }) => polled.has(account)));
}

/** Merges known and found causes. Each device is explained by at most one. */
function merge(
  known: Drafts,
  found: readonly FoundCause[],
  isConfirmedCause: (cause: FoundCause) => boolean,
): readonly CauseDraft[] {
  const isAgreed = (each: FoundCause): boolean =>
    known.has(nameOf(each)) || (!each.isOpen && each.stops.length >= MIN_DEVICES && isConfirmedCause(each));
  const agreed = found.filter(isAgreed);
  const drafts = new Map(withoutNarrower(known, found, agreed));
  const explained = new Set([...drafts.values()].flatMap(({ stops }) => stops));
  const candidates: CauseDraft[] = [];
  for (const each of found) {
    const stops = each.stops.filter((stop) => !explained.has(stop));
    if (stops.length === 0) continue;
    const draft = drafts.get(nameOf(each));
    if (!agreed.includes(each) || (draft === undefined && stops.length < MIN_DEVICES)) {
      candidates.push(newDraft(each, stops, false));
      continue;
    }
    for (const stop of stops) explained.add(stop);
    drafts.set(
      nameOf(each),
      draft === undefined ? newDraft(each, stops, true) : { ...draft, stops: [...draft.stops, ...stops] },
    );
  }
  return [...drafts.values(), ...candidates];
}

/** Removes causes that are no longer found if wider causes explain most of their devices. */
function withoutNarrower(known: Drafts, found: readonly FoundCause[], agreed: readonly FoundCause[]): Drafts {
  const names = new Set(found.map(nameOf));
  const owners = new Map<Stopped, FoundCause>();
  for (const each of agreed) for (const stop of each.stops) owners.set(stop, each);
  const isNarrower = (name: string, { stops, ownDevices }: CauseDraft): boolean => {
    if (names.has(name)) return false;
    const wider = stops.flatMap((stop) => owners.get(stop) ?? []);
    const devices = [...new Set(wider)].reduce((sum, each) => sum + each.ownDevices, 0);
    return 2 * wider.length > stops.length && devices > ownDevices;
  };
  return new Map([...known].filter(([name, draft]) => !isNarrower(name, draft)));
}

function newDraft(
  { kind, value, ownDevices }: FoundCause,
  stops: readonly Stopped[],
  isAgreed: boolean,
): CauseDraft {
  const startAt = stops.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY);
  return { kind, value, ownDevices, startAt, most: 0, isShown: isAgreed, stops };
}

/** Counts the devices with a vote that have the value of each cause, by the cause's name. */
function* countOwnDevices(
  { stops, reporting }: Votes,
  drafts: readonly CauseDraft[],
): Steps<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const kind of kindsOf(drafts)) {
    yield;
    const counts = new Map<string, number>();
    for (const draft of drafts) if (draft.kind === kind) counts.set(draft.value, 0);
    const add = (value: string): void => {
      const count = counts.get(value);
      if (count !== undefined) counts.set(value, count + 1);
    };
    for (const stop of stops) add(valueOfKind(stop, kind));
    for (const { devices, readValue } of reporting) for (const entry of devices) add(readValue(kind, entry));
    for (const [value, count] of counts) sizes.set(nameOf({ kind, value }), count);
  }
  return sizes;
}

function kindsOf(drafts: readonly CauseDraft[]): readonly CauseKind[] {
  return [...new Set(drafts.map(({ kind }) => kind))];
}

/** Adds devices that have a cause's value and stopped after its start. */
function grow(
  drafts: readonly CauseDraft[],
  { stops }: Votes,
  ownDevices: ReadonlyMap<string, number>,
): readonly CauseDraft[] {
  const grown = new Map(drafts.filter((draft) => draft.isShown).map((draft) => [nameOf(draft), draft]));
  const explained = new Set([...grown.values()].flatMap((draft) => draft.stops));
  for (const kind of kindsOf([...grown.values()])) {
    const more = new Map<string, Stopped[]>();
    for (const stop of stops) {
      if (!stop.isOffline || explained.has(stop)) continue;
      const name = nameOf({ kind, value: valueOfKind(stop, kind) });
      const draft = grown.get(name);
      if (draft === undefined || stop.until < draft.startAt) continue;
      addTo(more, name, stop);
    }
    for (const [name, added] of more) {
      const draft = grown.get(name);
      if (draft === undefined) continue;
      if (draft.stops.length + added.length < MIN_GROWN_SHARE * (ownDevices.get(name) ?? 0)) continue;
      grown.set(name, { ...draft, stops: [...draft.stops, ...added] });
      for (const stop of added) explained.add(stop);
    }
  }
  return [...grown.values(), ...drafts.filter((draft) => !draft.isShown)];
}

/** Counts the devices of each cause. Drops causes without devices. */
function withCounts(
  drafts: readonly CauseDraft[],
  { stops: stopped }: Votes,
  ownDevices: ReadonlyMap<string, number>,
): readonly Cause[] {
  const explained = new Set(drafts.filter((draft) => draft.isShown).flatMap((draft) => draft.stops));
  const alone = stopped.filter((stop) => stop.isOffline && !explained.has(stop));
  return drafts.flatMap(({ stops, ...known }) => {
    if (stops.length === 0) return [];
    const deviceIds = new Map<string, string[]>();
    for (const { account, id } of stops) addTo(deviceIds, account, id);
    const { startAt } = known;
    const endAt = stops.reduce((last, { from }) => Math.max(last, from), startAt);
    const explainedHere = new Set(stops);
    const others = alone.filter(
      (stop) => stop.from <= endAt && stop.until >= startAt && !explainedHere.has(stop),
    );
    return {
      ...known,
      endAt,
      deviceIds,
      devices: stops.length,
      sold: stops.filter(({ entry }) => entry.device.rentalStatus === 'sold').length,
      ownDevices: Math.max(ownDevices.get(nameOf(known)) ?? 0, stops.length),
      others: others.length,
      most: Math.max(known.most, stops.length),
    };
  });
}
