import { hasLiveSelfRent } from '../model/device.ts';
import type { FleetSummary, Neighbour, Phones } from '../model/reading.ts';
import { OTHER } from '../model/status.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';

/** What is asked of a fleet as a whole. */
export function* summarise(devices: Phones, neighbours: readonly Neighbour[]): SlicedWork<FleetSummary> {
  const none = { listed: 0, not_listed: 0, other: 0 };
  const counts = { sold: { ...none }, self_rented: { ...none }, idle: { ...none }, other: { ...none } };
  const liveSelfRents: string[] = [];
  let steps = 0;
  const { ids, states, rentalIds } = devices.columns;
  for (let index = 0; index < devices.length; index += 1) {
    const [id, state] = [ids[index], states[index]];
    if (id === undefined || state === undefined) continue;
    counts[state.rentalStatus ?? OTHER][state.marketplaceStatus ?? OTHER] += 1;
    if (hasLiveSelfRent({ state, rentalId: rentalIds[index] })) liveSelfRents.push(id);
    steps += 1;
    if (steps % SLICE_STEPS === 0) yield;
  }
  for (const { state } of neighbours) {
    counts[state.rentalStatus ?? OTHER][state.marketplaceStatus ?? OTHER] += 1;
    steps += 1;
    if (steps % SLICE_STEPS === 0) yield;
  }
  return { counts, liveSelfRents };
}
