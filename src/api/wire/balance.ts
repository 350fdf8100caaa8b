import { z } from 'zod';
import type { Balance } from '../../model/balance.ts';
import { salvage } from './salvage.ts';
import type { Wire } from './wire.ts';

/** Safe integers: a fraction of a cent, or a sum that a double cannot hold, is no amount. Negative ones are. */
const CENTS = z.int().nullish();

/** "Balance" of the API document. */
const BALANCE = z.compile(z.object({ availableCents: CENTS, pendingCents: CENTS, totalCents: CENTS }));

/** Reads `data` of a balance response; undefined where none of the three amounts is usable. */
export function readBalance(data: unknown, { events }: Wire): Balance | undefined {
  const balance = salvage(BALANCE, data);
  if (balance === undefined) return undefined;
  const { availableCents, pendingCents, totalCents } = balance.value;
  if (availableCents == null && pendingCents == null && totalCents == null) return undefined;
  if (balance.faulty) events.schemaViolation('balance');
  return {
    availableCents: availableCents ?? undefined,
    pendingCents: pendingCents ?? undefined,
    totalCents: totalCents ?? undefined,
  };
}
