import type { Socket } from 'node:net';
import type { Clock } from '../../../src/base/clock.ts';
import {
  type EncodedResponse,
  encodeResponse,
  type SimulatedResponse,
} from '../../../src/features/demo/response.ts';
import type { Endpoint } from '../../../src/model/enums.ts';

/** Kinds of faults, by the part of a response that is wrong. */
const FAULT_KINDS = ['status', 'framing', 'body', 'listing', 'values', 'socket'] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * A fault by name. It acts at one of three places: on the response, on the encoded response (both pure), or on the socket
 * that the response would be written to.
 */
export type Fault = {
  /** In kebab case, unique. */
  readonly name: string;
  readonly kind: FaultKind;
  /** Effect on the client, for the list of faults. */
  readonly description: string;
  /** Endpoints that can have it. */
  readonly endpoints: readonly Endpoint[];
} & FaultAction;

type FaultAction =
  | { readonly onResponse: (response: SimulatedResponse, context: FaultContext) => SimulatedResponse }
  | { readonly onEncoded: (encoded: EncodedResponse, context: FaultContext) => EncodedResponse }
  | { readonly onSocket: (connection: FaultConnection, encoded: EncodedResponse) => void };

/** The request that a fault acts on, and its circumstances. */
export type FaultContext = {
  readonly endpoint: Endpoint;
  /** The request's path. */
  readonly path: string;
  /** The simulated moment, in milliseconds since 1970. */
  readonly now: number;
  /** Address of the simulator by another name, which is another origin for a client. */
  readonly otherOrigin: string;
  /** Number of times that this fault has acted before, since it was switched on. */
  readonly count: number;
  /** Returns the response to the same request with other query parameters. */
  readonly respondWith: (parameters: Readonly<Record<string, string>>) => SimulatedResponse;
};

/** A connection whose request was read, without a response yet. A fault that writes to it also ends it. */
export type FaultConnection = { readonly socket: Socket; readonly after: Clock['after'] };

/** Adds the common fields to the faults of one kind. */
export function faultsOf(
  kind: FaultKind,
  endpoints: readonly Endpoint[],
  faults: readonly ({ readonly name: string; readonly description: string } & FaultAction)[],
): readonly Fault[] {
  return faults.map((fault) => ({ ...fault, kind, endpoints }));
}

/** A fault that acts on a request, and the number of times it did so before. */
export type ActingFault = { readonly fault: Fault; readonly count: number };

/** Encodes a response, and applies faults to it before and after. */
export function applyFaults(
  response: SimulatedResponse,
  acting: readonly ActingFault[],
  context: Omit<FaultContext, 'count'>,
): EncodedResponse {
  let faulty = response;
  for (const { fault, count } of acting) {
    if ('onResponse' in fault) faulty = fault.onResponse(faulty, { ...context, count });
  }
  let encoded = encodeResponse(faulty, context.now);
  for (const { fault, count } of acting) {
    if ('onEncoded' in fault) encoded = fault.onEncoded(encoded, { ...context, count });
  }
  return encoded;
}
