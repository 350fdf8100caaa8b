import { ENDPOINTS, type Endpoint } from '../../src/model/enums.ts';
import { GATEWAY_FAULTS } from './gateway.ts';
import { FAULTS } from './simulated/faults.ts';

/** All faults by name: those in the simulator's responses, and those of the gateway, which affect all endpoints. */
export const CATALOGUE: readonly {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}[] = [...FAULTS, ...GATEWAY_FAULTS.map((fault) => ({ ...fault, endpoints: ENDPOINTS }))];
