import type { NamedAccount } from '../model/account.ts';
import { type Causes, type CommonCause, type ExplainedCause, shownValue } from '../model/cause.ts';
import type { CauseEvent, DeviceEvent, FleetEvent } from '../model/event.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import { tunnelState } from '../model/tunnel.ts';

/** An account after a judgement, and when its device list was read, in milliseconds since 1970 of our clock. */
type JudgedAccount = NamedAccount & { readonly polledAt: number | undefined };

/** Accounts with their judgements, and the causes of all. */
export type Judged = { readonly accounts: readonly JudgedAccount[]; readonly causes: Causes };

/** Events, and the devices of each account that were told to be silent and not yet to be back. */
type Happened = {
  readonly events: readonly FleetEvent[];
  readonly toldSilent: ReadonlyMap<string, ReadonlySet<string>>;
};

/**
 * Lists the events between two judgements. The first list of an account has no events. A common cause has one event when
 * it begins and one when it ends, in place of those of the devices that it explains; a device that was told to be silent
 * before is told to be back, and never told twice.
 */
export function eventsBetween(before: Judged, after: Judged): Happened {
  const known = new Map(before.accounts.map((account) => [account.name, account]));
  const explained = explainedIds(after.causes);
  const events: FleetEvent[] = [...causeEvents(before, after)];
  const toldSilent = new Map<string, ReadonlySet<string>>();
  for (const account of after.accounts) {
    const previous = known.get(account.name);
    const own = explained.get(account.name) ?? NONE;
    const told = silenceEvents(previous, account, own);
    toldSilent.set(account.name, told.toldSilent);
    if (previous?.account.fleet === undefined || previous.account === account.account) continue;
    events.push(...told.events, ...fleetEvents(previous, account), ...tunnelEvents(previous, account, own));
  }
  return { events, toldSilent };
}

/** Lists the devices that fell silent or are back, as far as a new device list of their account shows it. */
function silenceEvents(
  before: JudgedAccount | undefined,
  after: JudgedAccount,
  explained: ReadonlySet<string>,
): { readonly events: readonly DeviceEvent[]; readonly toldSilent: ReadonlySet<string> } {
  const known = before?.account.toldSilent ?? NONE;
  const { fleet } = after.account;
  if (fleet === undefined || fleet === before?.account.fleet) return { events: [], toldSilent: known };
  const toldSilent = new Set<string>();
  const events: DeviceEvent[] = [];
  for (const id of after.account.judgement?.problems.keys() ?? []) {
    const entry = fleet.devices.get(id);
    if (entry?.silent !== true) continue;
    const isNew = !known.has(id);
    if (isNew && explained.has(id)) continue;
    toldSilent.add(id);
    // A device that joins is told to have joined, whatever its state.
    if (isNew && before?.account.fleet?.devices.has(id) === true)
      events.push(deviceEvent(before, after, entry, 'device silent', 'reporting', 'silent'));
  }
  for (const id of known) {
    const entry = fleet.devices.get(id);
    // What was told by a clock that was wrong is taken back without a word.
    if (entry !== undefined && !entry.silent && before !== undefined && !fleet.isClockReset)
      events.push(deviceEvent(before, after, entry, 'device back', 'silent', 'reporting'));
  }
  return { events, toldSilent };
}

function deviceEvent(
  before: JudgedAccount,
  after: JudgedAccount,
  { device, group }: FleetDevice,
  event: DeviceEvent['event'],
  from: string,
  to: string,
): DeviceEvent {
  const polls = { previousPollAt: before.polledAt, pollAt: after.polledAt };
  return { event, account: after.name, deviceId: device.id, label: device.label, group, from, to, ...polls };
}

const NONE: ReadonlySet<string> = new Set();

/** Devices that a cause explains, or one that the next poll may confirm, by account. */
function explainedIds({ shown, candidates }: Causes): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { deviceIds } of [...shown, ...candidates]) {
    for (const [account, own] of deviceIds) {
      const known = ids.get(account) ?? new Set();
      for (const id of own) known.add(id);
      ids.set(account, known);
    }
  }
  return ids;
}

