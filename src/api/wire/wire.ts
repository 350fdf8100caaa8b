import type { ApiEvents } from '../../model/api-events.ts';
import { createOpenStatusReader, type OpenStatusReader } from './status.ts';

/** What it takes to read the answers to one account, beside the answers: whom to tell, and what was seen before. */
export type Wire = {
  readonly events: ApiEvents;
  readonly readOpenStatus: OpenStatusReader;
};

export function createWire(events: ApiEvents): Wire {
  return { events, readOpenStatus: createOpenStatusReader(events) };
}
