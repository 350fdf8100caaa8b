import { MARKETPLACE_STATUSES, RENTAL_STATUSES, SETUP_STATUSES } from '../model/device.ts';
import { type DeviceItem, deviceItem, lastHeartbeatAt, type SimulatedPhone } from './phone.ts';

/** "Device list page" of the API document. */
export type DeviceListPage = {
  readonly items: readonly DeviceItem[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
};

/** Order of the list, which the API document leaves open. `heartbeat` is newest first. */
const LISTING_ORDERS = ['creation', 'heartbeat', 'status'] as const;

export type ListingOrder = (typeof LISTING_ORDERS)[number];

/** Query of the device list, validated. */
export type ListQuery = {
  readonly page: number;
  readonly limit: number;
  readonly filters: Readonly<Partial<Record<'rentalStatus' | 'marketplaceStatus' | 'setupStatus', string>>>;
  readonly search: string | undefined;
};

const FILTERS = {
  rentalStatus: RENTAL_STATUSES,
  marketplaceStatus: MARKETPLACE_STATUSES,
  setupStatus: SETUP_STATUSES,
} as const satisfies Record<string, readonly string[]>;

const FILTER_NAMES = ['rentalStatus', 'marketplaceStatus', 'setupStatus'] as const;

/** Parses the query parameters of the device list; `invalid` describes a problem. Unknown parameters are ignored. */
export function parseListQuery(
  parameters: URLSearchParams,
): { readonly query: ListQuery } | { readonly invalid: string } {
  const filters: Partial<Record<(typeof FILTER_NAMES)[number], string>> = {};
  for (const name of FILTER_NAMES) {
    const value = single(parameters, name);
    if (value === undefined) continue;
    const allowed: readonly string[] = FILTERS[name];
    if (!allowed.includes(value)) return { invalid: `${name} must be one of: ${allowed.join(', ')}` };
    filters[name] = value;
  }
  const page = integer(single(parameters, 'page') ?? '1');
  if (!(page >= 1)) return { invalid: 'page must be an integer, at least 1' };
  const limit = integer(single(parameters, 'limit') ?? '20');
  if (!(limit >= 1 && limit <= 100)) return { invalid: 'limit must be an integer between 1 and 100' };
  const search = single(parameters, 'search');
  if (search === '') return { invalid: 'search must be a non-empty string' };
  return { query: { page, limit, filters, search } };
}

/** Returns an empty text, which no parameter allows, for a parameter that is given twice. */
function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) return '';
  return values[0];
}

const integer = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

/** Returns a page of the phones, which are in the order of creation. Fast in that order and without a filter. */
export function deviceListPage(
  phones: readonly SimulatedPhone[],
  { page, limit, filters, search }: ListQuery,
  order: ListingOrder,
  now: number,
): DeviceListPage {
  const unfiltered = Object.keys(filters).length === 0 && search === undefined;
  const matching = unfiltered ? phones : phones.filter((simulated) => matches(simulated, filters, search));
  const ordered = sort(matching, order, now);
  const start = (page - 1) * limit;
  return {
    items: ordered.slice(start, start + limit).map((simulated) => deviceItem(simulated, now)),
    total: ordered.length,
    page,
    limit,
    totalPages: Math.ceil(ordered.length / limit),
  };
}

function matches(
  { phone }: SimulatedPhone,
  filters: ListQuery['filters'],
  search: string | undefined,
): boolean {
  return (
    FILTER_NAMES.every((name) => filters[name] === undefined || filters[name] === phone[name]) &&
    (search === undefined || isFound(phone, search.toLowerCase()))
  );
}

/** Searches the fields that a person would search, ignoring case; the API document names none. */
function isFound(phone: SimulatedPhone['phone'], wanted: string): boolean {
  return [phone.deviceId, phone.label, phone.brand, phone.model].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

function sort(
  phones: readonly SimulatedPhone[],
  order: ListingOrder,
  now: number,
): readonly SimulatedPhone[] {
  if (order === 'creation') return phones;
  if (order === 'heartbeat')
    return phones.toSorted((a, b) => lastHeartbeatAt(b, now) - lastHeartbeatAt(a, now));
  const rank = ({ phone }: SimulatedPhone) => RENTAL_STATUSES.indexOf(phone.rentalStatus);
  return phones.toSorted((a, b) => rank(a) - rank(b));
}
