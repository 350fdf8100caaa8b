import type { Dispatcher } from 'undici';
import type { Headers } from './headers.ts';
import type { Stage } from './network-error.ts';

/** An HTTP answer, whole. */
export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
};

/** A request under way. */
export type Receipt = {
  /** Rejects with what undici says went wrong, or with the reason of the abort. */
  readonly reply: Promise<Reply>;
  /** How far the answer has come. */
  readonly stage: () => Stage;
  /** Gives the request up, and breaks its connection. */
  readonly abort: (reason: unknown) => void;
};

/**
 * Sends a request and collects its answer. In place of undici's `request`, which makes a stream and listens to a signal
 * for each of them: a page is small and wanted whole, and that was a ninth of the CPU of a request.
 */
export function receive(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Receipt {
  let stage: Stage = 'head';
  let abort = (_reason: unknown): void => {};
  const reply = new Promise<Reply>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let givenUp: Error | undefined;
    let status = 0;
    let headers: Headers = {};
    const chunks: Buffer[] = [];
    abort = (reason) => {
      // Whoever gives up does not wait for a connection that is still to come about; what undici is told stays there.
      reject(reason);
      givenUp = new Error('given up');
      controller?.abort(givenUp);
    };
    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        controller = started;
        if (givenUp !== undefined) started.abort(givenUp);
      },
      onResponseStart: (_, statusCode, head) => {
        // Of those below 200 any number may come before the answer, and say nothing.
        if (statusCode < 200) return;
        stage = 'body';
        status = statusCode;
        headers = head;
      },
      onResponseData: (_, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        const [first] = chunks;
        const body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
        resolve({ status, headers, body });
      },
      onResponseError: (_, error) => reject(error),
    });
  });
  return { reply, stage: () => stage, abort };
}
