import { z } from 'zod';
import { OTHER, RENTAL_STATUSES } from '../model/device.ts';
import type { LeftDevice } from '../model/fleet.ts';
import type { LastAmounts } from '../model/money.ts';
import { PROBLEMS } from '../model/problem.ts';
import type { DeviceMemory } from '../model/snapshot.ts';
import { TEXT_LIMIT } from '../model/text.ts';

/** Identifies the account of a state: another address may be another hoster. */
export type AccountIdentity = { readonly name: string; readonly apiUrl: string };

/** The part of the file about one account. */
export type AccountState = {
  readonly identity: AccountIdentity;
  /** Only in a file that was written when the process stopped: an older amount may have been compared already. */
  readonly lastAmounts: LastAmounts | undefined;
  /** Devices that left the list within a day; none in a file of an older program. */
  readonly left: Iterable<readonly [id: string, left: LeftDevice]>;
  readonly devices: Iterable<readonly [id: string, memory: DeviceMemory]>;
};

/** A decoded state file: its accounts, or the part "got …, expected …" of the message that refuses it. */
export type DecodedState = { readonly accounts: readonly AccountState[] } | { readonly refusal: string };

/** Raised with every change that an older program would misread. */
const VERSION = 2;

/** Number of devices that are encoded before the event loop gets a turn. */
const DEVICES_PER_YIELD = 500;

/**
 * Encodes the state as text, piece by piece: JSON, one line per device.
 *
 * @param savedAt milliseconds since 1970; for people who look into the file
 */
export function* encodeState(accounts: Iterable<AccountState>, savedAt: number): Generator<string> {
  yield `{"format":"hoster-exporter state","version":${VERSION},"saved_at":"${new Date(savedAt).toISOString()}","accounts":[`;
  let comma = '\n';
  for (const { identity, lastAmounts, left, devices } of accounts) {
    const { name, apiUrl: api_url } = identity;
    const balance = lastAmounts && {
      available_cents: lastAmounts.availableCents,
      pending_cents: lastAmounts.pendingCents,
    };
    const leftLines = Array.from(left, ([id, device]) => ({
      id,
      label: device.label,
      group: device.group,
      listed: device.lastListedAt,
      removed: device.removedAt,
      silent: device.wasSilent,
    }));
    yield `${comma}${JSON.stringify({ name, api_url, balance, left: leftLines.length === 0 ? undefined : leftLines }).slice(0, -1)},"phones":[`;
    yield* linesOf(devices);
    yield '\n]}';
    comma = ',\n';
  }
  yield '\n]}\n';
}

function* linesOf(devices: AccountState['devices']): Generator<string> {
  let text = '';
  let count = 0;
  for (const [id, { rentalStatus: status, rentalStatusSince: since, problem, rhythm }] of devices) {
    text += `${count === 0 ? '\n' : ',\n'}${JSON.stringify({ id, status, since, problem, rhythm })}`;
    count += 1;
    if (count % DEVICES_PER_YIELD !== 0) continue;
    yield text;
    text = '';
  }
  yield text;
}

const cents = z.int().optional();

const deviceId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const text = z.string().max(TEXT_LIMIT * 2);

const seconds = z.number().min(0);
/** The last instant that a date can hold, in milliseconds since 1970. */
const MAX_INSTANT = 8.64e15;

/** Maximum number of days of a rhythm. */
const MAX_DAYS = 31;

const rhythm = z.strictObject({
  usual: seconds,
  late: z.number().min(0).max(1),
  over: z.int().min(0),
  elapsed: z.int().min(0),
  longest: z.array(z.int().min(0)).max(MAX_DAYS),
});

const device = z
  .object({
    id: deviceId,
    status: z.enum([...RENTAL_STATUSES, OTHER]).optional(),
    since: z.int().min(0).optional(),
    // One that is damaged, or of another version, is found again.
    problem: z
      .object({ problem: z.enum(PROBLEMS), since: z.number().min(0).max(MAX_INSTANT) })
      .optional()
      .catch(undefined),
    // One of another version is learned again.
    rhythm: rhythm.optional().catch(undefined),
  })
  .transform(({ id, status, since, problem, rhythm }): readonly [string, DeviceMemory] => [
    id,
    { rentalStatus: status, rentalStatusSince: since, problem, rhythm },
  ]);

const leftDevice = z
  .object({
    id: deviceId,
    label: text,
    group: text,
    listed: z.int().min(0),
    removed: z.int().min(0),
    silent: z.boolean(),
  })
  .transform(({ id, label, group, listed, removed, silent }): readonly [string, LeftDevice] => [
    id,
    { label, group, lastListedAt: listed, removedAt: removed, wasSilent: silent },
  ]);

/** Version 1 had counters, the key and the balance of any save, too: counters begin at 0, the rest is not needed. */
const account = z
  .object({
    name: z.string(),
    api_url: z.string(),
    balance: z.object({ available_cents: cents, pending_cents: cents }).optional(),
    left: z.array(leftDevice).default([]),
    phones: z.array(device),
  })
  .transform(
    ({ name, api_url, balance, left, phones }): AccountState => ({
      identity: { name, apiUrl: api_url },
      lastAmounts: balance && {
        availableCents: balance.available_cents,
        pendingCents: balance.pending_cents,
      },
      left,
      devices: phones,
    }),
  );

const header = z.object({ format: z.literal('hoster-exporter state'), version: z.int().min(1) });

const state = z.object({ accounts: z.array(account) });

/** Decodes a text that {@link encodeState} wrote, or version 1 of this program. A damaged text is refused as a whole. */
export function decodeState(text: string): DecodedState {
  if (text === '') return { refusal: 'got an empty file, expected a state file' };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, and says nothing that helps.
    return { refusal: 'got invalid JSON (damaged or cut off), expected a state file' };
  }
  const version = header.safeParse(content).data?.version;
  if (version === undefined)
    return {
      refusal: 'got JSON without the header of a state file, expected a state file',
    };
  if (version > VERSION) {
    return { refusal: `got version ${version} of a newer program, expected at most version ${VERSION}` };
  }
  const parsed = state.safeParse(content);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  return { refusal: `got an invalid value at ${path}, expected a value that this program writes` };
}
