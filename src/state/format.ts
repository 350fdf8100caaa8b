import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { KeySource } from '../api-key.ts';
import type { PhoneMemory } from '../model/memory.ts';
import type { Money } from '../model/reading.ts';
import { OTHER, RENTAL_STATUSES } from '../model/status.ts';

/** Whose state it is: another address or another key may be another hoster, whose phones and money are not these. */
export type Origin = { readonly name: string; readonly apiUrl: string; readonly key: KeySource };

/** What the file keeps of one account. */
export type AccountState = {
  readonly origin: Origin;
  readonly money: Money | undefined;
  readonly phones: Iterable<readonly [id: string, memory: PhoneMemory]>;
};

/** What a text came to: the accounts it holds, or why it was refused, to be read after "the state file was refused: ". */
export type Decoded = { readonly accounts: readonly AccountState[] } | { readonly refusal: string };

/** Counts up with every change that an older program would misread. */
const VERSION = 1;

/** Phones in one piece of text: what is encoded before the event loop has another turn. */
const PHONES_AT_ONCE = 500;

const NEVER_MOVED = { increase_cents: 0, decrease_cents: 0 };

/**
 * The state as text, piece by piece: JSON, a line a phone, with a checksum at its end.
 *
 * @param savedAt milliseconds since 1970; for people who look into the file
 */
export function* encodeState(accounts: Iterable<AccountState>, savedAt: number): Generator<string> {
  let checksum = 0;
  for (const piece of bodyOf(accounts, savedAt)) {
    checksum = crc32(piece, checksum);
    yield piece;
  }
  yield `"checksum":"${hex(checksum)}"}\n`;
}

function* bodyOf(accounts: Iterable<AccountState>, savedAt: number): Generator<string> {
  yield `{"format":"hoster-exporter state","version":${VERSION},"saved_at":"${new Date(savedAt).toISOString()}","accounts":[`;
  let comma = '\n';
  for (const { origin, money, phones } of accounts) {
    const { name, apiUrl: api_url, key } = origin;
    yield `${comma}${JSON.stringify({ name, api_url, key, money: money && writtenMoney(money) }).slice(0, -1)},"phones":[`;
    yield* linesOf(phones);
    yield '\n]}';
    comma = ',\n';
  }
  yield '\n],\n';
}

function* linesOf(phones: AccountState['phones']): Generator<string> {
  let text = '';
  let count = 0;
  for (const [id, { rentalStatus: status, rentalStatusSince: since, rentalStatusSeconds }] of phones) {
    const seconds = Object.fromEntries(Object.entries(rentalStatusSeconds).filter(([, each]) => each > 0));
    text += `${count === 0 ? '\n' : ',\n'}${JSON.stringify({ id, status, since, seconds })}`;
    count += 1;
    if (count % PHONES_AT_ONCE !== 0) continue;
    yield text;
    text = '';
  }
  yield text;
}

function writtenMoney({ balance, observed }: Money): z.input<typeof money> {
  const moved = (kind: keyof Money['observed']) => ({
    increase_cents: observed[kind].increaseCents,
    decrease_cents: observed[kind].decreaseCents,
  });
  return {
    available_cents: balance.availableCents,
    pending_cents: balance.pendingCents,
    total_cents: balance.totalCents,
    observed: { available: moved('available'), pending: moved('pending') },
  };
}

const cents = z.int().optional();
const sum = z.int().min(0);
const movement = z.strictObject({ increase_cents: sum, decrease_cents: sum }).transform((written) => ({
  increaseCents: written.increase_cents,
  decreaseCents: written.decrease_cents,
}));

const money = z
  .strictObject({
    available_cents: cents,
    pending_cents: cents,
    total_cents: cents,
    observed: z.strictObject({
      available: movement.prefault(NEVER_MOVED),
      pending: movement.prefault(NEVER_MOVED),
    }),
  })
  .transform(
    ({ available_cents, pending_cents, total_cents, observed }): Money => ({
      balance: { availableCents: available_cents, pendingCents: pending_cents, totalCents: total_cents },
      observed,
    }),
  );

const rentalStatus = z.enum([...RENTAL_STATUSES, OTHER]);

const phone = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    status: rentalStatus.optional(),
    since: z.int().min(0).optional(),
    seconds: z.partialRecord(rentalStatus, z.number().min(0)),
  })
  .transform(({ id, status, since, seconds }): readonly [string, PhoneMemory] => [
    id,
    {
      rentalStatus: status,
      rentalStatusSince: since,
      rentalStatusSeconds: { sold: 0, self_rented: 0, idle: 0, other: 0, ...seconds },
    },
  ]);

const account = z
  .strictObject({
    name: z.string(),
    api_url: z.string(),
    key: z.union([z.strictObject({ file: z.string() }), z.strictObject({ environment: z.string() })]),
    money: money.optional(),
    phones: z.array(phone),
  })
  .transform(
    ({ name, api_url, key, money, phones }): AccountState => ({
      origin: { name, apiUrl: api_url, key },
      money,
      phones,
    }),
  );

const state = z.object({ accounts: z.array(account) });

const HEAD = /^\{"format":"hoster-exporter state","version":(\d{1,9}),/;
const CHECKSUM = /"checksum":"([0-9a-f]{8})"\}\n?$/;

/** Reads a text that {@link encodeState} wrote. What it can't vouch for as a whole, it refuses as a whole. */
export function decodeState(text: string): Decoded {
  if (text === '') return { refusal: 'it is empty' };
  const version = HEAD.exec(text)?.[1];
  if (version === undefined) return { refusal: 'it does not begin like a state file of this program' };
  if (Number(version) !== VERSION) {
    return { refusal: `it is of version ${version}, and this program reads version ${VERSION}` };
  }
  const end = CHECKSUM.exec(text.slice(-64));
  if (end?.[1] === undefined) return { refusal: 'it is cut off: there is no checksum at its end' };
  const body = text.slice(0, Math.max(0, text.length - 64) + end.index);
  if (hex(crc32(body)) !== end[1]) return { refusal: 'it was changed: its checksum does not match' };
  return readContent(text);
}

function readContent(text: string): Decoded {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, and says nothing that helps.
    return { refusal: 'it is no JSON' };
  }
  const parsed = state.safeParse(content);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  return { refusal: `what stands at ${path} is nothing that this program writes` };
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}
