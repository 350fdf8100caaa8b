/** Something that happens again and again. `occur` is told when it happens and says when it happens next. */
export type Recurrence = { at: number; readonly occur: (at: number) => number };

/** What is going to happen, soonest first. */
export type Agenda = {
  readonly add: (recurrence: Recurrence) => void;
  /** Lets everything happen that is due until `to`, in the order of time; two at the same instant in a fixed order. */
  readonly runUntil: (to: number) => void;
};

/** A binary heap: `heap[n]` is not later than `heap[2n + 1]` and `heap[2n + 2]`, so the soonest is `heap[0]`. */
export function createAgenda(): Agenda {
  const heap: Recurrence[] = [];
  return {
    add: (recurrence) => {
      heap.push(recurrence);
      rise(heap, heap.length - 1);
    },
    runUntil: (to) => {
      for (let next = heap[0]; next !== undefined && next.at <= to; next = heap[0]) {
        next.at = next.occur(next.at);
        sink(heap, 0);
      }
    },
  };
}

function rise(heap: Recurrence[], start: number): void {
  let index = start;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!swapIfLater(heap, parent, index)) return;
    index = parent;
  }
}

function sink(heap: Recurrence[], start: number): void {
  let index = start;
  for (;;) {
    const left = 2 * index + 1;
    const child = isLater(heap[left], heap[left + 1]) ? left + 1 : left;
    if (!swapIfLater(heap, index, child)) return;
    index = child;
  }
}

function isLater(one: Recurrence | undefined, other: Recurrence | undefined): boolean {
  return one !== undefined && other !== undefined && one.at > other.at;
}

function swapIfLater(heap: Recurrence[], upper: number, lower: number): boolean {
  const above = heap[upper];
  const below = heap[lower];
  if (above === undefined || below === undefined || above.at <= below.at) return false;
  heap[upper] = below;
  heap[lower] = above;
  return true;
}
