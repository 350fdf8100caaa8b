import { causeRows, deviceCauseRows } from '../alerts/cause-rows.ts';
import { endedIncidentRows, incidentRows } from '../alerts/incident-rows.ts';
import { COLLECTORS } from '../model/enums.ts';
import type { DepartedDevice, Fleet, FleetDevice } from '../model/fleet.ts';
import { shownIncidents, TOPICS } from '../model/incident.ts';
import { shownData } from '../model/reading.ts';
import { type AccountSnapshot, isKnown } from '../model/snapshot.ts';
import { encodeLabel } from './encode.ts';
import type { Feature, MetricType, Row, Sample, Stability } from './row.ts';
import { accountRows } from './rows/account.ts';
import { balanceRows } from './rows/balance.ts';
import { deviceRows } from './rows/device.ts';
import { judgementRows, onlineRows, problemRows } from './rows/judgement.ts';
import { leftRows } from './rows/left.ts';
import { knownRows, listingRows, pollRows, tunnelRoundRows } from './rows/poll.ts';
import { fleetRows } from './rows/sums.ts';
import { textRows, timeRows } from './rows/times.ts';
import { tunnelRows } from './rows/tunnel.ts';

/** A metric family: a row with all its labels, and its samples for an account. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly stability: Stability;
  /** The labels that identify the subject, then those of the row. */
  readonly labels: readonly string[];
  /** The labels of the row alone: the names of the values in a {@link Sample}. */
  readonly ownLabels: readonly string[];
  /** Returns the object that the samples of an account are read from: as long as it is the same, so are they. */
  readonly source: (account: AccountSnapshot) => object | undefined;
  /** Returns the samples of an account, subject by subject. */
  readonly samples: (account: AccountSnapshot) => Iterable<SubjectSamples>;
};

/** The samples of one subject, with the encoded labels that identify it. */
type SubjectSamples = { readonly identity: string; readonly samples: readonly Sample[] };

export type Features = Readonly<Record<Feature, boolean>>;

/** Families that are read from the same subjects. Expired data is left out here, and nowhere else. */
type Section<Subject> = {
  readonly rows: readonly Row<Subject>[];
  /** The label that identifies a subject within its account; undefined where there is one subject per account. */
  readonly idLabel: string | undefined;
  readonly source: (account: AccountSnapshot) => object | undefined;
  /** Returns the subjects of an account with their ids. */
  readonly subjects: (account: AccountSnapshot) => Iterable<readonly [id: string, subject: Subject]>;
};

/**
 * Lists every family that is a pure function of the snapshot, in the order of the page. From this list come the exposition,
 * `docs/METRICS.md`, the naming checks, and the number of series that a fleet costs.
 */
