import { say, sayIf } from '../../../text/say.ts';

/* The page's texts that several parts share. Those for problems are in src/fleet/words.ts. */

/** The states of a cell, costliest first, with the mark next to its colour. */
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

/** Names an event from the exporter, such as `rental begun`. */
export function eventText(event: string): string {
  return sayIf(`event-${event.replace(' ', '_')}`) ?? event;
}
