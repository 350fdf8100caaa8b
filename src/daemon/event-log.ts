import type { Clock } from '../base/clock.ts';
import { type Log, limitLog } from '../base/log.ts';
import type { FleetEvent } from '../model/event.ts';

/** Maximum number of lines per minute. */
const MAX_LINES = 60;

/** Writes a line for each event, with `logger=events`. */
type EventLog = {
  readonly write: (events: readonly FleetEvent[]) => void;
  /** Enables or disables it (`log.events`). */
  readonly setEnabled: (enabled: boolean) => void;
};

export function createEventLog(
  log: Log,
  clock: Pick<Clock, 'monotonic'>,
  initiallyEnabled: boolean,
): EventLog {
  const events = limitLog(log.child({ logger: 'events' }), clock, MAX_LINES);
  let enabled = initiallyEnabled;
  return {
    write: (happened) => {
      if (enabled) for (const event of happened) events.info(fieldsOf(event), event.event);
    },
    setEnabled: (wanted) => {
      enabled = wanted;
    },
  };
}

function fieldsOf(event: FleetEvent): Readonly<Record<string, string | number>> {
  const { previousPollAt, pollAt } = event;
  const polls = {
    ...(previousPollAt !== undefined && { previous_poll: new Date(previousPollAt).toISOString() }),
    ...(pollAt !== undefined && { poll: new Date(pollAt).toISOString() }),
  };
  const { account } = event;
  if (!('incident' in event)) {
    const { deviceId, label, group, from, to } = event;
    return { account, device_id: deviceId, label, group, from, to, ...polls };
  }
  const { id, problem, deviceId, label, group, kind, value, since, members } = event.incident;
  return {
    account,
    incident: id,
    problem,
    ...(deviceId !== '' && { device_id: deviceId, label, group }),
    ...(kind !== '' && { kind }),
    ...(value !== '' && { value }),
    ...(members.size > 0 && { devices: members.size }),
    since: new Date(since).toISOString(),
    ...('reason' in event.incident && { reason: event.incident.reason }),
    ...polls,
  };
}
