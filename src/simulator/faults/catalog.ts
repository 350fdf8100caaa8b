import { BODY_FAULTS } from './body.ts';
import type { Fault } from './fault.ts';
import { FRAMING_FAULTS } from './framing.ts';
import { LISTING_FAULTS } from './listing.ts';
import { SOCKET_FAULTS } from './socket.ts';
import { STATUS_FAULTS } from './status.ts';
import { VALUE_FAULTS } from './values.ts';

/** Everything that the simulator can get wrong. */
export const FAULTS: readonly Fault[] = [
  ...STATUS_FAULTS,
  ...FRAMING_FAULTS,
  ...BODY_FAULTS,
  ...LISTING_FAULTS,
  ...VALUE_FAULTS,
  ...SOCKET_FAULTS,
];
