import type { Account } from '../model/account.ts';
import type { Causes } from '../model/cause.ts';
import type { Fleet } from '../model/fleet.ts';
import type { EndedIncident, EndReason, Incident } from '../model/incident.ts';
import type { Judgement } from '../model/problem.ts';
import { shortHash } from '../model/text.ts';

/** An account that was listed, with what is needed to decide what is told of its phones. */
export type Listed = {
  readonly name: string;
  readonly account: Account;
  /** The fleet before the observation: another object if a list came since. */
  readonly fleetBefore: Fleet | undefined;
  readonly fleet: Fleet;
  readonly judgement: Judgement;
  readonly causes: Causes;
  readonly at: number;
};

/** The incidents while they are decided. */
export type Draft = {
  readonly open: Incident[];
  readonly ended: EndedIncident[];
  /** Silent phones that are told at once: they were part of something that was told. */
  readonly atOnce: Set<string>;
};

/** What is known of an incident when it opens. */
export type Opening = Pick<Incident, 'problem' | 'since'> & Partial<Incident>;

/** Opens an incident at an instant of the clock of the API, in milliseconds since 1970. */
export function openIncident(opening: Opening, at: number): Incident {
  const { since } = opening;
  return {
    id: idOf(opening),
    deviceId: '',
    label: '',
    group: '',
    kind: '',
    value: '',
    openedAt: at,
    until: since,
    causeId: undefined,
    deviceIds: [],
    devices: { sold: 0, others: 0 },
    toldSize: 0,
    ...opening,
  };
}

/** Returns what each exporter calls an incident: its problem, whom it is about, and since when. */
function idOf({ problem, deviceId = '', kind = '', value = '', since, deviceIds = [] }: Opening): string {
  const isFlood = kind === '' && deviceIds.length > 0;
  const subject = deviceId === '' && !isFlood && value !== '' ? shortHash(`${kind} ${value}`) : deviceId;
  return [problem, subject, since.toString(36)].filter((part) => part !== '').join('-');
}

/** An end of an incident: why, and when. */
export type End = { readonly reason: EndReason; readonly endedAt: number };

/** What became of an incident: it ended, or goes on, perhaps changed. */
export type Outcome = { readonly end: End } | { readonly goesOn: Incident };

export function endIncident(incident: Incident, { reason, endedAt }: End, at: number): EndedIncident {
  return { ...incident, reason, endedAt: Math.max(incident.since, endedAt), closedAt: at };
}
