import { ACCESS_STATES, COLLECTORS } from '../../model/enums.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { flag, gauge, info, type Row, stateSet } from '../row.ts';

/** Metrics of an account as a whole. */
export const accountRows: readonly Row<AccountSnapshot>[] = [
  flag(
    'hoster_up',
    'Whether the last poll of every collector of this account succeeded (1) or one of them failed or has not ended yet (0).',
    (account) =>
      COLLECTORS.every((collector) => {
        const { failure, lastSuccessAt } = account[collector];
        return failure === undefined && lastSuccessAt !== undefined;
      }),
  ),
  info(
    'hoster_account_info',
    'Always 1; the currency is the configured one, since the API names none. Absent where none is configured.',
    ['currency'],
    ({ currency }) => (currency === undefined ? undefined : [currency]),
  ),
  gauge(
    'hoster_balance_low_limit_cents',
    'Balance in cents below which it is low (accounts[].balance_low_cents). Absent where none is configured.',
    ({ balanceLowCents }) => balanceLowCents,
  ),
  stateSet(
    'hoster_account_api_access',
    'Access by the last response of the API: 1 for the present state, 0 for the others. The API uses invalid_key and suspended for both causes, so check both. Absent before the first response.',
    'state',
    ACCESS_STATES,
    ({ access }) => access,
  ),
];
