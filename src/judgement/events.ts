import { type Causes, type CommonCause, type ExplainedCause, shownValue } from '../model/cause.ts';
import type { CauseEvent, DeviceEvent, FleetEvent } from '../model/event.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import { tunnelState } from '../model/tunnel.ts';

/** Accounts with their judgements, and the causes of all. */
export type Judged = Pick<Snapshot, 'accounts' | 'causes'>;

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
    if (previous?.devices.data === undefined || previous === account) continue;
    events.push(...told.events, ...fleetEvents(previous, account), ...tunnelEvents(previous, account, own));
  }
  return { events, toldSilent };
}

/** Lists the devices that fell silent or are back, as far as a new device list of their account shows it. */
function silenceEvents(
  before: AccountSnapshot | undefined,
  after: AccountSnapshot,
  explained: ReadonlySet<string>,
): { readonly events: readonly DeviceEvent[]; readonly toldSilent: ReadonlySet<string> } {
  const known = before?.toldSilent ?? NONE;
  const fleet = after.devices.data;
  if (fleet === undefined || fleet === before?.devices.data) return { events: [], toldSilent: known };
  const toldSilent = new Set<string>();
  const events: DeviceEvent[] = [];
  for (const id of after.judgement?.problems.keys() ?? []) {
    const entry = fleet.devices.get(id);
    if (entry?.silent !== true) continue;
    const isNew = !known.has(id);
    if (isNew && explained.has(id)) continue;
    toldSilent.add(id);
    // A device that joins is told to have joined, whatever its state.
    if (isNew && before?.devices.data?.devices.has(id) === true)
      events.push(deviceEvent(before, after, entry, 'device silent', 'reporting', 'silent'));
  }
  for (const id of known) {
    const entry = fleet.devices.get(id);
    if (entry !== undefined && !entry.silent && before !== undefined)
      events.push(deviceEvent(before, after, entry, 'device back', 'silent', 'reporting'));
  }
  return { events, toldSilent };
}

function deviceEvent(
  before: AccountSnapshot,
  after: AccountSnapshot,
  { device, group }: FleetDevice,
  event: DeviceEvent['event'],
  from: string,
  to: string,
): DeviceEvent {
  const polls = { previousPollAt: before.devices.lastSuccessAt, pollAt: after.devices.lastSuccessAt };
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
  const begun = after.causes.shown.filter((cause) => !isShown(cause, before.causes));
  const ended = before.causes.shown.filter((cause) => !isShown(cause, after.causes));
  const isPolled = ({ name, devices }: AccountSnapshot): boolean =>
    devices.data !== before.accounts.find((known) => known.name === name)?.devices.data;
  const changed = after.accounts.find(isPolled);
  const previous = before.accounts.find(({ name }) => name === changed?.name);
  const toEvent = ({ cause }: { readonly cause: CommonCause }, event: CauseEvent['event']): CauseEvent => ({
    event,
    kind: cause.kind,
    value: shownValue(cause),
    devices: cause.devices,
    previousPollAt: previous?.devices.lastSuccessAt,
    pollAt: changed?.devices.lastSuccessAt,
  });
  // Everything in the first list of an account began at an unknown time.
  const isFirst = ({ deviceIds }: ExplainedCause): boolean =>
    [...deviceIds.keys()].some(
      (name) => before.accounts.find((account) => account.name === name)?.devices.data === undefined,
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
function fleetEvents(before: AccountSnapshot, after: AccountSnapshot): readonly DeviceEvent[] {
  const known = before.devices.data;
  const fleet = after.devices.data;
  if (known === undefined || fleet === undefined || known === fleet) return [];
  const events: DeviceEvent[] = [];
  const add = (entry: FleetDevice, event: DeviceEvent['event'], from: string, to: string): void => {
    events.push(deviceEvent(before, after, entry, event, from, to));
  };
  for (const id of fleet.changed) {
    const entry = fleet.devices.get(id);
    const previous = known.devices.get(id);
    if (entry === undefined) continue;
    if (previous === undefined) add(entry, 'device joined', 'not listed', 'listed');
    else addRental(previous, entry, add);
  }
  const between = { previousPollAt: before.devices.lastSuccessAt, pollAt: after.devices.lastSuccessAt };
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
  before: AccountSnapshot,
  after: AccountSnapshot,
  explained: ReadonlySet<string>,
): readonly DeviceEvent[] {
  const known = before.tunnels.data;
  if (known === undefined || known === after.tunnels.data) return [];
  return [...(after.tunnels.data ?? [])].flatMap(([deviceId, answer]): readonly DeviceEvent[] => {
    const previous = known.get(deviceId);
    if (previous === undefined || answer.isHeld || explained.has(deviceId)) return [];
    const [from, to] = [tunnelState(previous), tunnelState(answer)];
    if (from === to || from === UNKNOWN || to === UNKNOWN || (from !== UP && to !== UP)) return [];
    const entry = after.devices.data?.devices.get(deviceId);
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
