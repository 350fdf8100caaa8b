import { jsonReply, type Route, textReply } from '../../http/reply.ts';
import type { AccountSnapshot, Snapshot } from '../../model/snapshot.ts';
import { DAY, HOUR, SECOND } from '../../model/time.ts';
import type { HistoryAccount, HistoryDocument } from './document.ts';
import { cellOf, HISTORY, type HISTORY_COLUMNS, hourOf, STEP } from './history.ts';

const MAX_HOURS = 48;
const MAX_DAYS = 31;

/**
 * Answers `GET /api/v1/history`: every ten minutes of some hours, or every hour of some days.
 *
 * @param now returns the clock of the API, in milliseconds since 1970
 */
export function createHistoryResponse(snapshot: () => Snapshot, now: () => number): Route['answer'] {
  return ({ query }) => {
    const days = query.get('days');
    const count = numberOf(days ?? query.get('hours') ?? '24', days === null ? MAX_HOURS : MAX_DAYS);
    if (count === undefined || (days !== null && query.has('hours')))
      return textReply(400, `expected hours=1 to ${MAX_HOURS}, or days=1 to ${MAX_DAYS}`);
    const [step, span] = days === null ? [STEP, count * HOUR] : [HOUR, count * DAY];
    const last = Math.floor(now() / step) * step;
    const ends = Array.from({ length: span / step + 1 }, (_, row) => last - span + row * step);
    const document: HistoryDocument = {
      version: 1,
      step_seconds: step / SECOND,
      accounts: snapshot().accounts.map((account) => columnsOf(account, ends, step)),
    };
    return jsonReply(200, `${JSON.stringify(document)}\n`);
  };
}

function numberOf(text: string, most: number): number | undefined {
  const number = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN;
  return number <= most ? number : undefined;
}

function columnsOf(
  { name, currency, known }: AccountSnapshot,
  ends: readonly number[],
  step: number,
): HistoryAccount {
  const rows = new Map(HISTORY.of(known).map((row) => [step === STEP ? row[0] : hourOf(row), row]));
  const column = (name: (typeof HISTORY_COLUMNS)[number]) =>
    ends.map((end) => {
      const row = rows.get(end);
      return row === undefined ? null : cellOf(row, name);
    });
  return {
    account: name,
    currency: currency ?? null,
    ends: ends.map((end) => end / SECOND),
    listed: column('listed'),
    sold_online: column('sold_online'),
    sold_offline: column('sold_offline'),
    self_rented: column('self_rented'),
    idle: column('idle'),
    offline: column('offline'),
    maintenance: column('maintenance'),
    balance_cents: column('balance_cents'),
    increase_cents: column('increase_cents'),
    decrease_cents: column('decrease_cents'),
  };
}
