/*
 * What the listener bears, all in one place. None of it is a setting: docs/decisions/0013-what-a-listener-refuses.md says
 * where each figure comes from. Times are in milliseconds, sizes in bytes.
 */

/** Limits that Node keeps itself, in its own names. */
export const NODE_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 8_000,
  maxHeaderSize: 8 * 1024,
} as const;

/** A socket on which nothing moves for this long while a request or an answer is on its way is closed. */
export const IDLE_SOCKET_MILLISECONDS = 10_000;

/** Connections that the system keeps for us while we are busy: half a second of a flood. Linux may allow less. */
export const BACKLOG = 1_024;

/** Longest address of a request, in characters. */
export const LONGEST_URL = 2_048;

export type ConnectionLimits = {
  readonly all: number;
  readonly perAddress: number;
  /** Requests of one connection that may wait for their answers at once. */
  readonly requestsPerConnection: number;
  /** How long a connection may take until its next request is there whole, and how long until an answer is taken. */
  readonly stepMilliseconds: number;
  /** What is younger does not give way to others unless nothing else can. */
  readonly patienceMilliseconds: number;
};

export const CONNECTION_LIMITS: ConnectionLimits = {
  all: 512,
  perAddress: 32,
  requestsPerConnection: 16,
  stepMilliseconds: 10_000,
  patienceMilliseconds: 1_000,
};

export type AnswerLimits = {
  /** Answers under way at once. */
  readonly all: number;
  /** An answer that is younger is cut off only for somebody who has fewer of them under way. */
  readonly patienceMilliseconds: number;
};

export const ANSWER_LIMITS: AnswerLimits = { all: 40, patienceMilliseconds: 1_000 };
