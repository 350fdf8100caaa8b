import { compareIds } from '../model/device.ts';
import type { Neighbour } from '../model/reading.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';

/** Things in the order of their ids. */
export type Sequence<Element> = {
  readonly length: number;
  readonly at: (index: number) => Element | undefined;
};

/** What becomes of what is known or listed. */
export type Joint<Known, Listed> = {
  readonly idOf: (known: Known) => string;
  readonly settle: (before: Known | undefined, listed: Listed) => Known;
  readonly keep: (known: Known) => void;
  /** Is told of what is not listed. */
  readonly miss: (id: string) => void;
};

/** Everything that is known or listed, in order: two lists, each in order, read side by side. */
export function* join<Known extends object, Listed extends Neighbour>(
  known: Sequence<Known>,
  listed: Sequence<Listed>,
  joint: Joint<Known, Listed>,
): SlicedWork<void> {
  let kept = 0;
  for (let fromKnown = 0, fromListed = 0; fromKnown < known.length || fromListed < listed.length; ) {
    const before = known.at(fromKnown);
    const now = listed.at(fromListed);
    const order = compareIds(before && joint.idOf(before), now?.id);
    if (now !== undefined && order >= 0) {
      joint.keep(joint.settle(order === 0 ? before : undefined, now));
    } else if (before !== undefined) {
      joint.keep(before);
      joint.miss(joint.idOf(before));
    }
    if (order <= 0) fromKnown += 1;
    if (order >= 0) fromListed += 1;
    kept += 1;
    if (kept % SLICE_STEPS === 0) yield;
  }
}
