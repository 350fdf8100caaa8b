import type { ApiEvents } from '../../model/api-events.ts';
import { type Shard, WHOLE } from '../../model/shard.ts';
import { createSharedReaders, type SharedReaders } from './shared-fields.ts';
import { createOpenStatusReader, type OpenStatusReader } from './status.ts';

/** What it takes to read the answers to one account, beside the answers: whom to tell, and what was seen before. */
export type Wire = SharedReaders & {
  readonly events: ApiEvents;
  readonly readOpenStatus: OpenStatusReader;
  /** The phones that are read whole; of the others only what it takes to count them. */
  readonly shard: Shard;
};

export function createWire(events: ApiEvents, shard: Shard = WHOLE): Wire {
  return {
    events,
    readOpenStatus: createOpenStatusReader(events),
    ...createSharedReaders(events),
    shard,
  };
}
