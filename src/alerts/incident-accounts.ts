import type { Account } from '../model/account.ts';
import type { ConditionName } from '../model/condition.ts';
import type { EndReason, Incident } from '../model/incident.ts';
import { MINUTE } from '../model/time.ts';
import type { NewIncident } from './incident.ts';

/*
 * Incidents of an account as a whole: its key, the API, and its balance.
 */

/** Delay for a missing device list: one of the next two polls usually succeeds. */
const UNAVAILABLE_AFTER = 5 * MINUTE;

/** Delay for incomplete API data: most of it recovers by itself. */
const DEGRADED_AFTER = 30 * MINUTE;

/** Conditions in which the API returns incomplete data about phones or tunnels. */
const DEGRADED: readonly ConditionName[] = [
  'list_incomplete',
  'devices_rejected',
  'fields_unreadable',
  'heartbeats_unreadable',
  'tunnels_unanswered',
];

/** A balance above its limit by this share has been topped up; one that is less far above may fall again. */
const PAID_IN_SHARE = 0.1;

export function accountProblems(
  account: Account,
  balanceLowCents: number | undefined,
): readonly NewIncident[] {
  const { failing, fleet, conditions, money } = account;
  const { devices, tunnels, balance } = failing;
  const wrong: NewIncident[] = [];
  if (devices?.reason === 'unauthorized') wrong.push({ problem: 'key_refused', since: devices.since });
  else if (devices !== undefined && devices.lasted >= UNAVAILABLE_AFTER)
    wrong.push({ problem: 'api_unavailable', since: fleet?.apiTime ?? devices.since, value: devices.reason });
  if (tunnels !== undefined && tunnels.lasted >= DEGRADED_AFTER)
    wrong.push({ problem: 'tunnels_unreadable', since: tunnels.since });
  const unreadable = balance ?? conditions.balance_unreadable;
  if (unreadable !== undefined && unreadable.lasted >= DEGRADED_AFTER)
    wrong.push({ problem: 'balance_unreadable', since: unreadable.since });
  for (const name of DEGRADED) {
    const condition = conditions[name];
    if (condition !== undefined && condition.lasted >= DEGRADED_AFTER)
      wrong.push({ problem: 'api_degraded', since: condition.since, value: name });
  }
  const cents = money?.balance.availableCents;
  if (conditions.balance_low !== undefined && cents !== undefined && cents < (balanceLowCents ?? Number.NaN))
    wrong.push({ problem: 'balance_low', since: conditions.balance_low.since });
  return wrong;
}

/** Returns the end reason of an incident of an account; undefined while it lasts. */
export function endOfAccount(
  { problem, value }: Incident,
  account: Account,
  balanceLowCents: number | undefined,
): EndReason | undefined {
  const { failing, conditions } = account;
  switch (problem) {
    case 'key_refused':
      return failing.devices === undefined ? 'key_taken' : undefined;
    case 'api_unavailable':
      return failing.devices === undefined || failing.devices.reason === 'unauthorized'
        ? 'answers_again'
        : undefined;
    case 'tunnels_unreadable':
      return failing.tunnels === undefined ? 'readable' : undefined;
    case 'balance_unreadable':
      return (failing.balance ?? conditions.balance_unreadable) ? undefined : 'readable';
    case 'api_degraded':
      return DEGRADED.some((name) => name === value && conditions[name] !== undefined) ? undefined : 'calm';
    case 'balance_low':
      return endOfLowBalance(account, balanceLowCents);
    default:
      return undefined;
  }
}

/** The balance has to stay above its limit for a while, or be well above it: fluctuations cause one incident. */
function endOfLowBalance({ money, conditions }: Account, limit: number | undefined): EndReason | undefined {
  if (limit === undefined) return 'limit_removed';
  const cents = money?.balance.availableCents;
  if (cents === undefined || cents < limit) return undefined;
  const isWellAbove = cents >= limit + PAID_IN_SHARE * Math.abs(limit);
  return isWellAbove || conditions.balance_low === undefined ? 'paid_in' : undefined;
}
