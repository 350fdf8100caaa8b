import type { ApiEvents } from '../../model/api-events.ts';
import type { DeviceKind, DeviceState } from '../../model/device.ts';
import { createMemo } from './memo.ts';
import {
  createOpenStatusReader,
  readMarketplaceStatus,
  readRentalStatus,
  readSetupStatus,
} from './status.ts';
import { readSharedText } from './text.ts';

type Text = string | null | undefined;

/** The fields of a "Device" of the API document that many devices share. */
export type SharedFields = {
  readonly brand?: Text;
  readonly model?: Text;
  readonly appVersion?: Text;
  readonly setupStatus?: Text;
  readonly rentalStatus?: Text;
  readonly marketplaceStatus?: Text;
  readonly selfRent?: { readonly status?: Text } | null | undefined;
  readonly rotation?: Rotation | null | undefined;
};

type Rotation = { readonly status?: Text; readonly intervalInMs?: number | null | undefined };

/** Readers of what many devices of one account share: one object for all that say the same in the same words. */
export type SharedReaders = {
  readonly readKind: (item: SharedFields) => DeviceKind;
  readonly readState: (item: SharedFields) => DeviceState;
};

type Listener = Pick<ApiEvents, 'unknownEnum' | 'labelSanitized'>;

export function createSharedReaders(events: Listener): SharedReaders {
  const { heard, oddities } = listener(events);
  const readOpenStatus = createOpenStatusReader(heard);
  return {
    readKind: sharing(kindKey, oddities, (item) => ({
      brand: readSharedText('brand', item.brand, heard),
      model: readSharedText('model', item.model, heard),
      appVersion: readSharedText('app_version', item.appVersion, heard),
    })),
    readState: sharing(stateKey, oddities, (item) => ({
      setupStatus: readSetupStatus('setupStatus', item.setupStatus, heard),
      rentalStatus: readRentalStatus('rentalStatus', item.rentalStatus, heard),
      marketplaceStatus: readMarketplaceStatus('marketplaceStatus', item.marketplaceStatus, heard),
      selfRentStatus: readOpenStatus('selfRent.status', item.selfRent?.status),
      rotationStatus: readOpenStatus('rotation.status', item.rotation?.status),
      rotationIntervalMilliseconds: item.rotation?.intervalInMs ?? undefined,
    })),
  };
}

/** Longest text of a device that is remembered, the fields of one object together. */
const LONGEST = 256;

/** What is odd about a device has to be told each time, so only such as have nothing odd about them are remembered. */
function sharing<Value>(
  keyOf: (item: SharedFields) => string,
  oddities: () => number,
  read: (item: SharedFields) => Value,
): (item: SharedFields) => Value {
  const memo = createMemo<Value>(LONGEST);
  return (item) => {
    const key = keyOf(item);
    const known = memo.recall(key);
    if (known !== undefined) return known;
    const before = oddities();
    const value = read(item);
    if (oddities() === before) memo.keep(key, value);
    return value;
  };
}

/** Passes on what it is told, and counts it. */
function listener(events: Listener): { readonly heard: Listener; readonly oddities: () => number } {
  let oddities = 0;
  const heard: Listener = {
    unknownEnum: (field) => {
      oddities += 1;
      events.unknownEnum(field);
    },
    labelSanitized: (label) => {
      oddities += 1;
      events.labelSanitized(label);
    },
  };
  return { heard, oddities: () => oddities };
}

/*
 * The words of a device, joined by what no plain word and no printable text has in it: two devices without oddities have
 * the same key only where they say the same. An empty text and none are the same, as the former is odd where it matters.
 */
const SEPARATOR = '\0';

function kindKey({ brand, model, appVersion }: SharedFields): string {
  return `${brand ?? ''}${SEPARATOR}${model ?? ''}${SEPARATOR}${appVersion ?? ''}`;
}

function stateKey(item: SharedFields): string {
  const { setupStatus, rentalStatus, marketplaceStatus, selfRent, rotation } = item;
  const own = `${setupStatus ?? ''}${SEPARATOR}${rentalStatus ?? ''}${SEPARATOR}${marketplaceStatus ?? ''}`;
  const turns = `${rotation?.status ?? ''}${SEPARATOR}${rotation?.intervalInMs ?? ''}`;
  return `${own}${SEPARATOR}${selfRent?.status ?? ''}${SEPARATOR}${turns}`;
}
