import type { Features } from '../src/metrics/families.ts';
import { load } from './unit/config/sources.ts';

/** What is exported where nobody says otherwise. */
export const USUAL_FEATURES: Features = load({}).config.features;

/** Everything that can be exported. */
export const ALL_FEATURES: Features = {
  setupStatus: true,
  tunnelDetails: true,
  tunnelEndpoints: true,
  rentalIds: true,
};
