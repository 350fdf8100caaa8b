import { COLLECTORS } from '../model/enums.ts';
import type { DepartedDevice, Fleet, FleetDevice } from '../model/fleet.ts';
import { TOPICS } from '../model/incident.ts';
import { shownData } from '../model/reading.ts';
import { type AccountSnapshot, isDataCurrent } from '../model/snapshot.ts';
import { encodeLabel } from './encode.ts';
import type { MetricOption, Row, Sample, Stability } from './row.ts';
import { accountRows } from './rows/account.ts';
import { balanceRows } from './rows/balance.ts';
import { deviceRows } from './rows/device.ts';
import { judgementRows, onlineRows, problemRows } from './rows/judgement.ts';
import { dataCurrentRows, dataSinceRows, listingRows, pollRows, tunnelRoundRows } from './rows/poll.ts';
import { countByGroup, fleetRows, groupRows } from './rows/sums.ts';
import { leftRows, textRows, timeRows } from './rows/times.ts';
import { tunnelRows } from './rows/tunnel.ts';

/** A metric family: a row with all its labels, and its samples for an account. */
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge';
  readonly stability: Stability;
  /** Labels that identify the subject, then the labels of the row. */
  readonly labels: readonly string[];
  /** The row's own labels: the names of the values in a {@link Sample}. */
  readonly ownLabels: readonly string[];
  readonly samples: (account: AccountSnapshot) => Iterable<SubjectSamples>;
};

type SubjectSamples = { readonly identity: string; readonly samples: readonly Sample[] };

export type Switches = Readonly<Record<MetricOption, boolean>>;

/** Families with the same subjects. Expired data is left out here, and nowhere else. */
export type Section<Subject> = {
  readonly rows: readonly Row<Subject>[];
  /** Label that identifies a subject within its account; none if there is one subject per account. */
  readonly idLabel?: string;
  readonly subjects: (account: AccountSnapshot) => Iterable<readonly [id: string, subject: Subject]>;
};

/** Lists the families of a section, except those whose options are disabled. */
export function sectionFamilies<Subject>(section: Section<Subject>, switches?: Switches): readonly Family[] {
  return section.rows
    .filter(({ option }) => option === undefined || switches?.[option] === true)
    .map((row) => toFamily(section, row));
}

/** Lists the core's families in page order. Each is a pure function of the snapshot. */
export function coreFamilies(switches: Switches): readonly Family[] {
  const families = <Subject>(
    rows: readonly Row<Subject>[],
    subjects: Section<Subject>['subjects'],
    idLabel?: string,
  ): readonly Family[] => sectionFamilies({ rows, subjects, ...(idLabel && { idLabel }) }, switches);
  return [
    ...families(accountRows, (account) => [['', account]]),
    ...families(fleetRows, ({ devices }) => oneSubject(shownData(devices))),
    ...families(
      groupRows,
      ({ devices, known: { judgement } }) => {
        const fleet = shownData(devices);
        return fleet === undefined || judgement === undefined ? [] : countByGroup(fleet, judgement);
      },
      'group',
    ),
    ...families(textRows, ({ devices }) => everListed(shownData(devices)), 'device_id'),
    ...families(deviceRows, ({ devices }) => shownData(devices)?.devices ?? [], 'device_id'),
    ...families(timeRows, ({ devices }) => everListed(devices.data), 'device_id'),
    ...families(onlineRows, ({ devices, known }) => oneSubject(shownData(devices) && known.judgement)),
    ...families(judgementRows, ({ known }) => oneSubject(known.judgement)),
    ...families(problemRows, ({ known }) => known.judgement?.problems ?? [], 'device_id'),
    ...families(leftRows, ({ devices }) => devices.data?.departed ?? [], 'device_id'),
    ...families(tunnelRows, ({ tunnels }) => shownData(tunnels) ?? [], 'device_id'),
    ...families(balanceRows, ({ balance }) => oneSubject(shownData(balance))),
    ...families(
      pollRows,
      (account) => COLLECTORS.map((collector) => [collector, account[collector]]),
      'collector',
    ),
    ...families(
      dataSinceRows,
      (account) => COLLECTORS.map((collector) => [collector, { account, collector }]),
      'collector',
    ),
    ...families(
      dataCurrentRows,
      (account) => TOPICS.filter((topic) => isDataCurrent(account, topic)).map((topic) => [topic, account]),
      'about',
    ),
    ...families(tunnelRoundRows, (account) => [['', account]]),
    ...families(listingRows, ({ devices }) => oneSubject(devices.data?.listing)),
  ];
}

function* everListed(fleet: Fleet | undefined): Iterable<readonly [string, FleetDevice | DepartedDevice]> {
  if (fleet === undefined) return;
  yield* fleet.devices;
  yield* fleet.departed;
}

function oneSubject<Subject>(subject: Subject | undefined): readonly (readonly [string, Subject])[] {
  return subject === undefined ? [] : [['', subject]];
}

function toFamily<Subject>({ idLabel, subjects }: Section<Subject>, row: Row<Subject>): Family {
  return {
    name: row.name,
    help: row.help,
    type: 'gauge',
    stability: row.stability,
    labels: ['account', ...(idLabel === undefined ? [] : [idLabel]), ...row.labels],
    ownLabels: row.labels,
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
