import type { Device } from '../model/device.ts';

/** What the API answered, and when. */
export type Answer<Value> = {
  readonly value: Value;
  /**
   * When the API says it answered (`Date` header) in milliseconds since 1970, where that is usable and no cache in
   * between (`Age`) served it; else our own clock at the middle of the request.
   */
  readonly apiTime: number;
};

/** One page of the device list ("Device list page" of the API document). */
export type DevicePage = {
  readonly devices: readonly Device[];
  /** Items of this page that were no device with a usable `deviceId`. */
  readonly rejected: number;
  readonly total: number;
  readonly page: number | undefined;
  readonly limit: number | undefined;
  readonly totalPages: number | undefined;
};