function causeEvents(before: Judged, after: Judged): readonly FleetEvent[] {
  const accounts = new Set(after.accounts.map(({ name }) => name));
  const begun = after.causes.shown.filter((cause) => !isShown(cause, before.causes));
  // A cause whose account was removed has not ended: nobody looks any more.
  const ended = before.causes.shown.filter(
    (cause) =>
      !isShown(cause, after.causes) && [...cause.deviceIds.keys()].every((name) => accounts.has(name)),
  );
  const isPolled = ({ name, account }: JudgedAccount): boolean =>
    account.fleet !== before.accounts.find((known) => known.name === name)?.account.fleet;
  const changed = after.accounts.find(isPolled);
  const previous = before.accounts.find(({ name }) => name === changed?.name);
  const toEvent = ({ cause }: { readonly cause: CommonCause }, event: CauseEvent['event']): CauseEvent => ({
    event,
    kind: cause.kind,
    value: shownValue(cause),
    devices: cause.devices,
    previousPollAt: previous?.polledAt,
    pollAt: changed?.polledAt,
  });
  // Everything in the first list of an account began at an unknown time.
  const isFirst = ({ deviceIds }: ExplainedCause): boolean =>
    [...deviceIds.keys()].some(
      (name) => before.accounts.find((account) => account.name === name)?.account.fleet === undefined,
    );
  return [
    ...ended.map((cause) => toEvent(cause, 'common cause ended')),
    ...begun.filter((cause) => !isFirst(cause)).map((cause) => toEvent(cause, 'common cause begun')),
  ];
}

function isShown({ id }: ExplainedCause, { shown }: Causes): boolean {
  return shown.some((cause) => cause.id === id);
}

/** Lists the devices that joined or left, and the rentals that began or ended. */
function fleetEvents(before: JudgedAccount, after: JudgedAccount): readonly DeviceEvent[] {
  const known = before.account.fleet;
  const { fleet } = after.account;
  if (known === undefined || fleet === undefined || known === fleet) return [];
  const events: DeviceEvent[] = [];
  const add = (entry: FleetDevice, event: DeviceEvent['event'], from: string, to: string): void => {
    events.push(deviceEvent(before, after, entry, event, from, to));
  };
  for (const [id, entry] of fleet.devices) {
    const previous = known.devices.get(id);
    if (previous === undefined) add(entry, 'device joined', 'not listed', 'listed');
    else addRental(previous, entry, add);
  }
  const between = { previousPollAt: before.polledAt, pollAt: after.polledAt };
  for (const event of leftEvents(known, fleet)) events.push({ ...event, account: after.name, ...between });
  return events;
}

const RENTED: readonly (string | undefined)[] = ['sold', 'self_rented'];

function addRental(
  { device: { rentalStatus: from } }: FleetDevice,
  entry: FleetDevice,
  add: (entry: FleetDevice, event: DeviceEvent['event'], from: string, to: string) => void,
): void {
  const to = entry.device.rentalStatus;
  if (from === to || from === undefined || to === undefined) return;
  if (RENTED.includes(to)) add(entry, 'rental begun', from, to);
  else if (RENTED.includes(from)) add(entry, 'rental ended', from, to);
}

function leftEvents(
  known: Fleet,
  fleet: Fleet,
): readonly Omit<DeviceEvent, 'account' | 'previousPollAt' | 'pollAt'>[] {
  if (known.left === fleet.left) return [];
  return [...fleet.left]
    .filter(([id]) => known.devices.has(id) && !fleet.devices.has(id))
    .map(([deviceId, { label, group, wasSilent }]) => ({
      event: 'device left',
      deviceId,
      label,
      group,
      from: wasSilent ? 'silent' : 'reporting',
      to: 'archived or lost',
    }));
}

function tunnelEvents(
  before: JudgedAccount,
  after: JudgedAccount,
  explained: ReadonlySet<string>,
): readonly DeviceEvent[] {
  const known = before.account.tunnels;
  const { fleet, tunnels } = after.account;
  if (known === undefined || known === tunnels) return [];
  return [...(tunnels ?? [])].flatMap(([deviceId, answer]): readonly DeviceEvent[] => {
    const previous = known.get(deviceId);
    if (previous === undefined || answer.isHeld || explained.has(deviceId)) return [];
    const [from, to] = [tunnelState(previous), tunnelState(answer)];
    if (from === to || from === UNKNOWN || to === UNKNOWN || (from !== UP && to !== UP)) return [];
    const entry = fleet?.devices.get(deviceId);
    return [
      {
        event: to === UP ? 'tunnel back' : 'tunnel lost',
        account: after.name,
        deviceId,
        label: entry?.device.label ?? '',
        group: entry?.group ?? '',
        from,
        to,
        previousPollAt: previous.respondedAt,
        pollAt: answer.respondedAt,
      },
    ];
  });
}

const UP = 'up';
const UNKNOWN = 'unknown';
