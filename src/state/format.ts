import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { KeySource } from '../api-key.ts';
import { OTHER, RENTAL_STATUSES } from '../model/device.ts';
import type { Money } from '../model/money.ts';
import type { DeviceMemory } from '../model/snapshot.ts';

/** Identifies the account of a state: another address or another key may be another hoster. */
export type AccountIdentity = { readonly name: string; readonly apiUrl: string; readonly key: KeySource };

/** The part of the file about one account. */
export type AccountState = {
  readonly identity: AccountIdentity;
  readonly money: Money | undefined;
  readonly devices: Iterable<readonly [id: string, memory: DeviceMemory]>;
};

/** A decoded state file: its accounts, or why it is refused, to be read after "the state file was refused: ". */
export type DecodedState = { readonly accounts: readonly AccountState[] } | { readonly refusal: string };

/** Raised with every change that an older program would misread. */
const VERSION = 1;

/** Number of devices that are encoded before the event loop gets a turn. */
const SLICE_DEVICES = 500;

const NEVER_MOVED = { increase_cents: 0, decrease_cents: 0 };

/**
 * Encodes the state as text, piece by piece: JSON, one line per device, with a checksum at its end.
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
  for (const { identity, money, devices } of accounts) {
    const { name, apiUrl: api_url, key } = identity;
    yield `${comma}${JSON.stringify({ name, api_url, key, money: money && writtenMoney(money) }).slice(0, -1)},"phones":[`;
    yield* linesOf(devices);
    yield '\n]}';
    comma = ',\n';
  }
  yield '\n],\n';
}

function* linesOf(devices: AccountState['devices']): Generator<string> {
  let text = '';
  let count = 0;
  for (const [id, { rentalStatus: status, rentalStatusSince: since, rentalStatusSeconds }] of devices) {
    const seconds = Object.fromEntries(Object.entries(rentalStatusSeconds).filter(([, each]) => each > 0));
    text += `${count === 0 ? '\n' : ',\n'}${JSON.stringify({ id, status, since, seconds })}`;
    count += 1;
    if (count % SLICE_DEVICES !== 0) continue;
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

const device = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    status: rentalStatus.optional(),
    since: z.int().min(0).optional(),
    seconds: z.partialRecord(rentalStatus, z.number().min(0)),
  })
  .transform(({ id, status, since, seconds }): readonly [string, DeviceMemory] => [
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
    phones: z.array(device),
  })
  .transform(
    ({ name, api_url, key, money, phones }): AccountState => ({
      identity: { name, apiUrl: api_url, key },
      money,
      devices: phones,
    }),
  );

const state = z.object({ accounts: z.array(account) });

const HEAD = /^\{"format":"hoster-exporter state","version":(\d{1,9}),/;
const CHECKSUM = /"checksum":"([0-9a-f]{8})"\}\n?$/;

/** Decodes a text that {@link encodeState} wrote. A damaged text is refused as a whole. */
export function decodeState(text: string): DecodedState {
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

function readContent(text: string): DecodedState {
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
