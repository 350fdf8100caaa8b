import { type Causes, type CommonCause, type ExplainedCause, shownValue } from '../model/cause.ts';
import type { CauseEvent, DeviceEvent, FleetEvent } from '../model/event.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import { tunnelState } from '../model/tunnel.ts';

type Judged = Pick<Snapshot, 'accounts' | 'causes'>;

/**
 * Lists the events between two judgements. The first list of an account has no events. A common cause has one event when
 * it begins and one when it ends, in place of those of the devices that it explains.
 */
export function eventsBetween(before: Judged, after: Judged): readonly FleetEvent[] {
  const known = new Map(before.accounts.map((account) => [account.name, account]));
  const changed = after.accounts.flatMap((account) => {
    const previous = known.get(account.name);
    return previous?.devices.data === undefined || previous === account ? [] : [[previous, account] as const];
  });
  const explained = { before: explainedIds(before.causes), after: explainedIds(after.causes) };
  return [
    ...causeEvents(before, after),
    ...changed.flatMap(([previous, account]) => [
      ...fleetEvents(previous, account, {
        before: explained.before.get(account.name) ?? NONE,
        after: explained.after.get(account.name) ?? NONE,
      }),
      ...tunnelEvents(previous, account, explained.after.get(account.name) ?? NONE),
    ]),
  ];
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
  // What is found in the first list of an account began at an unknown time.
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

function fleetEvents(
  before: AccountSnapshot,
  after: AccountSnapshot,
  explained: { readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> },
): readonly DeviceEvent[] {
  const known = before.devices.data;
  const fleet = after.devices.data;
  if (known === undefined || fleet === undefined) return [];
  const between = { previousPollAt: before.devices.lastSuccessAt, pollAt: after.devices.lastSuccessAt };
  const events: DeviceEvent[] = [];
  const add = (entry: FleetDevice, event: DeviceEvent['event'], from: string, to: string): void => {
    const { id: deviceId, label } = entry.device;
    events.push({ event, account: after.name, deviceId, label, group: entry.group, from, to, ...between });
  };
  const changed = known === fleet ? [] : fleet.changed;
  // A device also gets or loses events of its own when a cause begins or ends.
  for (const id of new Set([...changed, ...explained.before, ...explained.after])) {
    const entry = fleet.devices.get(id);
    const previous = known.devices.get(id);
    if (entry === undefined) continue;
    if (previous === undefined) {
      add(entry, 'device joined', 'not listed', 'listed');
      continue;
    }
    const wasSilent = previous.silent && !explained.before.has(id);
    if (entry.silent && !explained.after.has(id) && !wasSilent)
      add(entry, 'device silent', 'reporting', 'silent');
    if (!entry.silent && wasSilent) add(entry, 'device back', 'silent', 'reporting');
    addRental(previous, entry, add);
  }
  if (known !== fleet)
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
        previousPollAt: previous.answeredAt,
        pollAt: answer.answeredAt,
      },
    ];
  });
}

const UP = 'up';
const UNKNOWN = 'unknown';
