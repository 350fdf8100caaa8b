import { type CommonCause, shownValue } from '../model/cause.ts';
import type { DeviceEvent, FleetEvent } from '../model/event.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import { shownData } from '../model/reading.ts';
import { isOffline } from '../model/silence.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import type { TunnelAnswer } from '../model/tunnel.ts';

/**
 * Lists the events between two snapshots. The first list of an account has no events. A common cause has one event when
 * it begins and one when it ends, in place of those of the devices that it explains.
 */
export function eventsBetween(
  before: readonly AccountSnapshot[],
  after: readonly AccountSnapshot[],
): readonly FleetEvent[] {
  if (before === after) return [];
  const deviceEvents = after.flatMap((account) => {
    const known = before.find(({ name }) => name === account.name);
    return known === undefined || known === account
      ? []
      : [...fleetEvents(known, account), ...tunnelEvents(known, account)];
  });
  return [...causeEvents(before, after), ...deviceEvents];
}

function causeEvents(
  before: readonly AccountSnapshot[],
  after: readonly AccountSnapshot[],
): readonly FleetEvent[] {
  // A cause does not end because the data of its account expires.
  const expired = new Set(after.filter(({ devices }) => devices.state === 'expired').map(({ name }) => name));
  const known = causesOf(before.filter(({ name }) => !expired.has(name)));
  const present = causesOf(after);
  if (known.size === 0 && present.size === 0) return [];
  const changed = after.find(
    ({ name, devices }) => before.find((one) => one.name === name)?.devices.data !== devices.data,
  );
  const previous = before.find(({ name }) => name === changed?.name);
  const between = {
    previousPollAt: previous?.devices.lastSuccessAt,
    pollAt: changed?.devices.lastSuccessAt,
  };
  const toEvent = (cause: CommonCause, event: 'common cause begun' | 'common cause ended'): FleetEvent => {
    const { kind, devices } = cause;
    return { event, kind, value: shownValue(cause), devices, ...between };
  };
  return [
    ...[...known]
      .filter(([key]) => !present.has(key))
      .map(([, cause]) => toEvent(cause, 'common cause ended')),
    ...[...present]
      .filter(([key]) => !known.has(key))
      .map(([, cause]) => toEvent(cause, 'common cause begun')),
  ];
}

function causesOf(accounts: readonly AccountSnapshot[]): ReadonlyMap<string, CommonCause> {
  return new Map(
    accounts.flatMap(({ causes }) =>
      causes.map(({ cause }) => [JSON.stringify([cause.kind, cause.value]), cause] as const),
    ),
  );
}

function explainedIds({ causes }: AccountSnapshot): ReadonlySet<string> {
  return new Set(causes.flatMap(({ deviceIds }) => deviceIds));
}

function fleetEvents(before: AccountSnapshot, after: AccountSnapshot): readonly DeviceEvent[] {
  const known = before.devices.data;
  const fleet = shownData(after.devices);
  if (known === undefined || fleet === undefined || (known === fleet && before.causes === after.causes))
    return [];
  const between = { previousPollAt: before.devices.lastSuccessAt, pollAt: after.devices.lastSuccessAt };
  const [explainedBefore, explained] = [explainedIds(before), explainedIds(after)];
  const events: DeviceEvent[] = [];
  const add = (entry: FleetDevice, event: DeviceEvent['event'], from: string, to: string): void => {
    const { id: deviceId, label } = entry.device;
    events.push({ event, account: after.name, deviceId, label, group: entry.group, from, to, ...between });
  };
  // A device also gets or loses events of its own when a cause begins or ends.
  for (const id of new Set([...fleet.changed, ...explainedBefore, ...explained])) {
    const entry = fleet.devices.get(id);
    const previous = known.devices.get(id);
    if (entry === undefined) continue;
    if (previous === undefined) {
      add(entry, 'device joined', 'not listed', 'listed');
      continue;
    }
    const wasSilent = isOffline(previous) && !explainedBefore.has(id);
    if (isOffline(entry) && !explained.has(id) && !wasSilent)
      add(entry, 'device silent', 'reporting', 'silent');
    if (!isOffline(entry) && wasSilent) add(entry, 'device back', 'silent', 'reporting');
    addRental(previous, entry, add);
  }
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

function tunnelEvents(before: AccountSnapshot, after: AccountSnapshot): readonly DeviceEvent[] {
  const known = before.tunnels.data;
  if (known === undefined || known === after.tunnels.data) return [];
  const explained = explainedIds(after);
  return [...(after.tunnels.data ?? [])].flatMap(([deviceId, answer]): readonly DeviceEvent[] => {
    const previous = known.get(deviceId);
    if (previous === undefined || answer.isHeld || explained.has(deviceId)) return [];
    const [from, to] = [stateOf(previous), stateOf(answer)];
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

function stateOf({ tunnel }: TunnelAnswer): string {
  return tunnel === undefined ? 'missing' : (tunnel.uptimeStatus ?? UNKNOWN);
}
