import type { SlicedWork } from '../slices.ts';
import type { AlikeTexts } from './bytes.ts';
import type { Encoder, Piece } from './encode.ts';
import type { Row } from './row.ts';
import { escapeLabelValue } from './text.ts';
import type { Part } from './view.ts';

/**
 * Subjects that are encoded and compressed together. Fewer would compress worse and cost more set-up each; more would
 * be compressed anew because of a single one that changed.
 */
export const BATCH_SIZE = 128;

/** Batches that are kept as they are, each in a microsecond, before others get a turn. */
const KEPT_BATCHES = 64;

/** Where the batches of a row go, in order. */
export type Output<Made> = {
  /** What was made of the batches of before. */
  readonly before: readonly Made[];
  /** Takes over what was made of a batch then. */
  readonly keep: (made: Made) => void;
  /** Takes the text of a batch. */
  readonly add: (piece: Piece) => void;
};

/**
 * Puts the text of each batch out, for each row. A batch never reaches from one account into the next, so that a poll of
 * one account does not touch the batches of others. All rows look at a batch before the next batch, as its subjects are
 * in the processor's cache then. Yields after each text, and every {@link KEPT_BATCHES} where there is none to make.
 *
 * Where a row would say of a batch what it said in `before`, what was made of it then is kept, and no text is made at
 * all.
 *
 * @param outputs one for each row
 */
export function* renderBatches<Subject, Made>(
  rows: readonly Row<Subject>[],
  identityLabels: readonly string[],
  before: readonly Part<Subject>[],
  parts: readonly Part<Subject>[],
  outputs: readonly Output<Made>[],
  encoder: Encoder,
): SlicedWork<void> {
  let batchesAhead = 0;
  for (const [account, part] of parts.entries()) {
    const old = before[account];
    for (let from = 0, batch = batchesAhead; from < part.subjects.length; from += BATCH_SIZE, batch += 1) {
      if (isKept(old, part) && keepAll(outputs, batch)) {
        if (batch % KEPT_BATCHES === 0) yield;
        continue;
      }
      const subjects = part.subjects.slice(from, from + BATCH_SIZE);
      const oldSubjects = old === undefined ? undefined : sameMembers(old, part, subjects, from);
      let isBegun = false;
      for (const [index, row] of rows.entries()) {
        const output = outputs[index];
        const made = output?.before[batch];
        if (made !== undefined && oldSubjects !== undefined && readsTheSame(row, oldSubjects, subjects)) {
          output?.keep(made);
          continue;
        }
        if (!isBegun) encoder.begin(identitiesOf(identityLabels, part, subjects, from));
        isBegun = true;
        output?.add(encoder.encode(row, subjects));
        yield;
      }
      yield;
    }
    batchesAhead += Math.ceil((old?.subjects.length ?? 0) / BATCH_SIZE);
  }
}

/** Keeps a batch for all rows, if it was there before for all of them. */
function keepAll<Made>(outputs: readonly Output<Made>[], batch: number): boolean {
  for (const { before } of outputs) if (batch >= before.length) return false;
  for (const output of outputs) {
    const made = output.before[batch];
    if (made !== undefined) output.keep(made);
  }
  return true;
}

/** Whether all subjects of an account are the very ones of before. */
function isKept<Subject>(old: Part<Subject> | undefined, part: Part<Subject>): boolean {
  return old?.account === part.account && old.subjects === part.subjects;
}

/** The texts of the labels that identify the subjects of a batch. */
function identitiesOf<Subject>(
  labels: readonly string[],
  { account, id }: Part<Subject>,
  subjects: readonly Subject[],
  from: number,
): AlikeTexts {
  const first = `account="${escapeLabelValue(account)}"`;
  if (id === undefined) return { start: first, middles: subjects.map(() => ''), end: '' };
  const ids = subjects.map((subject, index) => escapeLabelValue(id(subject, from + index)));
  return { start: `${first},${labels[1]}="`, middles: ids, end: '"' };
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
  for (let index = 0; index < subjects.length; index += 1) {
    const [oldSubject, subject] = [oldSubjects[index], subjects[index]];
    if (oldSubject === undefined || subject === undefined) return undefined;
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
