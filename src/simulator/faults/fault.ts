import type { Socket } from 'node:net';
import type { Clock } from '../../clock.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { Answer } from '../answer.ts';
import type { Message } from '../message.ts';

/** What a fault gets wrong; each kind is one file. */
export const FAULT_KINDS = ['status', 'framing', 'body', 'listing', 'values', 'socket'] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * Something that goes wrong, by name. It acts at one of three places on the way of an answer to the client: on the answer
 * while it is data, on the message once it is bytes (both pure), or on the socket that the message should be written to.
 */
export type Fault = {
  /** In kebab case, unique. */
  readonly name: string;
  readonly kind: FaultKind;
  /** What the client gets; a sentence for the list of faults. */
  readonly description: string;
  /** Where it can happen. */
  readonly endpoints: readonly Endpoint[];
} & Act;

type Act =
  | { readonly onAnswer: (answer: Answer, occasion: Occasion) => Answer }
  | { readonly onMessage: (message: Message, occasion: Occasion) => Message }
  | { readonly onSocket: (wire: Wire, message: Message) => void };

/** The request that a fault acts on. */
export type Occasion = {
  readonly endpoint: Endpoint;
  /** The request's path. */
  readonly path: string;
  /** The simulated moment, in milliseconds since 1970. */
  readonly now: number;
  /** Where the simulator is reached under another name: another origin, as far as a client can tell. */
  readonly otherOrigin: string;
  /** How often this fault has acted before, since it was switched on. */
  readonly count: number;
  /** Answers the same request with other query parameters. */
  readonly ask: (parameters: Readonly<Record<string, string>>) => Answer;
};

/** A connection on which a request was read and nothing was answered yet. A fault that writes also ends it. */
export type Wire = { readonly socket: Socket; readonly after: Clock['after'] };

/** Completes the faults of one kind with what they have in common. */
export function faultsOf(
  kind: FaultKind,
  endpoints: readonly Endpoint[],
  faults: readonly ({ readonly name: string; readonly description: string } & Act)[],
): readonly Fault[] {
  return faults.map((fault) => ({ ...fault, kind, endpoints }));
}
