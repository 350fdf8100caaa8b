import type { FleetEvent } from '../model/event.ts';
import type { Price } from '../model/money.ts';
import { shownData } from '../model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import {
  ACCOUNT,
  CAUSE,
  type CoreDocument,
  causeId,
  type FleetCause,
  type FleetDocumentEvent,
  type FleetExporter,
  type FleetIncident,
  type FleetLeftPhone,
  type FleetPhone,
  incidentOf,
  instant,
  LEFT,
  PHONE,
} from './document.ts';

/* Builds the document of `/api/v1/fleet` from the snapshot. */

/** Number of devices to convert before the event loop gets a turn. */
const DEVICES_PER_YIELD = 512;

/**
 * Builds the document from the snapshot alone. Ages are those at the poll, so it is valid for as long as the snapshot.
 *
 * @param prices the configured prices of sold days
 */
export async function buildFleetDocument(
  { accounts, events }: Snapshot,
  exporter: FleetExporter,
  yieldToEventLoop: () => Promise<void>,
  prices: readonly Price[] = [],
): Promise<CoreDocument> {
  const phones: FleetPhone[] = [];
  for (const account of accounts) {
    const { devices, known } = account;
    const tunnels = shownData(account.tunnels);
    const causes = causeIdsOf(account, accounts);
    for (const [id, entry] of devices.data?.devices ?? []) {
      phones.push(
        PHONE.read({
          account: account.name,
          entry,
          known: known.judgement?.problems.get(id),
          response: tunnels?.get(id),
          prices,
          cause: causes.get(id),
          isAbsent: devices.data?.absent.has(id) === true,
        }),
      );
      if (phones.length % DEVICES_PER_YIELD === 0) await yieldToEventLoop();
    }
  }
  return {
    version: 1,
    exporter,
    accounts: accounts.map(ACCOUNT.read),
    phones,
    causes: causesOf(accounts),
    incidents: accounts.flatMap(incidentsOf),
    left: leftOf(accounts),
    events: events.toReversed().map(eventOf),
  };
}

/** Returns the ids of common causes by device id. */
function causeIdsOf(
  { known }: AccountSnapshot,
  accounts: readonly AccountSnapshot[],
): ReadonlyMap<string, string> {
  return new Map(
    known.causes.flatMap(({ cause, deviceIds }) =>
      deviceIds.map((id) => [id, causeId(cause, accounts)] as const),
    ),
  );
}

function causesOf(accounts: readonly AccountSnapshot[]): readonly FleetCause[] {
  const causes = new Map(
    accounts.flatMap(({ known }) =>
      known.causes.map(({ cause }) => [causeId(cause, accounts), cause] as const),
    ),
  );
  return Array.from(causes, ([id, cause]) => CAUSE.read({ ...cause, id }));
}

function leftOf(accounts: readonly AccountSnapshot[]): readonly FleetLeftPhone[] {
  return accounts
    .flatMap(({ name, devices }) =>
      Array.from(shownData(devices)?.left ?? [], ([id, left]) => ({ account: name, id, ...left })),
    )
    .toSorted((one, other) => other.removedAt - one.removedAt)
    .map(LEFT.read);
}

function incidentsOf({ name, known }: AccountSnapshot): readonly FleetIncident[] {
  const { open, ended } = known.incidents;
  return [...open.toReversed(), ...ended.toReversed()].map((incident) =>
    incidentOf(name, incident, known.fleet),
  );
}

function eventOf(each: FleetEvent): FleetDocumentEvent {
  const polls = { previousPollAt: instant(each.previousPollAt), pollAt: instant(each.pollAt) };
  if ('incident' in each) {
    const { event: what, account, incident } = each;
    return { event: what, account, incident: incidentOf(account, incident), ...polls };
  }
  const { event: what, account, deviceId, label, group, from, to } = each;
  return { event: what, account, id: deviceId, label, group, from, to, ...polls };
}
