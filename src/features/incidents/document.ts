import * as z from 'zod';
import { FLEET_INCIDENT } from '../../fleet/document.ts';
import { list, number, object, text } from '../../fleet/fields.ts';

/** The incidents of the last days, as `GET /api/v1/incidents` returns them. */
export const INCIDENTS_DOCUMENT = object({
  version: z.literal(1).describe('increases with incompatible changes'),
  from: text('start of the time: incidents that ended before it are left out'),
  incidents: list(
    FLEET_INCIDENT,
    'open and resolved incidents, newest first, with their names and numbers as they were',
  ),
});

const NUMBERS = {
  incidents: number('incidents, without one-time events and those of low severity'),
  outages: number('common causes among them'),
  open: number('open ones among them'),
  soldOfflineSeconds: number('time for which their phones were sold and offline, all of them together'),
  estimatedCents: number('the estimated cost of that time, by your `prices`').optional(),
  acknowledgeSeconds: number('median time from opening to acknowledgement; left out without one').optional(),
  worstAcknowledgeSeconds: number('the longest one').optional(),
  repairSeconds: number('median time from start to end; left out if none has ended').optional(),
  worstRepairSeconds: number('the longest one').optional(),
};

/** The groupings of numbers about incidents. */
export const BY = /^(?:group|phone|month|tag:[a-zA-Z_][a-zA-Z0-9_]*)$/;

/** Numbers about incidents, as `GET /api/v1/incidents?by=…` returns them. */
export const STATISTICS_DOCUMENT = object({
  version: z.literal(1).describe('increases with incompatible changes'),
  from: text('start of the time; the time before it is as long'),
  rows: list(
    object({
      name: text('the group, phone, tag or month; `total` for all of them'),
      ...NUMBERS,
      before: object(NUMBERS).describe('the same numbers of as much time before'),
    }),
    'all incidents together, then a row for each name, the one with most sold time offline first',
  ),
});

export type StatisticsDocument = z.output<typeof STATISTICS_DOCUMENT>;
export type IncidentStatistics = StatisticsDocument['rows'][number];
export type IncidentNumbers = IncidentStatistics['before'];

/** The response to a change. */
export const INCIDENT_CHANGE = object({ text: text('the result, for people') });

export type IncidentsDocument = z.output<typeof INCIDENTS_DOCUMENT>;
