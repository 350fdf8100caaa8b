import { ENDPOINTS, type Endpoint } from '../../model/endpoint.ts';
import { GATEWAY_FAULTS } from '../gateway/faults.ts';
import { BODY_FAULTS } from './body.ts';
import type { Fault } from './fault.ts';
import { FRAMING_FAULTS } from './framing.ts';
import { LISTING_FAULTS } from './listing.ts';
import { SOCKET_FAULTS } from './socket.ts';
import { STATUS_FAULTS } from './status.ts';
import { VALUE_FAULTS } from './values.ts';

/** Everything that the switchboard can switch on: what goes wrong with answers. */
export const FAULTS: readonly Fault[] = [
  ...STATUS_FAULTS,
  ...FRAMING_FAULTS,
  ...BODY_FAULTS,
  ...LISTING_FAULTS,
  ...VALUE_FAULTS,
  ...SOCKET_FAULTS,
];

/**
 * The whole catalogue, by name: what goes wrong with answers, and what goes wrong before any request is read, which
 * concerns all endpoints at once and is the gateway's.
 */
export const CATALOGUE: readonly {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}[] = [...FAULTS, ...GATEWAY_FAULTS.map((fault) => ({ ...fault, endpoints: ENDPOINTS }))];
