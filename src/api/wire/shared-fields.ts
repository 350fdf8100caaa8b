import type { DeviceKind, DeviceState } from '../../model/device.ts';
import { createWordsMemo, type Word } from './memo.ts';
import type { Oddities } from './oddities.ts';
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

export function createSharedReaders({ events, count }: Oddities): SharedReaders {
  const readOpenStatus = createOpenStatusReader(events);
  return {
    readKind: sharing(KIND_WORDS, count, (item) => ({
      brand: readSharedText('brand', item.brand, events),
      model: readSharedText('model', item.model, events),
      appVersion: readSharedText('app_version', item.appVersion, events),
    })),
    readState: sharing(STATE_WORDS, count, (item) => ({
      setupStatus: readSetupStatus('setupStatus', item.setupStatus, events),
      rentalStatus: readRentalStatus('rentalStatus', item.rentalStatus, events),
      marketplaceStatus: readMarketplaceStatus('marketplaceStatus', item.marketplaceStatus, events),
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
  words: readonly ((item: SharedFields) => Word)[],
  oddities: () => number,
  read: (item: SharedFields) => Value,
): (item: SharedFields) => Value {
  const memo = createWordsMemo<SharedFields, Value>(words, LONGEST);
  return (item) => {
    const known = memo.recall(item);
    if (known !== undefined) return known;
    const before = oddities();
    const value = read(item);
    if (oddities() === before) memo.keep(item, value);
    return value;
  };
}

/*
 * The words of a device. An empty text and none are the same, as the former is odd where it matters; and in those that
 * have nothing odd about them, the same words in the same places are all that there is.
 */
const KIND_WORDS: readonly ((item: SharedFields) => Word)[] = [
  ({ brand }) => brand ?? '',
  ({ model }) => model ?? '',
  ({ appVersion }) => appVersion ?? '',
];

const STATE_WORDS: readonly ((item: SharedFields) => Word)[] = [
  ({ setupStatus }) => setupStatus ?? '',
  ({ rentalStatus }) => rentalStatus ?? '',
  ({ marketplaceStatus }) => marketplaceStatus ?? '',
  ({ selfRent }) => selfRent?.status ?? '',
  ({ rotation }) => rotation?.status ?? '',
  ({ rotation }) => rotation?.intervalInMs ?? '',
];
