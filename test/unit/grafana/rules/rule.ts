import type { Board } from '../board.ts';

/** A rule that a dashboard keeps: its name as a sentence about dashboards, and where a dashboard breaks it. */
export type Rule = { readonly name: string; readonly breaches: (board: Board) => readonly string[] };

/** The message, unless the condition holds. */
export function unless(holds: boolean, message: string): readonly string[] {
  return holds ? [] : [message];
}

/** Values that occur more than once. */
export function repeated<Value>(values: readonly Value[]): readonly Value[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
