import { alertFamilies } from '../src/alerts/rows.ts';
import { FEATURES } from '../src/features.ts';
import { coreFamilies, type Family, type Switches } from '../src/metrics/families.ts';
import { load } from './unit/config/sources.ts';

/** Features of the default configuration. */
export const USUAL_FEATURES: Switches = load({}).config.features;

/** Everything that can be exported. */
export const ALL_FEATURES: Switches = {
  tunnel_endpoints: true,
  rental_ids: true,
};

/** Lists the families of the core and of all features, in the order of the page. */
export function familiesOf(switches: Switches): readonly Family[] {
  return [
    ...coreFamilies(switches),
    ...alertFamilies(switches),
    ...FEATURES.flatMap((feature) => feature.families?.(switches) ?? []),
  ];
}
