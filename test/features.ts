import type { Features } from '../src/metrics/families.ts';
import { load } from './unit/config/sources.ts';

/** Features of the default configuration. */
export const USUAL_FEATURES: Features = load({}).config.features;

/** Everything that can be exported. */
export const ALL_FEATURES: Features = {
  tunnel_endpoints: true,
  rental_ids: true,
};
