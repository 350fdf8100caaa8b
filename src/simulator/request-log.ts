import type { Endpoint } from '../model/endpoint.ts';
import type { Account, Request } from './answer.ts';

/** A request as the simulator saw it. The key itself is not kept. */
export type SeenRequest = {
  /** When it was read, in milliseconds since 1970 of the simulator's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The query as it was sent, without the question mark. */
  readonly query: string;
  /** Undefined for a path that is none of the API. */
  readonly endpoint: Endpoint | undefined;
  readonly keyPresent: boolean;
  /** The name of the account that the key belongs to. */
  readonly account: string | undefined;
};

/** What was asked of the simulator. */
export type RequestLog = {
  readonly record: (request: SeenRequest) => void;
  /** The latest requests, oldest first. */
  readonly requests: () => readonly SeenRequest[];
  /** How many there were since the beginning, kept or not. */
  readonly counts: () => Readonly<Record<Endpoint | 'other', number>>;
};

/** Keeps at least the latest `limit` requests and at most twice as many, so that forgetting costs next to nothing. */
export function createRequestLog(limit: number): RequestLog {
  let kept: SeenRequest[] = [];
  const counts = { devices: 0, tunnel: 0, balance: 0, other: 0 };
  return {
    record: (request) => {
      counts[request.endpoint ?? 'other'] += 1;
      kept.push(request);
      if (kept.length > 2 * limit) kept = kept.slice(-limit);
    },
    requests: () => kept.slice(-limit),
    counts: () => ({ ...counts }),
  };
}

/** What the log keeps of a request. */
export function seen(
  request: Request,
  endpoint: Endpoint | undefined,
  accounts: readonly Account[],
  at: number,
): SeenRequest {
  const key = request.headers['x-api-key'];
  return {
    at,
    method: request.method,
    path: request.path,
    query: request.query.toString(),
    endpoint,
    keyPresent: key !== undefined,
    account: accounts.find((account) => account.key === key)?.name,
  };
}
