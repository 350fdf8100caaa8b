import type { Device } from '../../model/device.ts';
import type { DevicePage } from '../answer.ts';
import { type ReadItems, readDevice, readPage } from './device-page.ts';
import { createKnownItemsBuilder, type KnownItems, NO_ITEMS } from './known-items.ts';
import { isFound, lookForItems, type Sight } from './page-sight.ts';
import type { Wire } from './wire.ts';

/** What a new item says, and whether that may be remembered. */
type Read = { readonly device: Device | undefined; readonly isPlain: boolean };

/** What of a page has to be decoded, and how the `data` in it becomes the whole page. */
export type OpenedPage = {
  readonly body: Uint8Array;
  readonly read: (data: unknown) => DevicePage | undefined;
};

/**
 * Opens pages of a list that is read again and again. Nearly every item of a page is the one of the time before, byte by
 * byte, save for its heartbeat: such an item is known by a fingerprint and cut out of the body, and only what remains is
 * decoded and validated. An item about which something was told is not remembered, so that it is told each time.
 *
 * @returns to be called with the number of a page and its body
 */
export function createPageMemory(wire: Wire): (page: number, body: Uint8Array) => OpenedPage {
  const pages = new Map<number, KnownItems>();

  const readNew = (item: unknown): Read => {
    const before = wire.oddities();
    const device = readDevice(item, wire);
    return { device, isPlain: device !== undefined && wire.oddities() === before };
  };
  const forgetBeyond = (last: number): void => {
    for (const number of pages.keys()) if (number > last) pages.delete(number);
  };

  return (number, body) => {
    const known = pages.get(number) ?? NO_ITEMS;
    const sight = lookForItems(body, known);
    const readItems: ReadItems = (items, total) => {
      const read = items.map(readNew);
      // Where they are not as many, the list that was looked at is another one than the page's.
      const isSeen = sight?.strangers === items.length;
      if (isSeen) pages.set(number, remembered(known, sight, read));
      else pages.delete(number);
      const devices = isSeen ? joined(sight, read) : read.map(({ device }) => device);
      if (number === 1) forgetBeyond(Math.ceil(total / Math.max(1, devices.length)));
      const isWhole = isSeen || sight === undefined || sight.rest === body;
      return isWhole ? devices : undefined;
    };
    return { body: sight?.rest ?? body, read: (data) => readPage(data, wire, readItems) };
  };
}

/** What a page shows: the known items with those that are new, in its order. */
function joined({ items }: Sight, read: readonly Read[]): readonly (Device | undefined)[] {
  let next = 0;
  return items.map((item) => {
    if (isFound(item)) return item.device;
    next += 1;
    return read[next - 1]?.device;
  });
}

/** What is known of a page once it was read. */
function remembered(
  known: KnownItems,
  { items, strangers, bytes }: Sight,
  read: readonly Read[],
): KnownItems {
  const isAllThere = items.length - strangers === known.ids.length;
  if (isAllThere && !read.some(({ isPlain }) => isPlain)) return known;
  const builder = createKnownItemsBuilder();
  const line = read.values();
  for (const item of items) {
    if (isFound(item)) builder.again(known, item.place);
    else {
      const { device, isPlain } = line.next().value ?? {};
      if (device !== undefined && isPlain) builder.add(device, bytes, item.from, item.to);
    }
  }
  return builder.built();
}
