import { type Memory, NO_PHONES, type PhoneMemory } from '../model/memory.ts';
import type { Fleet, FleetDevice, Money } from '../model/reading.ts';
import type { AccountSnapshot } from '../model/snapshot.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';
import { Packer } from './pack.ts';

/**
 * A settled fleet in which the phones that are new to this process go on from what is remembered of them. The time since
 * then counts for nothing, since nobody saw what a phone did in it.
 *
 * @param previous the fleet before; a phone that stands in it has been recalled already, or was never known
 */
export function* recallFleet(
  fleet: Fleet,
  previous: Fleet | undefined,
  phones: Memory['phones'],
): SlicedWork<Fleet> {
  if (phones.size === 0) return fleet;
  const known = new Set<string>();
  for (const { device } of previous?.devices ?? []) {
    known.add(device.id);
    if (known.size % SLICE_STEPS === 0) yield;
  }
  const packer = new Packer(fleet.devices.length, fleet.devices);
  for (const entry of fleet.devices) {
    const memory = known.has(entry.device.id) ? undefined : phones.get(entry.device.id);
    packer.push(memory === undefined ? entry : recallPhone(entry, memory, fleet.apiTime));
    if (packer.length % SLICE_STEPS === 0) yield;
  }
  return { ...fleet, devices: packer.packed() };
}

function recallPhone(entry: FleetDevice, memory: PhoneMemory, apiTime: number): FleetDevice {
  const { rentalStatusSeconds, rentalStatusSince: since } = memory;
  // A beginning that lies ahead comes from a clock that was wrong then, or is now.
  const unchanged =
    memory.rentalStatus === entry.device.state.rentalStatus && since !== undefined && since <= apiTime;
  return { ...entry, rentalStatusSeconds, rentalStatusSince: unchanged ? since : entry.rentalStatusSince };
}

/** The phones that are still only remembered after a listing: none, once it was complete. */
export function phonesAfter(fleet: Fleet | undefined, phones: Memory['phones']): Memory['phones'] {
  return fleet?.listing.complete === true ? NO_PHONES : phones;
}

/** What a restart would lose of the balance: what the next one is compared with, and the sums of what it did. */
export function rememberedMoney({ balance, memory }: AccountSnapshot): Money | undefined {
  return balance.data ?? memory.money;
}

/** What a restart would lose of an account's phones, in any order; of a phone that comes twice, the last one holds. */
export function* rememberedPhones({
  devices,
  memory,
}: AccountSnapshot): Generator<readonly [string, PhoneMemory]> {
  yield* memory.phones;
  for (const { device, rentalStatusSince, rentalStatusSeconds } of devices.data?.devices ?? []) {
    yield [device.id, { rentalStatus: device.state.rentalStatus, rentalStatusSince, rentalStatusSeconds }];
  }
}
