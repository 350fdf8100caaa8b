import type { NamedAccount } from '../model/account.ts';
import type { DeviceEvent, FleetEvent, IncidentEvent } from '../model/event.ts';
import type { FleetDevice } from '../model/fleet.ts';

/** An account after a judgement, and when its device list was read, in milliseconds since 1970 of our clock. */
export type JudgedAccount = NamedAccount & { readonly polledAt: number | undefined };

/** Lists the events of an account between two judgements: incidents, rentals, and devices that joined. */
export function eventsBetween(before: JudgedAccount, after: JudgedAccount): readonly FleetEvent[] {
  if (before.account === after.account) return [];
  return [...incidentEvents(before, after), ...fleetEvents(before, after)];
}

function betweenPolls(before: JudgedAccount, { name, polledAt }: JudgedAccount) {
  return { account: name, previousPollAt: before.polledAt, pollAt: polledAt };
}

function incidentEvents(before: JudgedAccount, after: JudgedAccount): readonly IncidentEvent[] {
  const { open, ended } = after.account.incidents;
  const known = before.account.incidents;
  if (open === known.open && ended === known.ended) return [];
  const polls = betweenPolls(before, after);
  const wereOpen = new Set(known.open.map(({ id }) => id));
  const hadEnded = new Set(known.ended);
  return [
    ...ended
      .filter((incident) => !hadEnded.has(incident))
      .map((incident): IncidentEvent => ({ event: 'incident ended', incident, ...polls })),
    ...open
      .filter(({ id }) => !wereOpen.has(id))
      .map((incident): IncidentEvent => ({ event: 'incident opened', incident, ...polls })),
  ];
}

/** Lists the devices that joined, and the rentals that began or ended. An account's first list has no events. */
function fleetEvents(before: JudgedAccount, after: JudgedAccount): readonly DeviceEvent[] {
  const known = before.account.fleet;
  const { fleet } = after.account;
  if (known === undefined || fleet === undefined || known === fleet) return [];
  const polls = betweenPolls(before, after);
  const eventOf = (
    entry: FleetDevice,
    event: DeviceEvent['event'],
    from: string,
    to: string,
  ): DeviceEvent => ({
    event,
    deviceId: entry.device.id,
    label: entry.device.label,
    group: entry.group,
    from,
    to,
    ...polls,
  });
  const events: DeviceEvent[] = [];
  for (const [id, entry] of fleet.devices) {
    const previous = known.devices.get(id);
    if (previous === entry) continue;
    if (previous === undefined) {
      events.push(eventOf(entry, 'device joined', 'not listed', 'listed'));
      continue;
    }
    const from = previous.device.rentalStatus;
    const to = entry.device.rentalStatus;
    if (from === to || from === undefined || to === undefined) continue;
    if (RENTED.has(to)) events.push(eventOf(entry, 'rental begun', from, to));
    else if (RENTED.has(from)) events.push(eventOf(entry, 'rental ended', from, to));
  }
  return events;
}

const RENTED: ReadonlySet<string> = new Set(['sold', 'self_rented']);
