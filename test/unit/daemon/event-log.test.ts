import { expect, it } from 'vitest';
import { openIncident } from '../../../src/alerts/incident.ts';
import { createLog } from '../../../src/base/log.ts';
import { createEventLog } from '../../../src/daemon/event-log.ts';
import type { FleetEvent } from '../../../src/model/event.ts';
import { NOON } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';

const SOLD: FleetEvent = {
  ...{ event: 'rental begun', account: 'main', deviceId: 'p1', label: 'rack-07/slot-04', group: 'rack-07' },
  ...{ from: 'idle', to: 'sold', previousPollAt: NOON - 30_000, pollAt: NOON },
};

const OUTAGE = openIncident(
  {
    ...{ problem: 'common_cause', kind: 'group', value: 'rack-07', since: NOON - 60_000 },
    members: new Map(['p1', 'p2'].map((id) => [id, NOON])),
  },
  NOON,
);
const CUT: FleetEvent = {
  event: 'incident ended',
  account: 'main',
  incident: { ...OUTAGE, reason: 'back', endedAt: NOON, closedAt: NOON },
  previousPollAt: undefined,
  pollAt: NOON,
};

function createTestLog(enabled = true) {
  const clock = createFakeClock();
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    format: 'logfmt',
    destination: { write: (line) => lines.push(line.trimEnd()) },
    now: clock.now,
  });
  return { clock, lines, events: createEventLog(log, clock, enabled) };
}

it('the event log writes a line for each event, with a logger name of its own', () => {
  const { lines, events } = createTestLog();
  events.write([SOLD, CUT]);
  expect(lines).toEqual([
    'time=2026-03-01T12:00:00.000Z level=info msg="rental begun" logger=events account=main device_id=p1 label=rack-07/slot-04 group=rack-07 from=idle to=sold previous_poll=2026-03-01T11:59:30.000Z poll=2026-03-01T12:00:00.000Z',
    `time=2026-03-01T12:00:00.000Z level=info msg="incident ended" logger=events account=main incident=${CUT.incident.id} problem=common_cause kind=group value=rack-07 devices=2 since=2026-03-01T11:59:00.000Z reason=back poll=2026-03-01T12:00:00.000Z`,
  ]);
});

it('the event log writes at most 60 lines a minute, and the next line says how many events it left out', () => {
  const { clock, lines, events } = createTestLog();
  events.write(Array.from({ length: 100 }, () => SOLD));
  clock.advance(60_000);
  events.write([SOLD]);
  expect(lines).toHaveLength(61);
  expect(lines[60]).toMatch(/ msg="rental begun" logger=events .* left_out=40$/);
});

it('the event log writes nothing while it is switched off', () => {
  const { lines, events } = createTestLog(false);
  events.write([SOLD]);
  events.setEnabled(true);
  events.write([CUT]);
  expect(lines).toHaveLength(1);
});
