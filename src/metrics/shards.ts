import { encodeShard, type Piece } from './encode.ts';
import type { Row, Sample } from './row.ts';
import type { Part } from './view.ts';

/**
 * Subjects that are encoded and compressed together. Fewer would compress worse and cost more set-up each; more would
 * be compressed anew because of a single one that changed, and hold the event loop longer.
 */
export const SHARD_SIZE = 128;

/**
 * What `convert` makes of the text of each shard of `parts`, in order. A shard never reaches from one account into the
 * next, so that a poll of one account does not touch the shards of others.
 *
 * Where a shard would read as it did in `before`, what was made of it then is taken over, and no text is made at all.
 *
 * @param known what was made of `before`, one for each of its shards
 */
export function* renderShards<Subject, Converted>(
  row: Row<Subject>,
  identityLabels: readonly string[],
  before: readonly Part<Subject>[],
  known: readonly Converted[],
  parts: readonly Part<Subject>[],
  convert: (piece: Piece) => Converted,
): Generator<Converted, void> {
  let shardsAhead = 0;
  for (const [account, part] of parts.entries()) {
    const old = before[account];
    for (let from = 0, shard = shardsAhead; from < part.subjects.length; from += SHARD_SIZE, shard += 1) {
      const to = Math.min(from + SHARD_SIZE, part.subjects.length);
      const converted = known[shard];
      yield converted !== undefined && old !== undefined && readsTheSame(row, old, part, from, to)
        ? converted
        : convert(encodeShard(row, identityLabels, part, from, to));
    }
    shardsAhead += Math.ceil((old?.subjects.length ?? 0) / SHARD_SIZE);
  }
}

/** Whether the row says of the subjects of a shard, and of nobody else, what it said of those of the old one. */
function readsTheSame<Subject>(
  row: Row<Subject>,
  old: Part<Subject>,
  part: Part<Subject>,
  from: number,
  to: number,
): boolean {
  if (old.account !== part.account) return false;
  if (old.subjects === part.subjects) return true;
  if (Math.min(from + SHARD_SIZE, old.subjects.length) !== to) return false;
  for (let index = from; index < to; index += 1) {
    const earlier = old.subjects[index];
    const subject = part.subjects[index];
    if (earlier === undefined || subject === undefined || old.id?.(index) !== part.id?.(index)) return false;
    if (earlier !== subject && !sameSamples(row.read(earlier), row.read(subject))) return false;
  }
  return true;
}

function sameSamples(earlier: readonly Sample[], samples: readonly Sample[]): boolean {
  if (earlier === samples) return true;
  return (
    earlier.length === samples.length && earlier.every((sample, index) => sameSample(sample, samples[index]))
  );
}

function sameSample(earlier: Sample, sample: Sample | undefined): boolean {
  if (earlier === sample) return true;
  return earlier.length === sample?.length && earlier.every((value, index) => value === sample[index]);
}
