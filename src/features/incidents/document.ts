import { z } from 'zod';
import { FLEET_INCIDENT } from '../../fleet/document.ts';
import { list, object, text } from '../../fleet/fields.ts';

/** The incidents of the last days, as `GET /api/v1/incidents` returns them. */
export const INCIDENTS_DOCUMENT = object({
  version: z.literal(1).describe('increases with incompatible changes'),
  from: text('start of the time: incidents that ended before it are left out'),
  incidents: list(
    FLEET_INCIDENT,
    'open and resolved incidents, newest first, with their names and numbers as they were',
  ),
});

export type IncidentsDocument = z.output<typeof INCIDENTS_DOCUMENT>;
