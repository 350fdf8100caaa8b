import type { Account } from '../model/account.ts';
import type { Causes } from '../model/cause.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import type { EndReason, Incident } from '../model/incident.ts';
import { type Judgement, offlineProblemOf } from '../model/problem.ts';
import { shortHash } from '../model/text.ts';

/** A listed account, and the inputs that decide about its devices' incidents. */
export type Context = {
  readonly name: string;
  readonly account: Account;
  /** The fleet before the observation. It is another object if the observation is a list. */
  readonly fleetBefore: Fleet | undefined;
  readonly fleet: Fleet;
  readonly judgement: Judgement;
  readonly causes: Causes;
  /** The API's clock, in milliseconds since 1970. */
  readonly at: number;
};

export type NewIncident = Pick<Incident, 'problem' | 'since'> & Partial<Incident>;

/** An incident after an observation: it continues, perhaps changed, or it ends. */
export type IncidentUpdate =
  | { readonly continues: Incident }
  | {
      readonly reason: EndReason;
      readonly endedAt: number;
      /** Incidents that continue it: for another rental, or for each of the last devices of a group. */
      readonly next?: readonly NewIncident[];
    };

/** Opens an incident at an instant by the API's clock, in milliseconds since 1970. */
export function openIncident(newIncident: NewIncident, at: number): Incident {
  return {
    id: idOf(newIncident),
    deviceId: '',
    label: '',
    group: '',
    kind: '',
    value: '',
    openedAt: at,
    members: new Map(),
    devices: { sold: 0, others: 0 },
    notifiedSize: 0,
    ...newIncident,
  };
}

/**
 * Returns the id of an incident, which is the same in every exporter: its problem, its subject and its start. An
 * incident with the same heartbeat as a resolved one has the same id, and continues it.
 */
function idOf({ problem, deviceId = '', kind = '', value = '', since, members }: NewIncident): string {
  const isNumber = kind === '' && members !== undefined;
  const subject = deviceId === '' && value !== '' && !isNumber ? shortHash(`${kind} ${value}`) : deviceId;
  return [problem, subject, since.toString(36)].filter((part) => part !== '').join('-');
}

export function endOrContinue(incident: Incident, reason: EndReason | undefined, at: number): IncidentUpdate {
  return reason === undefined ? { continues: incident } : { reason, endedAt: at };
}

export function textsOf({ device, group }: FleetDevice): Pick<Incident, 'deviceId' | 'label' | 'group'> {
  return { deviceId: device.id, label: device.label, group };
}

/**
 * Reports whether it is unknown if a device is back: its heartbeat cannot be read, or is still the incident's because the
 * clock was set back.
 *
 * @param since heartbeat of the incident
 */
export function isUnknown(
  { device, heartbeatAgeSeconds }: FleetDevice,
  since: number | undefined,
  { openedAt }: Incident,
  at: number,
): boolean {
  return heartbeatAgeSeconds === undefined || (device.lastHeartbeatAt === since && at < openedAt);
}

/** Returns the last heartbeat of an offline device; undefined if it is online or muted. */
export function offlineSince({ problems }: Judgement, id: string): number | undefined {
  const judged = problems.get(id);
  return offlineProblemOf(judged?.problem) !== undefined ? judged?.since : undefined;
}
