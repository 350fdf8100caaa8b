import type { Device } from '../../model/device.ts';
import type { DevicePage } from '../answer.ts';
import type { Reader } from '../understand.ts';
import { type ItemsReader, readDevice, readPage } from './device-page.ts';
import { createKnownItemsBuilder, type KnownItems, NO_ITEMS } from './known-items.ts';
import { isFound, lookForItems, type Sight } from './page-sight.ts';
import type { Wire } from './wire.ts';

/** What a new item says, and whether that may be remembered. */
type Read = { readonly device: Device | undefined; readonly isPlain: boolean };

/** What is known of the pages of a list, by their numbers, and what it takes to read more of them. */
export type PageMemory = { readonly wire: Wire; readonly pages: Map<number, KnownItems> };

export function createPageMemory(wire: Wire): PageMemory {
  return { wire, pages: new Map() };
}

/** Makes of a page what is wanted of it. */
export type PageTaker<Value> = {
  readonly take: (page: DevicePage, number: number) => Value;
};

/**
 * Reads a page of a list that is read again and again. Nearly every item of it is the one of the time before, byte by
 * byte, save for its heartbeat: such an item is known by a fingerprint and cut out of the body, and only what remains is
 * decoded and validated. An item about which something was told is not remembered, so that it is told each time.
 */
export class PageReader<Value> implements Reader<Value>, ItemsReader {
  readonly #memory: PageMemory;
  readonly #number: number;
  readonly #taker: PageTaker<Value>;
  #body: Uint8Array = NO_BYTES;
  #sight: Sight | undefined;

  /** @param number of the page */
  constructor(memory: PageMemory, number: number, taker: PageTaker<Value>) {
    this.#memory = memory;
    this.#number = number;
    this.#taker = taker;
  }

  open(body: Uint8Array): Uint8Array {
    this.#body = body;
    this.#sight = lookForItems(body, this.#known());
    return this.#sight?.rest ?? body;
  }

  read(data: unknown): { readonly value: Value } | undefined {
    const page = readPage(data, this.#memory.wire, this);
    const read = page && { value: this.#taker.take(page, this.#number) };
    // The question may be old by now, and be kept with its reader until the old generation is collected.
    this.#body = NO_BYTES;
    this.#sight = undefined;
    return read;
  }

  readItems(items: readonly unknown[], total: number): readonly (Device | undefined)[] | undefined {
    const { wire, pages } = this.#memory;
    const sight = this.#sight;
    const read = items.map((item) => readNew(item, wire));
    // Where they are not as many, the list that was looked at is another one than the page's.
    const isSeen = sight?.strangers === items.length;
    if (isSeen) pages.set(this.#number, remembered(this.#known(), sight, read));
    else pages.delete(this.#number);
    const devices = isSeen ? joined(sight, read) : read.map(({ device }) => device);
    if (this.#number === 1) forgetBeyond(pages, Math.ceil(total / Math.max(1, devices.length)));
    const isWhole = isSeen || sight === undefined || sight.rest === this.#body;
    return isWhole ? devices : undefined;
  }

  #known(): KnownItems {
    return this.#memory.pages.get(this.#number) ?? NO_ITEMS;
  }
}

const NO_BYTES = new Uint8Array();

function readNew(item: unknown, wire: Wire): Read {
  const before = wire.oddities();
  const device = readDevice(item, wire);
  return { device, isPlain: device !== undefined && wire.oddities() === before };
}

function forgetBeyond(pages: Map<number, KnownItems>, last: number): void {
  for (const number of pages.keys()) if (number > last) pages.delete(number);
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
