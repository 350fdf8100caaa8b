import { hourShift, type TimeZone } from '../../base/time-zone.ts';
import { jsonReply, type Route, textReply } from '../../http/reply.ts';
import { recordOf } from '../../model/enums.ts';
import type { AccountSnapshot, Snapshot } from '../../model/snapshot.ts';
import { DAY, HOUR, SECOND } from '../../model/time.ts';
import { HISTORY_COLUMNS, type HistoryAccount, type HistoryDocument } from './document.ts';
import { cellOf, endOf, HISTORY, type HistoryRow, presentRow, STEP } from './history.ts';

const MAX_HOURS = 48;
const MAX_DAYS = 31;

/**
 * Answers `GET /api/v1/history`: every ten minutes of some hours, or every hour of some days in the time zone.
 *
 * @param now returns the API's clock, in milliseconds since 1970
 */
export function createHistoryResponse(
  snapshot: () => Snapshot,
  now: () => number,
  timeZone: () => TimeZone,
): Route['answer'] {
  return ({ query }) => {
    const days = query.get('days');
    const count = Number(/^[1-9]\d?$/.exec(days ?? query.get('hours') ?? '24')?.[0]);
    const most = days === null ? MAX_HOURS : MAX_DAYS;
    if (!(count <= most) || (days !== null && query.has('hours')))
      return textReply(400, `expected hours=1 to ${MAX_HOURS}, or days=1 to ${MAX_DAYS}`);
    const [step, span] = days === null ? [STEP, count * HOUR] : [HOUR, count * DAY];
    const shift = hourShift(timeZone(), now());
    const last = Math.floor((now() - shift) / step) * step + shift;
    const ends = Array.from({ length: span / step + 1 }, (_, row) => last - span + row * step);
    const document: HistoryDocument = {
      version: 1,
      step_seconds: step / SECOND,
      accounts: snapshot().accounts.map((account) =>
        columnsOf(account, ends, (row) => endOf(row, step, shift)),
      ),
    };
    return jsonReply(200, `${JSON.stringify(document)}\n`);
  };
}

/** Returns an account's columns: its rows at some instants, then the current numbers if they are newer. */
function columnsOf(
  { name, currency, known, devices, balance }: AccountSnapshot,
  instants: readonly number[],
  endOfRow: (row: HistoryRow) => number,
): HistoryAccount {
  const byEnd = new Map(HISTORY.of(known).map((row) => [endOfRow(row), row]));
  const { apiTime = 0 } = known.fleet ?? {};
  const isNewer = devices.state === 'fresh' && apiTime > (instants.at(-1) ?? 0);
  const ends = isNewer ? [...instants, apiTime] : instants;
  const rows = [
    ...instants.map((end) => byEnd.get(end)),
    ...(isNewer ? [presentRow(known, balance.state === 'fresh')] : []),
  ];
  return {
    account: name,
    currency: currency ?? null,
    ends: ends.map((end) => Math.floor(end / SECOND)),
    ...recordOf(HISTORY_COLUMNS, (column) => rows.map((row) => (row ? cellOf(row, column) : null))),
  };
}
