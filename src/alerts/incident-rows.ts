import { gauge, type Row, samples } from '../metrics/row.ts';
import { type EndedIncident, type Incident, topicOf } from '../model/incident.ts';

/** Metrics of an incident that is open, or ended within a minute. */
export const incidentRows: readonly Row<Incident>[] = [
  samples(
    'gauge',
    'hoster_incident_since_timestamp_seconds',
    'What the owner is told, and since when it is wrong, in seconds since 1970 by the clock of the API. From its opening until a minute after its end; it stands while polls fail, and is kept over a restart. Its labels stay as they were when it opened.',
    ['about', 'problem', 'device_id', 'label', 'group', 'kind', 'value'],
    ({ since, problem, deviceId, label, group, kind, value }) => [
      [since / 1000, topicOf(problem), problem, deviceId, label, group, kind, value],
    ],
  ),
  samples(
    'gauge',
    'hoster_incident_devices',
    'Number of phones that an incident of several phones stands for and that are silent still, or left.',
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
    'hoster_incident_told_devices',
    'Number of phones of an incident of many phones without a common cause when it was last told: it is told again as it doubles.',
    ({ toldSize }) => (toldSize === 0 ? undefined : toldSize),
  ),
];

/** Metrics of an incident that ended within a day. */
export const endedIncidentRows: readonly Row<EndedIncident>[] = [
  samples(
    'gauge',
    'hoster_incident_ended_seconds',
    'How long an incident lasted that ended within a day, and why it ended; at most the 1,000 newest.',
    ['problem', 'reason'],
    ({ since, endedAt, problem, reason }) => [[(endedAt - since) / 1000, problem, reason]],
  ),
];
