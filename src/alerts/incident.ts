import type { Account } from '../model/account.ts';
import type { Causes } from '../model/cause.ts';
import type { Fleet, FleetDevice } from '../model/fleet.ts';
import type { EndedIncident, EndReason, Incident } from '../model/incident.ts';
import { type Judgement, offlineProblemOf } from '../model/problem.ts';
import { shortHash } from '../model/text.ts';

/** A listed account, and what else decides about what is told of its devices. */
export type View = {
  readonly name: string;
  readonly account: Account;
  /** The fleet before the observation: another object if a list came since. */
  readonly fleetBefore: Fleet | undefined;
  readonly fleet: Fleet;
  readonly judgement: Judgement;
  readonly causes: Causes;
  /** The clock of the API, in milliseconds since 1970. */
  readonly at: number;
};

/** What is known of an incident when it opens. */
export type Opening = Pick<Incident, 'problem' | 'since'> & Partial<Incident>;

/** What becomes of an incident: it goes on, perhaps changed, or it ends. */
export type Outcome =
  | { readonly goesOn: Incident }
  | {
      readonly reason: EndReason;
      readonly endedAt: number;
      /** The same silence as something else: of another rental, or of the last devices of many. */
      readonly next?: readonly Opening[];
    };

/** Opens an incident at an instant of the clock of the API, in milliseconds since 1970. */
export function openIncident(opening: Opening, at: number): Incident {
  return {
    id: idOf(opening),
    deviceId: '',
    label: '',
    group: '',
    kind: '',
    value: '',
    openedAt: at,
    members: new Map(),
    devices: { sold: 0, others: 0 },
    notifiedSize: 0,
    ...opening,
  };
}

/**
 * Returns what each exporter calls an incident: its problem, whom it is about, and since when. An incident of the same
 * silence as an ended one has its id, and continues it.
 */
function idOf({ problem, deviceId = '', kind = '', value = '', since, members }: Opening): string {
  const isNumber = kind === '' && members !== undefined;
  const subject = deviceId === '' && value !== '' && !isNumber ? shortHash(`${kind} ${value}`) : deviceId;
  return [problem, subject, since.toString(36)].filter((part) => part !== '').join('-');
}

/** Returns what becomes of an incident that ends now for a reason, or goes on as it is. */
export function outcomeOf(incident: Incident, reason: EndReason | undefined, at: number): Outcome {
  return reason === undefined ? { goesOn: incident } : { reason, endedAt: at };
}

/** Ends an incident at an instant of the clock of the API, in milliseconds since 1970. */
export function endIncident(
  incident: Incident,
  { reason, endedAt }: Pick<EndedIncident, 'reason' | 'endedAt'>,
  at: number,
): EndedIncident {
  return { ...incident, reason, endedAt: Math.max(incident.since, endedAt), closedAt: at };
}

/** Returns the texts of an incident of one device, as they are now. */
export function textsOf({ device, group }: FleetDevice): Pick<Incident, 'deviceId' | 'label' | 'group'> {
  return { deviceId: device.id, label: device.label, group };
}

/**
 * Reports whether nobody can tell if the silence of a device is over: its heartbeat cannot be read, or it is the one that was
 * told, and the clock was set back since.
 *
 * @param since the heartbeat that was told
 */
export function isUnknown(
  { device, heartbeatAgeSeconds }: FleetDevice,
  since: number | undefined,
  { openedAt }: Incident,
  at: number,
): boolean {
  return heartbeatAgeSeconds === undefined || (device.lastHeartbeatAt === since && at < openedAt);
}

/** Returns the last heartbeat before the silence of a device; undefined if it is not offline, or in maintenance. */
export function offlineSince({ problems }: Judgement, id: string): number | undefined {
  const judged = problems.get(id);
  return offlineProblemOf(judged?.problem) !== undefined ? judged?.since : undefined;
}
