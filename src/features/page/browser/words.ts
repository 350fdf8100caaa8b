import { say, sayIf } from '../../../text/say.ts';

/*
 * The texts of the page that several parts share. Problems and the age of data are in src/fleet/words.ts.
 */

/** The states of a cell, the most costly first, with the mark next to its colour. */
export const CELLS = {
  sold_offline: '!',
  rented_away: '×',
  offline: '?',
  muted: '',
  sold: '',
  self_rented: '•',
  idle: '',
  off: '–',
} as const;

export function cellTitle(state: keyof typeof CELLS): string {
  return say(`cell-${state}`);
}

/** Names an event of the exporter, such as `rental begun`. */
export function eventText(event: string): string {
  return sayIf(`event-${event.replace(' ', '_')}`) ?? event;
}
