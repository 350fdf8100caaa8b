import * as z from 'zod';
import { incidentSchema } from '../../fleet/document.ts';
import { AMOUNT, list, NOTE, object } from '../../fleet/fields.ts';

const notes = { notes: list(NOTE).optional() };

/** The fields of incidents and phones in the fleet's document. */
export const INCIDENT_FIELDS = {
  incident: {
    acknowledgedAt: z.string().optional(),
    acknowledgedBy: z.string().optional(),
    escalated: z.literal(true).optional(),
    soldOfflineSeconds: z.number().optional(),
    estimatedCents: z.number().optional(),
    currency: z.string().optional(),
    ...notes,
  },
  phone: notes,
};

declare module '../../fleet/document.ts' {
  interface IncidentFields extends z.output<z.ZodObject<(typeof INCIDENT_FIELDS)['incident']>> {}
  interface PhoneFields extends z.output<z.ZodObject<typeof notes>> {}
}

/** An incident with the fields of the logbook. */
export const LOGGED_INCIDENT = incidentSchema(INCIDENT_FIELDS.incident);

/** The incidents of the last days, as `GET /api/v1/incidents` returns them. */
export const INCIDENTS_DOCUMENT = object({
  version: z.literal(1),
  from: z.string(),
  incidents: list(LOGGED_INCIDENT),
});

const NUMBERS = {
  incidents: z.number(),
  outages: z.number(),
  open: z.number(),
  soldOfflineSeconds: z.number(),
  estimatedCents: z.number().optional(),
  estimates: list(AMOUNT).optional(),
  acknowledgeSeconds: z.number().optional(),
  worstAcknowledgeSeconds: z.number().optional(),
  repairSeconds: z.number().optional(),
  worstRepairSeconds: z.number().optional(),
};

/** The groupings for numbers about incidents, other than tags. */
export const BY = ['group', 'phone', 'month'] as const;

/** Numbers about incidents, as `GET /api/v1/incidents?by=…` returns them. */
export const STATISTICS_DOCUMENT = object({
  version: z.literal(1),
  from: z.string(),
  knownFrom: z.string(),
  rows: list(
    object({
      name: z.string(),
      account: z.string().optional(),
      ...NUMBERS,
      before: object(NUMBERS),
    }),
  ),
});

export type StatisticsDocument = z.output<typeof STATISTICS_DOCUMENT>;
export type IncidentStatistics = StatisticsDocument['rows'][number];
export type IncidentNumbers = IncidentStatistics['before'];

/** The response to a change, with the time of a note. */
export const INCIDENT_CHANGE = object({ text: z.string(), at: z.string().optional() });

export type IncidentsDocument = z.output<typeof INCIDENTS_DOCUMENT>;
