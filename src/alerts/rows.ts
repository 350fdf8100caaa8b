import { type Family, type Switches, sectionFamilies } from '../metrics/families.ts';
import { experimental, gauge, type Row, type Sample, samples, seconds } from '../metrics/row.ts';
import { type AccountCause, type CommonCause, shownValue } from '../model/cause.ts';
import { type EndedIncident, type Incident, shownIncidents, topicOf } from '../model/incident.ts';

/** Lists the families of common causes and incidents. */
export function alertFamilies({ tunnel_endpoints: showsHosts }: Switches): readonly Family[] {
  return [
    ...sectionFamilies({
      rows: causeRows(showsHosts),
      subjects: ({ known }) => [['', known.causes]],
    }),
    ...sectionFamilies({
      rows: deviceCauseRows(showsHosts),
      idLabel: 'device_id',
      subjects: ({ known }) =>
        known.causes.flatMap(({ cause, deviceIds }) => deviceIds.map((id) => [id, cause] as const)),
    }),
    ...sectionFamilies({
      rows: incidentRows,
      idLabel: 'incident',
      subjects: ({ known }) =>
        shownIncidents(known.incidents, known.at ?? 0).map((incident) => [incident.id, incident] as const),
    }),
    ...sectionFamilies({
      rows: endedIncidentRows,
      idLabel: 'incident',
      subjects: ({ known }) => known.incidents.ended.map((incident) => [incident.id, incident] as const),
    }),
  ];
}

const LABELS = ['kind', 'value'] as const;

/** Returns a function that writes the value of a cause: a host in full only with `features.tunnel_endpoints`. */
const textOf =
  (showsHosts: boolean): ((cause: CommonCause) => string) =>
  (cause) =>
    showsHosts && cause.kind === 'tunnel_host' ? cause.value : shownValue(cause);

/** Metrics of the common causes why an account's devices are offline. */
function causeRows(showsHosts: boolean): readonly Row<readonly AccountCause[]>[] {
  const text = textOf(showsHosts);
  const rows: readonly Row<readonly AccountCause[]>[] = [
    samples(
      'hoster_common_cause_devices',
      'Number of offline phones of this account that one shared property explains: most phones with it went offline at the same time. The kind is group, tunnel_host, account, app_version, model, or the name of a tag (tags.file). Tunnel hosts are replaced by aliases unless features.tunnel_endpoints is on. From the last successful poll; absent without a common cause.',
      LABELS,
      (causes) => causes.map(({ cause, deviceIds }): Sample => [deviceIds.length, cause.kind, text(cause)]),
    ),
    samples(
      'hoster_common_cause_start_timestamp_seconds',
      'Start of a common cause in seconds since 1970: the earliest last heartbeat of its phones in all accounts.',
      LABELS,
      (causes) => causes.map(({ cause }): Sample => [seconds(cause.startAt) ?? 0, cause.kind, text(cause)]),
    ),
  ];
  return rows.map(experimental);
}

function deviceCauseRows(showsHosts: boolean): readonly Row<CommonCause>[] {
  const text = textOf(showsHosts);
  return [
    experimental(
      samples(
        'hoster_device_common_cause',
        'Always 1; the labels are the common cause that explains why the phone is offline. Absent for other phones.',
        LABELS,
        (cause) => [[1, cause.kind, text(cause)]],
      ),
    ),
  ];
}

const incidentRows: readonly Row<Incident>[] = [
  samples(
    'hoster_incident_since_timestamp_seconds',
    "Start of an incident in seconds since 1970, by the API's clock. Present until a minute after its end, even while polls fail and after a restart. Its labels stay as they were when it opened.",
    ['about', 'problem', 'device_id', 'label', 'group', 'kind', 'value'],
    ({ since, problem, deviceId, label, group, kind, value }) => [
      [since / 1000, topicOf(problem), problem, deviceId, label, group, kind, value],
    ],
  ),
  samples(
    'hoster_incident_devices',
    'Number of phones in an incident of several phones that are still offline, or have left.',
    ['sold'],
    ({ members, devices: { sold, others } }) =>
      members.size === 0
        ? []
        : [
            [sold, 'true'],
            [others, 'false'],
          ],
  ),
  gauge(
    'hoster_incident_notified_devices',
    'Number of phones of a mass outage when people were last notified; they are notified again when it doubles.',
    ({ notifiedSize }) => (notifiedSize === 0 ? undefined : notifiedSize),
  ),
];

const endedIncidentRows: readonly Row<EndedIncident>[] = [
  samples(
    'hoster_incident_ended_seconds',
    'Duration of an incident that ended within the last day, with the reason; at most the 1,000 newest.',
    ['problem', 'reason'],
    ({ since, endedAt, problem, reason }) => [[(endedAt - since) / 1000, problem, reason]],
  ),
];
