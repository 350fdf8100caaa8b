import type { DevicePage } from '../../../src/api/schemas.ts';
import type { Device } from '../../../src/model/device.ts';
import { bareDevice } from '../../builders.ts';

export const phone = (number: number, fields: Partial<Device> = {}): Device =>
  bareDevice({ id: `phone-${String(number).padStart(5, '0')}`, ...fields });

/** Phones by their numbers, the first and the last included. */
export const phones = (from: number, to: number): readonly Device[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => phone(from + index));

/** A page of these phones; by default they are all that there are. */
export function pageOf(devices: readonly Device[], fields: Partial<DevicePage> = {}): DevicePage {
  return {
    devices,
    rejected: 0,
    faulty: false,
    total: devices.length,
    page: undefined,
    limit: undefined,
    totalPages: undefined,
    ...fields,
  };
}

/** Pages of a list of phones that stands still, as the API document describes them. */
export function pagesOf(devices: readonly Device[], size = 100): Record<number, DevicePage> {
  const totalPages = Math.ceil(devices.length / size);
  const numbers = Array.from({ length: Math.max(1, totalPages) }, (_, index) => index + 1);
  return Object.fromEntries(
    numbers.map((page) => {
      const items = devices.slice((page - 1) * size, page * size);
      return [page, pageOf(items, { total: devices.length, page, limit: size, totalPages })];
    }),
  );
}
