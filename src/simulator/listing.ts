import { MARKETPLACE_STATUSES, RENTAL_STATUSES, SETUP_STATUSES } from '../model/status.ts';
import { type DeviceItem, deviceItem, lastHeartbeatAt, type Resident } from './resident.ts';

/** "Device list page" of the API document. */
export type DevicePage = {
  readonly items: readonly DeviceItem[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
};

/** The order of the listing, which the API document does not show. By heartbeat means the newest first. */
export const LISTING_ORDERS = ['creation', 'heartbeat', 'status'] as const;

export type ListingOrder = (typeof LISTING_ORDERS)[number];

/** The query of the device list, validated. An absent filter lets everything pass. */
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

type Parsed = { readonly query: ListQuery } | { readonly invalid: string };

/** Reads the query parameters of the device list; `invalid` says what is wrong. Unknown parameters are ignored. */
export function parseListQuery(parameters: URLSearchParams): Parsed {
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

/** A parameter given twice is a list, which no parameter may be: it reads as a text that none of them allows. */
function single(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) return '';
  return values[0];
}

const integer = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

/**
 * One page of the residents, who come in the order of creation. Without a filter and in that order it costs as much as
 * the page is long, not as the fleet is large.
 */
export function devicePage(
  residents: readonly Resident[],
  { page, limit, filters, search }: ListQuery,
  order: ListingOrder,
  now: number,
): DevicePage {
  const unfiltered = Object.keys(filters).length === 0 && search === undefined;
  const matching = unfiltered
    ? residents
    : residents.filter((resident) => matches(resident, filters, search));
  const ordered = arrange(matching, order, now);
  const start = (page - 1) * limit;
  return {
    items: ordered.slice(start, start + limit).map((resident) => deviceItem(resident, now)),
    total: ordered.length,
    page,
    limit,
    totalPages: Math.ceil(ordered.length / limit),
  };
}

function matches({ phone }: Resident, filters: ListQuery['filters'], search: string | undefined): boolean {
  return (
    FILTER_NAMES.every((name) => filters[name] === undefined || filters[name] === phone[name]) &&
    (search === undefined || isFound(phone, search.toLowerCase()))
  );
}

/** The API document does not show what is searched: here it is what a person would look for, in any case. */
function isFound(phone: Resident['phone'], wanted: string): boolean {
  return [phone.deviceId, phone.label, phone.brand, phone.model].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

function arrange(residents: readonly Resident[], order: ListingOrder, now: number): readonly Resident[] {
  if (order === 'creation') return residents;
  if (order === 'heartbeat')
    return residents.toSorted((a, b) => lastHeartbeatAt(b, now) - lastHeartbeatAt(a, now));
  const rank = ({ phone }: Resident) => RENTAL_STATUSES.indexOf(phone.rentalStatus);
  return residents.toSorted((a, b) => rank(a) - rank(b));
}