export function familiesOf(features: Features): readonly Family[] {
  const families = <Subject>(section: Section<Subject>): readonly Family[] =>
    section.rows
      .filter(({ feature }) => feature === undefined || features[feature])
      .map((row) => toFamily(section, row));
  return [
    ...families({
      rows: accountRows,
      idLabel: undefined,
      source: (account) => account,
      subjects: (account) => [['', account]],
    }),
    ...families({
      rows: fleetRows,
      idLabel: undefined,
      source: ({ devices }) => shownData(devices),
      subjects: ({ devices }) => oneSubject(shownData(devices)),
    }),
    ...families({
      rows: textRows,
      idLabel: 'device_id',
      source: ({ devices }) => shownData(devices),
      subjects: ({ devices }) => everListed(shownData(devices)),
    }),
    ...families({
      rows: deviceRows,
      idLabel: 'device_id',
      source: ({ devices }) => shownData(devices),
      subjects: ({ devices }) => shownData(devices)?.devices ?? [],
    }),
    ...families({
      rows: timeRows,
      idLabel: 'device_id',
      source: ({ devices }) => devices.data,
      subjects: ({ devices }) => everListed(devices.data),
    }),
    ...families({
      rows: onlineRows,
      idLabel: undefined,
      source: ({ devices, judgement }) => shownData(devices) && judgement,
      subjects: ({ devices, judgement }) => oneSubject(shownData(devices) && judgement),
    }),
    ...families({
      rows: judgementRows,
      idLabel: undefined,
      source: ({ judgement }) => judgement,
      subjects: ({ judgement }) => oneSubject(judgement),
    }),
    ...families({
      rows: problemRows,
      idLabel: 'device_id',
      source: ({ judgement }) => judgement?.problems,
      subjects: ({ judgement }) => judgement?.problems ?? [],
    }),
    ...families({
      rows: leftRows,
      idLabel: 'device_id',
      source: ({ devices }) => devices.data?.departed,
      subjects: ({ devices }) => devices.data?.departed ?? [],
    }),
    ...families({
      rows: causeRows(features.tunnel_endpoints),
      idLabel: undefined,
      source: ({ causes }) => causes,
      subjects: ({ causes }) => [['', causes]],
    }),
    ...families({
      rows: deviceCauseRows(features.tunnel_endpoints),
      idLabel: 'device_id',
      source: ({ causes }) => causes,
      subjects: ({ causes }) =>
        causes.flatMap(({ cause, deviceIds }) => deviceIds.map((id) => [id, cause] as const)),
    }),
    ...families({
      rows: incidentRows,
      idLabel: 'incident',
      source: ({ known }) => known,
      subjects: ({ known }) =>
        shownIncidents(known.incidents, known.at ?? 0).map((incident) => [incident.id, incident] as const),
    }),
    ...families({
      rows: endedIncidentRows,
      idLabel: 'incident',
      source: ({ known }) => known.incidents.ended,
      subjects: ({ known }) => known.incidents.ended.map((incident) => [incident.id, incident] as const),
    }),
    ...families({
      rows: tunnelRows,
      idLabel: 'device_id',
      source: ({ tunnels }) => shownData(tunnels),
      subjects: ({ tunnels }) => shownData(tunnels) ?? [],
    }),
    ...families({
      rows: balanceRows,
      idLabel: undefined,
      source: ({ balance }) => shownData(balance),
      subjects: ({ balance }) => oneSubject(shownData(balance)),
    }),
    ...families({
      rows: pollRows,
      idLabel: 'collector',
      source: (account) => account,
      subjects: (account) => COLLECTORS.map((collector) => [collector, account[collector]]),
    }),
    ...families({
      rows: knownRows,
      idLabel: 'about',
      source: (account) => account,
      subjects: (account) =>
        TOPICS.filter((topic) => isKnown(account, topic)).map((topic) => [topic, account]),
    }),
    ...families({
      rows: tunnelRoundRows,
      idLabel: undefined,
      source: (account) => account,
      subjects: (account) => [['', account]],
    }),
    ...families({
      rows: listingRows,
      idLabel: undefined,
      source: ({ devices }) => devices.data,
      subjects: ({ devices }) => oneSubject(devices.data?.listing),
    }),
  ];
}

/** Returns the devices that are listed, and those that left. */
function* everListed(fleet: Fleet | undefined): Iterable<readonly [string, FleetDevice | DepartedDevice]> {
  if (fleet === undefined) return;
  yield* fleet.devices;
  yield* fleet.departed;
}

function oneSubject<Subject>(subject: Subject | undefined): readonly (readonly [string, Subject])[] {
  return subject === undefined ? [] : [['', subject]];
}

function toFamily<Subject>({ idLabel, source, subjects }: Section<Subject>, row: Row<Subject>): Family {
  return {
    name: row.name,
    help: row.help,
    type: row.type,
    stability: row.stability,
    labels: ['account', ...(idLabel === undefined ? [] : [idLabel]), ...row.labels],
    ownLabels: row.labels,
    source,
    *samples(account) {
      const ofAccount = encodeLabel('account', account.name);
      for (const [id, subject] of subjects(account)) {
        const samples = row.read(subject);
        if (samples.length === 0) continue;
        yield {
          identity: idLabel === undefined ? ofAccount : `${ofAccount},${encodeLabel(idLabel, id)}`,
          samples,
        };
      }
    },
  };
}
