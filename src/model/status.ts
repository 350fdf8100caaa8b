/**
 * The states that the API document names ("States and transitions"). A value outside of these lists is kept as
 * `other`, so that a state set over `[...LIST, OTHER]` always has exactly one series at 1.
 */
export const OTHER = 'other';

export const RENTAL_STATUSES = ['sold', 'self_rented', 'idle'] as const;
export const MARKETPLACE_STATUSES = ['listed', 'not_listed'] as const;
export const SETUP_STATUSES = [
  'awaiting_device_details',
  'awaiting_agent',
  'active',
  'draft',
  'incomplete',
  'complete',
] as const;

export type RentalStatus = (typeof RENTAL_STATUSES)[number] | typeof OTHER;
export type MarketplaceStatus = (typeof MARKETPLACE_STATUSES)[number] | typeof OTHER;
export type SetupStatus = (typeof SETUP_STATUSES)[number] | typeof OTHER;

/**
 * A value of a field whose "allowed values" are "not shown" in the API document: lower-cased `[a-z0-9_]{1,32}`, or
 * `other` where the text sent does not fit that.
 */
export type OpenStatus = string;
