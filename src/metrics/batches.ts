import { createEncoder, type EncodeRow, type Piece } from './encode.ts';
import type { Row } from './row.ts';
import { escapeLabelValue } from './text.ts';
import type { Part } from './view.ts';

/**
 * Subjects that are encoded and compressed together. Fewer would compress worse and cost more set-up each; more would
 * be compressed anew because of a single one that changed.
 */
export const BATCH_SIZE = 128;

/** What was made of each batch, for each row. */
export type Batches<Converted> = readonly (readonly Converted[])[];

/**
 * What `convert` makes of the text of each batch, for each row, in order. A batch never reaches from one account into
 * the next, so that a poll of one account does not touch the batches of others. All rows look at a batch before the next
 * batch, as its subjects are in the processor's cache then. Yields after each text, and returns the whole.
 *
 * Where a row would say of a batch what it said in `before`, what was made of it then is taken over, and no text is
 * made at all.
 *
 * @param known what was made of `before`
 */
export function* renderBatches<Subject, Converted>(
  rows: readonly Row<Subject>[],
  identityLabels: readonly string[],
  before: readonly Part<Subject>[],
  known: Batches<Converted>,
  parts: readonly Part<Subject>[],
  convert: (piece: Piece) => Converted,
): Generator<void, Batches<Converted>> {
  const made = rows.map((row, index) => ({
    row,
    earlier: known[index] ?? [],
    batches: Array.of<Converted>(),
  }));
  const encoder = createEncoder();
  let batchesAhead = 0;
  for (const [account, part] of parts.entries()) {
    const old = before[account];
    for (let from = 0, batch = batchesAhead; from < part.subjects.length; from += BATCH_SIZE, batch += 1) {
      if (isKept(old, part) && made.every(({ earlier }) => earlier[batch] !== undefined)) {
        for (const { earlier, batches } of made) batches.push(...earlier.slice(batch, batch + 1));
        yield;
        continue;
      }
      const subjects = part.subjects.slice(from, from + BATCH_SIZE);
      const oldSubjects = old === undefined ? undefined : sameMembers(old, part, subjects, from);
      let encode: EncodeRow | undefined;
      for (const { row, earlier, batches } of made) {
        const converted = earlier[batch];
        if (
          converted !== undefined &&
          oldSubjects !== undefined &&
          readsTheSame(row, oldSubjects, subjects)
        ) {
          batches.push(converted);
          continue;
        }
        encode ??= encoder.batch(identitiesOf(identityLabels, part, subjects, from));
        batches.push(convert(encode(row, subjects)));
        yield;
      }
      yield;
    }
    batchesAhead += Math.ceil((old?.subjects.length ?? 0) / BATCH_SIZE);
  }
  return made.map(({ batches }) => batches);
}

/** Whether all subjects of an account are the very ones of before. */
function isKept<Subject>(old: Part<Subject> | undefined, part: Part<Subject>): boolean {
  return old?.account === part.account && old.subjects === part.subjects;
}

function identitiesOf<Subject>(
  labels: readonly string[],
  part: Part<Subject>,
  subjects: readonly Subject[],
  from: number,
): readonly string[] {
  return subjects.map((subject, index) => identityOf(labels, part, subject, from + index));
}

function identityOf<Subject>(
  labels: readonly string[],
  { account, id }: Part<Subject>,
  subject: Subject,
  index: number,
): string {
  const first = `account="${escapeLabelValue(account)}"`;
  return id === undefined ? first : `${first},${labels[1]}="${escapeLabelValue(id(subject, index))}"`;
}

/** The old subjects in the place of these, if they are the same ones by their names, and all there were. */
function sameMembers<Subject>(
  old: Part<Subject>,
  part: Part<Subject>,
  subjects: readonly Subject[],
  from: number,
): readonly Subject[] | undefined {
  if (old.account !== part.account) return undefined;
  const oldSubjects = old.subjects.slice(from, from + BATCH_SIZE);
  if (oldSubjects.length !== subjects.length) return undefined;
  for (const [index, subject] of subjects.entries()) {
    const oldSubject = oldSubjects[index];
    if (oldSubject === undefined) return undefined;
    if (old.id?.(oldSubject, from + index) !== part.id?.(subject, from + index)) return undefined;
  }
  return oldSubjects;
}

/** Whether a row says of these subjects, which are as many, what it said of the old ones. */
function readsTheSame<Subject>(
  row: Row<Subject>,
  oldSubjects: readonly Subject[],
  subjects: readonly Subject[],
): boolean {
  for (let index = 0; index < subjects.length; index += 1) {
    const [old, subject] = [oldSubjects[index], subjects[index]];
    if (old === undefined || subject === undefined || !row.readsTheSame(old, subject)) return false;
  }
  return true;
}
