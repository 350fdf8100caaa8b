import {
  createMarketplace,
  type Marketplace,
  type MarketplaceOptions,
} from '../../../../src/features/demo/marketplace.ts';
import { createFleet, type Phone } from '../../../../src/features/demo/phones.ts';
import {
  respond,
  type SimulatedAccount,
  type SimulatedRequest,
  type SimulatedResponse,
} from '../../../../src/features/demo/response.ts';
import { isObject, type Json, type JsonObject, listOf } from '../../../json.ts';

export const START = Date.UTC(2026, 0, 5, 12);
export const KEY = 'canary-key-main';

/** A world of 250 phones that stands still but for its heartbeats, unless told otherwise. */
export function marketplaceOf(options: Partial<MarketplaceOptions> = {}): Marketplace {
  const phones = createFleet({ seed: 7, size: 250 });
  return createMarketplace({ seed: 7, startAt: START, phones, lively: false, ...options });
}

export const accountOf = (marketplace: Marketplace): SimulatedAccount => ({ key: KEY, marketplace });

/** Asks with the key; `target` is a path with its query. */
export function ask(
  marketplace: Marketplace,
  target: string,
  request: Partial<SimulatedRequest> = {},
): SimulatedResponse {
  const [path = '', query = ''] = target.split('?');
  const headers = { 'x-api-key': KEY };
  const asked = { method: 'GET', path, query: new URLSearchParams(query), headers, ...request };
  return respond([accountOf(marketplace)], asked);
}

/** The body as a client reads it, without what is omitted. */
export function read(answered: SimulatedResponse): JsonObject {
  const body: Json = JSON.parse(JSON.stringify(answered.body));
  return isObject(body) ? body : {};
}

/** `data` of a successful answer. */
export function dataOf(answered: SimulatedResponse): JsonObject {
  const data = read(answered)['data'];
  return isObject(data) ? data : {};
}

/** `data.items` of a device list. */
export function itemsOf(answered: SimulatedResponse): readonly JsonObject[] {
  return listOf(dataOf(answered)['items']).filter(isObject);
}

/** All items of a listing by pages of 100. */
export function everything(marketplace: Marketplace): readonly JsonObject[] {
  const first = ask(marketplace, `/hoster/v1/devices?limit=100`);
  const pages = Number(dataOf(first)['totalPages']);
  const rest = Array.from({ length: Math.max(0, pages - 1) }, (_, index) =>
    ask(marketplace, `/hoster/v1/devices?limit=100&page=${index + 2}`),
  );
  return [first, ...rest].flatMap(itemsOf);
}

/** The first phone that is like this. */
export function phoneThat(marketplace: Marketplace, is: (phone: Phone) => boolean): Phone {
  const found = marketplace.phones().find(is);
  if (found === undefined) throw new Error('There is no such phone in this fleet.');
  return found;
}

export const tunnelPath = (deviceId: string) => `/hoster/v1/devices/${deviceId}/self-rent/tunnel`;
