import type { ApiError, Refusal } from './errors.ts';

/**
 * Keeps a refused key from being sent again and again: questions that were waiting when it was refused are not sent any
 * more. Those asked later are, since whoever asks them knows of the refusal.
 */
export type KeyGuard = {
  /** A mark of the refusals so far, for a question that is asked now. */
  readonly mark: () => number;
  /** Why a question with this mark is not sent. */
  readonly refusal: (mark: number) => Refusal | undefined;
  readonly failed: (failure: ApiError) => void;
};

export function createKeyGuard(): KeyGuard {
  let refusals = 0;
  let code: string | undefined;
  return {
    mark: () => refusals,
    refusal: (mark) =>
      mark === refusals
        ? undefined
        : { reason: 'unauthorized', got: 'not sent, as the key was refused meanwhile', code },
    failed: (failure) => {
      if (failure.reason !== 'unauthorized') return;
      refusals += 1;
      code = failure.code;
    },
  };
}
