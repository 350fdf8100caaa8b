import type { Phone } from './fleet.ts';
import type { BalanceItem } from './ledger.ts';
import { type DevicePage, devicePage, type ListingOrder, type ListQuery } from './listing.ts';
import { edit, type PhonePatch, release } from './resident.ts';
import type { TunnelItem } from './tunnel.ts';
import { addPhone, advance, createWorld, relist, touch, tunnelOf, type WorldOptions } from './world.ts';

export type MarketplaceOptions = WorldOptions & {
  /** Order of the device list; by default the order of creation. */
  readonly order?: ListingOrder;
};

/** What a script may change about the account itself. */
export type AccountPatch = Partial<Pick<BalanceItem, 'availableCents' | 'pendingCents'>> & {
  /** A suspended account is answered 403 HOSTER_BANNED. */
  readonly suspended?: boolean;
};

/**
 * What one hoster has on the simulated marketplace. The same options and the same times give the same world, whatever
 * the steps in which it is advanced. Instants are milliseconds since 1970.
 */
export type Marketplace = {
  readonly now: () => number;
  /** Moves the world on to an instant; one that is past already changes nothing. */
  readonly advance: (to: number) => void;
  readonly devices: (query: ListQuery) => DevicePage;
  /** The tunnel of a phone, or undefined while it has none that can be read. */
  readonly tunnel: (deviceId: string) => TunnelItem | undefined;
  readonly balance: () => BalanceItem;
  readonly isSuspended: () => boolean;
  /** The phones as they are now, archived ones included, in the order of creation. */
  readonly phones: () => readonly Phone[];
  /**
   * Changes phones from now on. Life no longer touches an edited `online`, `rentalStatus` or `tunnel` until `release`.
   * A removed phone is one that was edited to be archived. Throws a RangeError for an unknown device id.
   */
  readonly edit: (deviceIds: readonly string[], patch: PhonePatch) => void;
  /** Gives edited phones back to life. */
  readonly release: (deviceIds: readonly string[]) => void;
  /** One more phone, now, as the last of the fleet. Throws a RangeError if there is one of this device id. */
  readonly add: (phone: Phone) => void;
  readonly editAccount: (patch: AccountPatch) => void;
};

/** Builds a world. See {@link Marketplace}. */
export function createMarketplace(options: MarketplaceOptions): Marketplace {
  const world = createWorld(options);
  const order = options.order ?? 'creation';
  return {
    now: () => world.now,
    advance: (to) => advance(world, to),
    devices: (query) => devicePage(world.listed, query, order, world.now),
    tunnel: (deviceId) => tunnelOf(world, deviceId),
    balance: () => world.ledger.balance(),
    isSuspended: () => world.suspended,
    phones: () => Array.from(world.residents.values(), ({ phone }) => phone),
    edit: (deviceIds, patch) => touch(world, deviceIds, (resident) => edit(resident, patch, world.now)),
    release: (deviceIds) => touch(world, deviceIds, (resident) => release(resident, world.now)),
    add: (phone) => {
      addPhone(world, phone);
      relist(world);
    },
    editAccount: ({ suspended = world.suspended, ...money }) => {
      world.suspended = suspended;
      world.ledger.set(money);
    },
  };
}
