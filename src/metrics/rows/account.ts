import { ACCESS_STATES, COLLECTORS } from '../../model/enums.ts';
import type { AccountSnapshot } from '../../model/snapshot.ts';
import { flag, gauge, info, type Row, stateSet } from '../row.ts';

export const accountRows: readonly Row<AccountSnapshot>[] = [
  flag(
    'hoster_up',
    '1 if the last poll of every collector of this account succeeded, 0 if one failed or has not finished yet.',
    (account) =>
      COLLECTORS.every((collector) => {
        const { failure, lastSuccessAt } = account[collector];
        return failure === undefined && lastSuccessAt !== undefined;
      }),
  ),
  info(
    'hoster_account_info',
    'Always 1; the label is the configured currency. Absent without one.',
    ['currency'],
    ({ currency }) => (currency === undefined ? undefined : [currency]),
  ),
  gauge(
    'hoster_balance_low_limit_cents',
    'Balance in cents below which it is low (accounts[].balance_low_cents). Absent if not configured.',
    ({ balanceLowCents }) => balanceLowCents,
  ),
  stateSet(
    'hoster_account_api_access',
    '1 for the state of the API key after the last response, 0 for the others. The API does not tell invalid_key from suspended reliably, so check both. Absent before the first response.',
    'state',
    ACCESS_STATES,
    ({ access }) => access,
  ),
];
