import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { FleetEvent } from '../model/event.ts';
import { MINUTE } from '../model/time.ts';

/** Maximum number of lines in a minute; an event beyond them is only counted. */
const MAX_LINES = 60;

/** Writes a line for each event, to a logger of its own name. */
type EventLog = {
  readonly write: (events: readonly FleetEvent[]) => void;
  /** Switches it on or off (`log.events`). */
  readonly setEnabled: (enabled: boolean) => void;
};

export function createEventLog(log: Log, clock: Pick<Clock, 'after'>, initiallyEnabled: boolean): EventLog {
  const events = log.child({ logger: 'events' });
  let enabled = initiallyEnabled;
  let lines = 0;
  let leftOut = 0;
  const endMinute = (): void => {
    if (leftOut > 0) events.info({ left_out: leftOut }, 'events of the last minute were left out');
    lines = 0;
    leftOut = 0;
  };
  return {
    write: (happened) => {
      if (!enabled) return;
      for (const event of happened) {
        if (lines === 0) clock.after(MINUTE, endMinute);
        lines += 1;
        if (lines > MAX_LINES) leftOut += 1;
        else events.info(fieldsOf(event), event.event);
      }
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
