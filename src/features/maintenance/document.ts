import { object, text } from '../../fleet/fields.ts';

/** The answer to a maintenance request that holds, or is over. */
export const MAINTENANCE_ANSWER = object({
  id: text('the id of the request'),
  covers: text('the phones that it covers, for people').optional(),
  text: text('what holds, or is told, for people'),
});
