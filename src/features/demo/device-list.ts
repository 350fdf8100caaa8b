import { type DeviceItem, deviceItem, type SimulatedPhone } from './phone.ts';

/** "Device list page" of the API document. */
export type DeviceListPage = {
  readonly items: readonly DeviceItem[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
};

/** Query of the device list, validated. Filters and `search`, which the exporter never sends, are ignored. */
export type ListQuery = { readonly page: number; readonly limit: number };

/** Parses the query parameters of the device list; `invalid` describes a problem. Other parameters are ignored. */
export function parseListQuery(
  parameters: URLSearchParams,
): { readonly query: ListQuery } | { readonly invalid: string } {
  const page = integer(parameters, 'page') ?? 1;
  if (!(page >= 1)) return { invalid: 'page must be an integer, at least 1' };
  const limit = integer(parameters, 'limit') ?? 20;
  if (!(limit >= 1 && limit <= 100)) return { invalid: 'limit must be an integer between 1 and 100' };
  return { query: { page, limit } };
}

/** Returns a number that is no integer for anything else, also for a parameter that is given twice. */
function integer(parameters: URLSearchParams, name: string): number | undefined {
  const [text, ...others] = parameters.getAll(name);
  if (text === undefined) return undefined;
  return others.length === 0 && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns a page of the phones, which are in the order of creation. */
export function deviceListPage(
  phones: readonly SimulatedPhone[],
  { page, limit }: ListQuery,
  now: number,
): DeviceListPage {
  const start = (page - 1) * limit;
  return {
    items: phones.slice(start, start + limit).map((simulated) => deviceItem(simulated, now)),
    total: phones.length,
    page,
    limit,
    totalPages: Math.ceil(phones.length / limit),
  };
}
