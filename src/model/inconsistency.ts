/**
 * How a device list can contradict itself or what was asked for:
 * - `duplicate`: a phone came twice in one pass, as it does when the list moves on between two pages;
 * - `conflict`: it came twice, and differs in more than its heartbeat;
 * - `total_changed`: `total` was another than on the page before;
 * - `empty_page`: a page that should have items had none;
 * - `short_page`: a page had fewer items than it should have by its `total`;
 * - `limit_ignored`: pages had another size than the one asked for;
 * - `page_mismatch`: the answer says that it is another page than the one asked for;
 * - `page_repeated`: a page held exactly the phones of another one;
 * - `overlong`: the list claims to go on beyond its `total`, has no end, or is longer than any fleet.
 */
export const LIST_INCONSISTENCIES = [
  'duplicate',
  'conflict',
  'total_changed',
  'empty_page',
  'short_page',
  'limit_ignored',
  'page_mismatch',
  'page_repeated',
  'overlong',
] as const;

export type ListInconsistency = (typeof LIST_INCONSISTENCIES)[number];
