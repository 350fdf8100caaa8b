import { type Shard, WHOLE } from '../../model/shard.ts';
import { countOddities, type OddityEvents } from './oddities.ts';
import { createSharedReaders, type SharedReaders } from './shared-fields.ts';
import { createOpenStatusReader, type OpenStatusReader } from './status.ts';

/** What it takes to read the answers to one account, beside the answers: whom to tell, and what was seen before. */
export type Wire = SharedReaders & {
  readonly events: OddityEvents;
  /** How often these events were told. */
  readonly oddities: () => number;
  readonly readOpenStatus: OpenStatusReader;
  /** The phones that are read whole; of the others only what it takes to count them. */
  readonly shard: Shard;
};

export function createWire(events: OddityEvents, shard: Shard = WHOLE): Wire {
  const oddities = countOddities(events);
  return {
    events: oddities.events,
    oddities: oddities.count,
    readOpenStatus: createOpenStatusReader(oddities.events),
    ...createSharedReaders(oddities),
    shard,
  };
}
